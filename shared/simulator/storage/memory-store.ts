import type { KubeObject } from '../object.ts'
import { History } from './history.ts'
import { tableName } from './store.ts'
import type { ResourceKey, Store, StoreEvent, StoreEventType, StoreListener, StoreState } from './store.ts'
import { Table } from './table.ts'

interface Shelf {
  readonly resource: ResourceKey
  readonly table: Table
}

export interface MemoryStoreOptions {
  /** How many writes are kept for watches and paged lists. */
  readonly historySize?: number
}

/**
 * The whole state in memory. Stored objects are never changed, only replaced, so a fork copies maps and shares
 * every object.
 */
export class MemoryStore implements Store {
  #resourceVersion: number
  #shelves = new Map<string, Shelf>()
  #history: History
  readonly #historySize: number
  readonly #listeners = new Set<StoreListener>()
  readonly #undelivered: StoreEvent[] = []
  #delivering = false

  constructor(state: StoreState = { resourceVersion: 0, objects: [] }, options: MemoryStoreOptions = {}) {
    this.#historySize = options.historySize ?? 10_000
    this.#resourceVersion = state.resourceVersion
    this.#history = new History(state.resourceVersion, this.#historySize)
    this.#load(state)
  }

  get resourceVersion(): number {
    return this.#resourceVersion
  }

  get horizon(): number {
    return this.#history.horizon
  }

  get(resource: ResourceKey, namespace: string, name: string): KubeObject | undefined {
    return this.#shelves.get(tableName(resource))?.table.get(keyOf(namespace, name))
  }

  list(resource: ResourceKey, namespace?: string): readonly KubeObject[] {
    return this.#shelves.get(tableName(resource))?.table.list(namespace) ?? []
  }

  listAt(
    resource: ResourceKey,
    namespace: string | undefined,
    resourceVersion: number,
  ): readonly KubeObject[] | undefined {
    const events = this.#history.since(resourceVersion)
    if (events === undefined) return undefined
    const name = tableName(resource)
    const later = events.filter((event) => tableName(event.resource) === name)
    if (later.length === 0) return this.list(resource, namespace)
    const past = this.#shelves.get(name)?.table.copy() ?? new Table()
    for (const event of later.reverse()) {
      const key = keyOf(event.namespace, event.name)
      if (event.previous === undefined) past.delete(key)
      else past.set(key, event.previous)
    }
    return past.list(namespace)
  }

  count(resource: ResourceKey): number {
    return this.#shelves.get(tableName(resource))?.table.size ?? 0
  }

  resources(): readonly ResourceKey[] {
    return [...this.#shelves.values()].map((shelf) => shelf.resource)
  }

  put(resource: ResourceKey, object: KubeObject): KubeObject {
    const { namespace = '', name = '' } = object.metadata
    const table = this.#tableOf(resource)
    const key = keyOf(namespace, name)
    const previous = table.get(key)
    object.metadata.resourceVersion = String(++this.#resourceVersion)
    table.set(key, object)
    this.#commit(previous === undefined ? 'ADDED' : 'MODIFIED', resource, object, previous)
    return object
  }

  remove(resource: ResourceKey, namespace: string, name: string, lastState?: KubeObject): KubeObject | undefined {
    const table = this.#tableOf(resource)
    const previous = table.get(keyOf(namespace, name))
    if (previous === undefined) return undefined
    table.delete(keyOf(namespace, name))
    const last = lastState ?? previous
    const metadata = { ...last.metadata, resourceVersion: String(++this.#resourceVersion) }
    const final: KubeObject = { ...last, metadata }
    this.#commit('DELETED', resource, final, previous)
    return final
  }

  eventsSince(resourceVersion: number): readonly StoreEvent[] | undefined {
    return this.#history.since(resourceVersion)
  }

  /** Forgets history up to `resourceVersion`; watches and pages that need it get 410. */
  compact(resourceVersion: number): void {
    this.#history.compact(resourceVersion)
  }

  subscribe(listener: StoreListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** The present state. Objects are shared, the iterable is a copy: later writes do not show in it. */
  state(): StoreState {
    const shelves = [...this.#shelves.values()].map(({ resource, table }) => ({ resource, table: table.copy() }))
    return { resourceVersion: this.#resourceVersion, objects: stateEntries(shelves) }
  }

  /** A store of its own that starts from the present state; milliseconds for 10,000 objects. */
  fork(): MemoryStore {
    const fork = new MemoryStore({ resourceVersion: this.#resourceVersion, objects: [] }, this.#options())
    for (const [name, { resource, table }] of this.#shelves) {
      fork.#shelves.set(name, { resource, table: table.copy() })
    }
    return fork
  }

  /** Replaces everything. Numbers go on from the higher counter; watches must start over. */
  restore(state: StoreState): void {
    this.#shelves = new Map()
    this.#resourceVersion = Math.max(this.#resourceVersion, state.resourceVersion) + 1
    this.#history = new History(this.#resourceVersion, this.#historySize)
    this.#load(state)
    for (const listener of this.#listeners) listener.replaced?.()
  }

  #options(): MemoryStoreOptions {
    return { historySize: this.#historySize }
  }

  #load(state: StoreState): void {
    for (const [resource, object] of state.objects) {
      const { namespace = '', name = '' } = object.metadata
      this.#tableOf(resource).set(keyOf(namespace, name), object)
    }
  }

  #tableOf(resource: ResourceKey): Table {
    const name = tableName(resource)
    const shelf = this.#shelves.get(name)
    if (shelf !== undefined) return shelf.table
    const table = new Table()
    this.#shelves.set(name, { resource, table })
    return table
  }

  /** A listener that writes makes more events; everybody still hears of them in order. */
  #deliver(): void {
    this.#delivering = true
    try {
      for (let event = this.#undelivered.shift(); event !== undefined; event = this.#undelivered.shift()) {
        for (const listener of this.#listeners) listener.event(event)
      }
    } finally {
      this.#delivering = false
    }
  }

  #commit(type: StoreEventType, resource: ResourceKey, object: KubeObject, previous: KubeObject | undefined): void {
    const { namespace = '', name = '' } = object.metadata
    const resourceVersion = this.#resourceVersion
    const event: StoreEvent = { type, resourceVersion, resource, namespace, name, object, previous }
    this.#history.add(event)
    this.#undelivered.push(event)
    if (!this.#delivering) this.#deliver()
  }
}

function keyOf(namespace: string, name: string): string {
  return namespace === '' ? name : `${namespace}/${name}`
}

function* stateEntries(shelves: readonly Shelf[]): Iterable<readonly [ResourceKey, KubeObject]> {
  for (const { resource, table } of shelves) {
    for (const [, object] of table.entries()) yield [resource, object]
  }
}
