import type { KubeObject } from '../object.ts'

/**
 * The objects of one resource by key (`namespace/name`, or `name` for cluster scope), with their keys in order.
 * Objects are never changed, so a copy shares them all.
 */
export class Table {
  readonly #objects: Map<string, KubeObject>
  // Sorted on the first list, then kept in order by insertion; undefined while nobody lists.
  #keys: string[] | undefined

  constructor(objects: Iterable<readonly [string, KubeObject]> = [], keys?: readonly string[]) {
    this.#objects = new Map(objects)
    this.#keys = keys?.slice()
  }

  get size(): number {
    return this.#objects.size
  }

  get(key: string): KubeObject | undefined {
    return this.#objects.get(key)
  }

  set(key: string, object: KubeObject): void {
    if (this.#keys !== undefined && !this.#objects.has(key)) {
      this.#keys.splice(lowerBound(this.#keys, key), 0, key)
    }
    this.#objects.set(key, object)
  }

  delete(key: string): void {
    if (!this.#objects.delete(key) || this.#keys === undefined) return
    this.#keys.splice(lowerBound(this.#keys, key), 1)
  }

  entries(): Iterable<[string, KubeObject]> {
    return this.#objects.entries()
  }

  /** Objects in key order, of one namespace where given. */
  list(namespace: string | undefined): KubeObject[] {
    const keys = this.#sortedKeys()
    const from = namespace === undefined ? 0 : lowerBound(keys, `${namespace}/`)
    // '0' is the character after '/'.
    const to = namespace === undefined ? keys.length : lowerBound(keys, `${namespace}0`)
    const found: KubeObject[] = []
    for (let i = from; i < to; i++) {
      const object = this.#objects.get(keys[i] ?? '')
      if (object !== undefined) found.push(object)
    }
    return found
  }

  copy(): Table {
    return new Table(this.#objects, this.#keys)
  }

  #sortedKeys(): readonly string[] {
    this.#keys ??= [...this.#objects.keys()].sort()
    return this.#keys
  }
}

/** The first index whose key is not before `key`. */
function lowerBound(keys: readonly string[], key: string): number {
  let low = 0
  let high = keys.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((keys[middle] ?? '') < key) low = middle + 1
    else high = middle
  }
  return low
}
