import type { KubeObject } from '../object.ts'

/** Names a resource regardless of version: `{group: 'apps', resource: 'deployments'}`. */
export interface ResourceKey {
  readonly group: string
  readonly resource: string
}

export type StoreEventType = 'ADDED' | 'MODIFIED' | 'DELETED'

/** One committed write. Objects are shared and must not be changed. */
export interface StoreEvent {
  readonly type: StoreEventType
  readonly resourceVersion: number
  readonly resource: ResourceKey
  /** Empty for cluster-scoped objects. */
  readonly namespace: string
  readonly name: string
  /** What is stored now; of a deleted object its last state, carrying the deletion's resourceVersion. */
  readonly object: KubeObject
  /** What was stored before. */
  readonly previous: KubeObject | undefined
}

/** A whole state: what a fork starts from and a snapshot holds. Objects are shared. */
export interface StoreState {
  readonly resourceVersion: number
  readonly objects: Iterable<readonly [ResourceKey, KubeObject]>
}

/** What the API server needs of its storage. Every write gets the next number of one counter. */
export interface Store {
  /** The number of the last write. */
  readonly resourceVersion: number
  /** Events after this number can still be had. */
  readonly horizon: number
  get(resource: ResourceKey, namespace: string, name: string): KubeObject | undefined
  /** All objects of a resource, of one namespace where given, in the order of their keys. */
  list(resource: ResourceKey, namespace?: string): readonly KubeObject[]
  /** The same as it was at an earlier resourceVersion; undefined where that is forgotten. */
  listAt(
    resource: ResourceKey,
    namespace: string | undefined,
    resourceVersion: number,
  ): readonly KubeObject[] | undefined
  /** Number of objects of a resource. */
  count(resource: ResourceKey): number
  /** The resources that have or had objects. */
  resources(): readonly ResourceKey[]
  /**
   * Stores an object under its metadata's namespace and name and stamps its resourceVersion.
   * The store owns the object from then on.
   */
  put(resource: ResourceKey, object: KubeObject): KubeObject
  /** Removes an object; the answer is its last state, or undefined where there was none. */
  remove(resource: ResourceKey, namespace: string, name: string, lastState?: KubeObject): KubeObject | undefined
  /** Writes after `resourceVersion`, oldest first; undefined where some are forgotten. */
  eventsSince(resourceVersion: number): readonly StoreEvent[] | undefined
  /** Calls the listener after every write, in order. The answer ends it. */
  subscribe(listener: StoreListener): () => void
}

export interface StoreListener {
  event(event: StoreEvent): void
  /** The whole state was replaced; what was known of it is void. */
  replaced?(): void
}

/** The key of a resource's table: `apps/deployments`, `/configmaps`. */
export function tableName(resource: ResourceKey): string {
  return `${resource.group}/${resource.resource}`
}
