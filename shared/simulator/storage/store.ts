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

/** What the API server needs of its storage. Every write gets the next number of one counter. */
export interface Store {
  /** The number of the last write. */
  readonly resourceVersion: number
  get(resource: ResourceKey, namespace: string, name: string): KubeObject | undefined
  /** All objects of a resource, of one namespace where given, in the order of their keys. */
  list(resource: ResourceKey, namespace?: string): readonly KubeObject[]
  /**
   * Stores an object under its metadata's namespace and name and stamps its resourceVersion.
   * The store owns the object from then on.
   */
  put(resource: ResourceKey, object: KubeObject): KubeObject
  /** Removes an object; the answer is its last state, or undefined where there was none. */
  remove(resource: ResourceKey, namespace: string, name: string, lastState?: KubeObject): KubeObject | undefined
  /** Calls the listener after every write, in order. The answer ends it. */
  subscribe(listener: (event: StoreEvent) => void): () => void
}
