import type { KubeObject } from '../object.ts'
import type { ResourceKey, Store, StoreEvent } from '../storage/store.ts'
import { tableName } from '../storage/store.ts'

/** Where a stored object is. */
export interface Place {
  readonly resource: ResourceKey
  readonly namespace: string
  readonly name: string
}

/** Who owns whom, and which objects no controller owns; kept up with every write. */
export class OwnerIndex {
  readonly #store: Store
  readonly #byOwner = new Map<string, Map<string, Place>>()
  readonly #byUid = new Map<string, Place>()
  readonly #unowned = new Map<string, Map<string, Place>>()

  constructor(store: Store) {
    this.#store = store
    this.rebuild()
  }

  rebuild(): void {
    for (const index of [this.#byOwner, this.#byUid, this.#unowned]) index.clear()
    for (const resource of this.#store.resources()) {
      for (const object of this.#store.list(resource)) {
        const { namespace = '', name = '' } = object.metadata
        this.#add({ resource, namespace, name }, object)
      }
    }
  }

  event({ type, resource, namespace, name, object, previous }: StoreEvent): void {
    const place: Place = { resource, namespace, name }
    if (previous) this.#remove(place, previous)
    if (type !== 'DELETED') this.#add(place, object)
  }

  /** Places of the objects that name the uid among their owners. */
  dependents(uid: string): readonly Place[] {
    return [...(this.#byOwner.get(uid)?.values() ?? [])]
  }

  /** Dependents of one resource that the uid controls. */
  controlled(uid: string, resource: ResourceKey): KubeObject[] {
    const found: KubeObject[] = []
    for (const place of this.#byOwner.get(uid)?.values() ?? []) {
      if (place.resource.resource !== resource.resource || place.resource.group !== resource.group) continue
      const object = this.#store.get(place.resource, place.namespace, place.name)
      if (object && controllerOf(object)?.uid === uid) found.push(object)
    }
    return found
  }

  /** Objects of a resource in a namespace that no controller has. */
  uncontrolled(resource: ResourceKey, namespace: string): KubeObject[] {
    const places = this.#unowned.get(`${tableName(resource)}/${namespace}`)
    if (!places) return []
    return [...places.values()].flatMap(({ name }) => this.#store.get(resource, namespace, name) ?? [])
  }

  find(uid: string): Place | undefined {
    return this.#byUid.get(uid)
  }

  #add(place: Place, object: KubeObject): void {
    const key = placeKey(place)
    const { uid, ownerReferences = [] } = object.metadata
    if (uid !== undefined) this.#byUid.set(uid, place)
    for (const owner of ownerReferences) put(this.#byOwner, owner.uid, key, place)
    if (adoptable.has(tableName(place.resource)) && !controllerOf(object)) {
      put(this.#unowned, `${tableName(place.resource)}/${place.namespace}`, key, place)
    }
  }

  #remove(place: Place, object: KubeObject): void {
    const key = placeKey(place)
    const { uid, ownerReferences = [] } = object.metadata
    if (uid !== undefined) this.#byUid.delete(uid)
    for (const owner of ownerReferences) drop(this.#byOwner, owner.uid, key)
    drop(this.#unowned, `${tableName(place.resource)}/${place.namespace}`, key)
  }
}

/** Kinds that a controller takes over when they match and belong to nobody. */
const adoptable = new Set(['/pods', 'apps/replicasets', 'apps/controllerrevisions'])

/** The owner that controls an object. */
export function controllerOf(
  object: KubeObject,
): { readonly uid: string; readonly kind: string; readonly name: string } | undefined {
  return object.metadata.ownerReferences?.find((owner) => owner.controller === true)
}

function placeKey({ resource, namespace, name }: Place): string {
  return `${tableName(resource)}/${namespace}/${name}`
}

function put(index: Map<string, Map<string, Place>>, key: string, inner: string, place: Place): void {
  const known = index.get(key)
  if (known) known.set(inner, place)
  else index.set(key, new Map([[inner, place]]))
}

function drop(index: Map<string, Map<string, Place>>, key: string, inner: string): void {
  const known = index.get(key)
  if (known?.delete(inner) && known.size === 0) index.delete(key)
}
