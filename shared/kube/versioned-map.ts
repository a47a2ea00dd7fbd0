/** A look at a `VersionedMap` that later writes leave alone. */
export interface MapSnapshot<V> {
  get(key: string): V | undefined
  values(): readonly V[]
}

/** Below this many changes a copy of them costs nothing worth saving. */
const smallDelta = 64

/**
 * A map with cheap snapshots: a snapshot shares the large base and the few changes since it was made. A write after a
 * snapshot copies the changes, not the map; once the changes are many they become a new base.
 */
export class VersionedMap<V> {
  private base = new Map<string, V>()
  private delta = new Map<string, V | undefined>()
  private baseShared = false
  private deltaShared = false

  get(key: string): V | undefined {
    return lookUp(this.base, this.delta, key)
  }

  set(key: string, value: V): void {
    if (this.makeWritable()) this.base.set(key, value)
    else this.delta.set(key, value)
  }

  delete(key: string): void {
    if (this.get(key) === undefined) return
    if (this.makeWritable()) this.base.delete(key)
    else this.delta.set(key, undefined)
  }

  keys(): readonly string[] {
    if (this.delta.size === 0) return [...this.base.keys()]
    return [...merged(this.base, this.delta).keys()]
  }

  snapshot(): MapSnapshot<V> {
    this.baseShared = true
    this.deltaShared = true
    const { base, delta } = this
    let values: readonly V[] | undefined
    return {
      get: (key) => lookUp(base, delta, key),
      values: () => (values ??= [...(delta.size === 0 ? base : merged(base, delta)).values()]),
    }
  }

  /** @returns whether writes go to the base. */
  private makeWritable(): boolean {
    if (!this.baseShared) return true
    if (!this.deltaShared) return false
    if (this.delta.size < Math.max(smallDelta, this.base.size / 16)) {
      this.delta = new Map(this.delta)
    } else {
      this.base = merged(this.base, this.delta)
      this.delta = new Map()
      this.baseShared = false
    }
    this.deltaShared = false
    return !this.baseShared
  }
}

function lookUp<V>(
  base: ReadonlyMap<string, V>,
  delta: ReadonlyMap<string, V | undefined>,
  key: string,
): V | undefined {
  const changed = delta.get(key)
  if (changed !== undefined || delta.has(key)) return changed
  return base.get(key)
}

function merged<V>(base: ReadonlyMap<string, V>, delta: ReadonlyMap<string, V | undefined>): Map<string, V> {
  const result = new Map(base)
  for (const [key, value] of delta) {
    if (value === undefined) result.delete(key)
    else result.set(key, value)
  }
  return result
}
