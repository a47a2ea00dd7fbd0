import { groupKindKey } from '../model/kubernetes.ts'
import type { GroupKind, GroupVersionKind, ResourceId } from '../model/kubernetes.ts'
import type { LiveObject } from '../model/live.ts'
import type { LiveView } from '../model/ports.ts'
import type { KindSnapshot } from './kind-store.ts'

export type ObserveFailure = LiveView['failures'][number]

/** A `LiveView` that also says whether the watches behind it are up. */
export interface ObservedView extends LiveView {
  /** Milliseconds since 1970 since when changes may have been missed so far; undefined while all watches are up. */
  readonly staleSince: number | undefined
}

export type ViewedKind = {
  readonly gvk: GroupVersionKind
  readonly namespaced: boolean
  readonly snapshot: KindSnapshot
}

/** Puts the snapshots of several kinds together. The first version of a kind answers for it. */
export function makeView(
  kinds: readonly ViewedKind[],
  namespaces: ReadonlySet<string>,
  failures: readonly ObserveFailure[],
  staleSince: number | undefined,
): ObservedView {
  const byKind = new Map<string, ViewedKind>()
  for (const kind of kinds) {
    const key = groupKindKey(kind.gvk)
    if (!byKind.has(key)) byKind.set(key, kind)
  }
  const viewed = [...byKind.values()]
  const listed = new Map<string, readonly LiveObject[]>()
  return {
    failures,
    staleSince,
    get: (id: ResourceId) => byKind.get(groupKindKey(id))?.snapshot.get(id.namespace, id.name),
    ofKind: (kind: GroupKind) => {
      const key = groupKindKey(kind)
      const known = listed.get(key) ?? ofKind(byKind.get(key), namespaces)
      listed.set(key, known)
      return known
    },
    childrenOf: (uid: string) => viewed.flatMap((kind) => kind.snapshot.childrenOf(uid)),
  }
}

/** The cache may hold more namespaces than were asked for. */
function ofKind(kind: ViewedKind | undefined, namespaces: ReadonlySet<string>): readonly LiveObject[] {
  if (kind === undefined) return []
  const all = kind.snapshot.all()
  if (!kind.namespaced) return all
  return all.filter((live) => namespaces.has(live.object.metadata.namespace ?? ''))
}
