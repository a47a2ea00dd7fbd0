import { isObject } from '../object.ts'
import { hasNotedEmpty } from './json.ts'

/**
 * Whether two values are the same to Kubernetes: an empty list is no list, and an empty map no map
 * (`equality.Semantic.DeepEqual`). An empty object where the other side has null is a map.
 */
export function sameMeaning(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (isNone(a) || isNone(b)) return isNone(a) && isNone(b)
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false
    return a.every((item, i) => sameMeaning(item, b[i]))
  }
  if (!isObject(a) || !isObject(b)) return false
  for (const key of Object.keys(a)) if (!sameField(a, b, key)) return false
  return Object.keys(b).every((key) => Object.hasOwn(a, key) || isNone(b[key]))
}

function sameField(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>, key: string): boolean {
  return Object.hasOwn(b, key) ? sameMeaning(a[key], b[key]) : isNone(a[key])
}

function isNone(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0)
}

/**
 * Whether two values are the same to Go (`reflect.DeepEqual`), the second being as it was read from storage, which knows no
 * empty lists and maps: one that was given in the first is a difference.
 */
export function sameGiven(given: unknown, stored: unknown): boolean {
  return sameMeaning(given, stored) && !holdsEmpty(given)
}

function holdsEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0 || value.some(holdsEmpty)
  if (!isObject(value)) return false
  return hasNotedEmpty(value) || Object.values(value).some(holdsEmpty)
}
