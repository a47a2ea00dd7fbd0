/** Keeps what was used last, up to a total weight. */
export class Lru<K, V> {
  private readonly entries = new Map<K, { readonly value: V; readonly weight: number }>()
  private readonly capacity: number
  private total = 0

  /** @param capacity total weight that is kept; with the default weight of 1 it counts entries. */
  constructor(capacity: number) {
    this.capacity = capacity
  }

  get size(): number {
    return this.entries.size
  }

  get weight(): number {
    return this.total
  }

  get(key: K): V | undefined {
    const entry = this.entries.get(key)
    if (entry === undefined) return undefined
    this.entries.delete(key)
    this.entries.set(key, entry)
    return entry.value
  }

  /** What weighs more than the whole capacity is not kept. */
  set(key: K, value: V, weight = 1): void {
    this.delete(key)
    if (weight > this.capacity) return
    this.entries.set(key, { value, weight })
    this.total += weight
    for (const [oldest] of this.entries) {
      if (this.total <= this.capacity) break
      this.delete(oldest)
    }
  }

  delete(key: K): void {
    const entry = this.entries.get(key)
    if (entry === undefined) return
    this.entries.delete(key)
    this.total -= entry.weight
  }

  clear(): void {
    this.entries.clear()
    this.total = 0
  }
}
