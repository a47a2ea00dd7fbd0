import type { StoreEvent } from './store.ts'

/** The latest writes, oldest first, for watches that resume and for lists of the recent past. */
export class History {
  #events: StoreEvent[] = []
  #horizon: number
  readonly #capacity: number

  /** `horizon` is the resourceVersion before the first event that can ever be asked for. */
  constructor(horizon: number, capacity: number) {
    this.#horizon = horizon
    this.#capacity = capacity
  }

  /** Events after this resourceVersion are all kept. */
  get horizon(): number {
    return this.#horizon
  }

  add(event: StoreEvent): void {
    this.#events.push(event)
    // Dropping in halves keeps the cost of a write constant.
    if (this.#events.length >= this.#capacity * 2) this.#drop(this.#events.length - this.#capacity)
  }

  /** Events after `resourceVersion`, or undefined where some of them are no longer kept. */
  since(resourceVersion: number): readonly StoreEvent[] | undefined {
    if (resourceVersion < this.#horizon) return undefined
    return this.#events.slice(this.#firstAfter(resourceVersion))
  }

  /** Forgets everything up to and including `resourceVersion`, as etcd's compaction does. */
  compact(resourceVersion: number): void {
    this.#drop(this.#firstAfter(resourceVersion))
    this.#horizon = Math.max(this.#horizon, resourceVersion)
  }

  #drop(count: number): void {
    const last = this.#events[count - 1]
    if (last === undefined) return
    this.#horizon = last.resourceVersion
    this.#events = this.#events.slice(count)
  }

  #firstAfter(resourceVersion: number): number {
    let low = 0
    let high = this.#events.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#events[middle]?.resourceVersion ?? 0) <= resourceVersion) low = middle + 1
      else high = middle
    }
    return low
  }
}
