/** JSON data as `JSON.parse` gives it; whole numbers beyond 2^53 may be bigints. Absent is `undefined`, never null. */
export type JsonMap = Record<string, unknown>

export function isMap(value: unknown): value is JsonMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isEmptyMap(map: JsonMap): boolean {
  for (const key in map) if (Object.hasOwn(map, key)) return false
  return true
}

export function isScalar(value: unknown): value is string | number | bigint | boolean {
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'bigint':
    case 'boolean':
      return true
    default:
      return false
  }
}

/** The own property under `key`; a key such as `constructor` never reaches the prototype. */
export function own(map: JsonMap, key: string): unknown {
  return Object.hasOwn(map, key) ? map[key] : undefined
}

/** Sets an own property; a key such as `__proto__` stays data. */
export function setOwn(map: JsonMap, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(map, key, { value, enumerable: true, configurable: true, writable: true })
  } else map[key] = value
}

/** A deep copy that its owner may change. */
export function copyOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(copyOf)
  const copy: JsonMap = {}
  for (const key of Object.keys(value)) setOwn(copy, key, copyOf((value as JsonMap)[key]))
  return copy
}

function sameNumber(a: number | bigint, b: unknown): boolean {
  if (typeof b !== 'number' && typeof b !== 'bigint') return false
  return typeof a === typeof b ? a === b : exact(a) === exact(b)
}

function exact(value: number | bigint): bigint | number {
  if (typeof value === 'bigint') return value
  return Number.isInteger(value) ? BigInt(value) : Number.NaN
}

/** Deep equality of JSON data: order of keys does not count, 1 and 1n are equal. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a === 'number' || typeof a === 'bigint') return sameNumber(a, b)
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a)) return Array.isArray(b) && sameList(a, b)
  if (Array.isArray(b)) return false
  const keys = Object.keys(a)
  if (keys.length !== Object.keys(b).length) return false
  for (const key of keys) {
    if (!Object.hasOwn(b, key) || !sameValue((a as JsonMap)[key], (b as JsonMap)[key])) return false
  }
  return true
}

function sameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (!sameValue(a[i], b[i])) return false
  return true
}

/** Orders strings as Go does, by their UTF-8 bytes; UTF-16 order differs once a surrogate meets U+E000 or above. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const left = a.charCodeAt(i)
    const right = b.charCodeAt(i)
    if (left === right) continue
    const leftHigh = left >= 0xd800 && left <= 0xdfff
    const rightHigh = right >= 0xd800 && right <= 0xdfff
    if (leftHigh !== rightHigh) return leftHigh ? 1 : -1
    return left < right ? -1 : 1
  }
  return a.length < b.length ? -1 : 1
}

const rankOf = (value: unknown): number => {
  if (typeof value === 'number' || typeof value === 'bigint') return 0
  if (typeof value === 'string') return 1
  if (typeof value === 'boolean') return 2
  if (Array.isArray(value)) return 3
  return value === null ? 5 : 4
}

/** A total order of JSON values of any kind: numbers, strings, booleans, lists, maps, null. */
export function compareOrder(a: unknown, b: unknown): number {
  const rank = rankOf(a) - rankOf(b)
  if (rank !== 0) return rank
  if (typeof a === 'string') return compareText(a, b as string)
  if (a === b || a === null) return 0
  if (Array.isArray(a)) return compareLists(a, b as unknown[])
  if (typeof a === 'object') return compareMaps(a as JsonMap, b as JsonMap)
  return (a as number) < (b as number) ? -1 : 1
}

function compareLists(a: readonly unknown[], b: readonly unknown[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const order = compareOrder(a[i], b[i])
    if (order !== 0) return order
  }
  return a.length - b.length
}

function compareMaps(a: JsonMap, b: JsonMap): number {
  const left = Object.keys(a).sort(compareText)
  const right = Object.keys(b).sort(compareText)
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const leftKey = left[i] ?? ''
    const order = compareText(leftKey, right[i] ?? '') || compareOrder(a[leftKey], b[leftKey])
    if (order !== 0) return order
  }
  return left.length - right.length
}
