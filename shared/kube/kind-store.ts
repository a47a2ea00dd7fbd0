import type { LiveObject } from '../model/live.ts'
import { VersionedMap } from './versioned-map.ts'
import type { MapSnapshot } from './versioned-map.ts'

/** The objects of one kind at one moment. */
export interface KindSnapshot {
  get(namespace: string, name: string): LiveObject | undefined
  all(): readonly LiveObject[]
  childrenOf(uid: string): readonly LiveObject[]
}

/** One object's change; `before` and `after` say whether it came, changed or went. */
export type ObjectChange = {
  readonly before: LiveObject | undefined
  readonly after: LiveObject | undefined
}

/** The objects of one kind in one version, by name and by owner. */
export class KindStore {
  private readonly objects = new VersionedMap<LiveObject>()
  /** Keys of the dependants, so that a change of a dependant's content touches nothing here. */
  private readonly dependants = new VersionedMap<readonly string[]>()
  private current: KindSnapshot | undefined

  get(namespace: string, name: string): LiveObject | undefined {
    return this.objects.get(keyOf(namespace, name))
  }

  /** @returns the change, undefined where the very same state is held already. */
  set(after: LiveObject): ObjectChange | undefined {
    const key = keyOfObject(after)
    const before = this.objects.get(key)
    if (before !== undefined && before.uid === after.uid && before.resourceVersion === after.resourceVersion)
      return undefined
    this.current = undefined
    this.objects.set(key, after)
    this.link(key, before, after)
    return { before, after }
  }

  /** @param uid only this object is removed, not its successor of the same name */
  delete(namespace: string, name: string, uid?: string): ObjectChange | undefined {
    const key = keyOf(namespace, name)
    const before = this.objects.get(key)
    if (before === undefined || (uid !== undefined && uid !== '' && before.uid !== uid)) return undefined
    this.current = undefined
    this.objects.delete(key)
    this.link(key, before, undefined)
    return { before, after: undefined }
  }

  /** Makes a namespace (empty: all of them) hold exactly these objects. */
  replace(namespace: string, objects: readonly LiveObject[]): readonly ObjectChange[] {
    const changes: ObjectChange[] = []
    const listed = new Set(objects.map(keyOfObject))
    for (const key of this.objects.keys()) {
      const old = listed.has(key) ? undefined : this.objects.get(key)
      if (old === undefined || (namespace !== '' && old.object.metadata.namespace !== namespace)) continue
      const change = this.delete(old.object.metadata.namespace ?? '', old.object.metadata.name)
      if (change !== undefined) changes.push(change)
    }
    for (const object of objects) {
      const change = this.set(object)
      if (change !== undefined) changes.push(change)
    }
    return changes
  }

  snapshot(): KindSnapshot {
    this.current ??= snapshotOf(this.objects.snapshot(), this.dependants.snapshot())
    return this.current
  }

  private link(key: string, before: LiveObject | undefined, after: LiveObject | undefined): void {
    const old = ownersOf(before)
    const now = ownersOf(after)
    for (const uid of old) {
      if (now.includes(uid)) continue
      const rest = (this.dependants.get(uid) ?? []).filter((other) => other !== key)
      if (rest.length === 0) this.dependants.delete(uid)
      else this.dependants.set(uid, rest)
    }
    for (const uid of now) {
      if (!old.includes(uid)) this.dependants.set(uid, [...(this.dependants.get(uid) ?? []), key])
    }
  }
}

function snapshotOf(objects: MapSnapshot<LiveObject>, dependants: MapSnapshot<readonly string[]>): KindSnapshot {
  return {
    get: (namespace, name) => objects.get(keyOf(namespace, name)),
    all: () => objects.values(),
    childrenOf: (uid) => (dependants.get(uid) ?? []).flatMap((key) => objects.get(key) ?? []),
  }
}

function ownersOf(live: LiveObject | undefined): readonly string[] {
  return live?.object.metadata.ownerReferences?.map((owner) => owner.uid) ?? []
}

function keyOf(namespace: string, name: string): string {
  return `${namespace}/${name}`
}

function keyOfObject(live: LiveObject): string {
  return keyOf(live.object.metadata.namespace ?? '', live.object.metadata.name)
}
