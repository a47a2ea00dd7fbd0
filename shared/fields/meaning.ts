import { sameQuantity } from './quantity.ts'
import { fieldType } from './schema.ts'
import type { EmptyRule, MapSchema, Schema } from './schema.ts'
import { fittingShape } from './shape.ts'
import { isMap, own, sameValue } from './value.ts'
import type { JsonMap } from './value.ts'

/** Whether a value stands for an absent field: null, and what the API type drops, or would fill in anyway. */
export function meansNothing(value: unknown, empty: EmptyRule | undefined): boolean {
  if (value === undefined || value === null) return true
  if (empty === undefined || empty === 'dropped-when-null') return false
  if (Array.isArray(value)) return value.length === 0
  if (isMap(value)) return Object.keys(value).length === 0
  return value === '' || value === 0 || value === false
}

/** Deep equality by meaning: quantities by amount, times by instant, absent as `meansNothing` has it. */
export function sameMeaning(schema: Schema | undefined, a: unknown, b: unknown): boolean {
  if (a === b) return true
  const shape = schema === undefined ? undefined : fittingShape(schema, a)
  if (shape === 'map' && schema?.map !== undefined && isMap(a) && isMap(b)) return sameMaps(schema.map, a, b)
  if (shape === 'list' && Array.isArray(a)) {
    const element = schema?.list?.element
    return Array.isArray(b) && a.length === b.length && a.every((item, i) => sameMeaning(element, item, b[i]))
  }
  return sameScalar(schema?.format, a, b)
}

function sameMaps(map: MapSchema, a: JsonMap, b: JsonMap): boolean {
  for (const key of Object.keys(a)) if (!sameField(map, key, a[key], own(b, key))) return false
  for (const key of Object.keys(b)) if (!Object.hasOwn(a, key) && !sameField(map, key, undefined, b[key])) return false
  return true
}

function sameField(map: MapSchema, key: string, a: unknown, b: unknown): boolean {
  const empty = map.fields.get(key)?.empty
  if (meansNothing(a, empty) && meansNothing(b, empty)) return true
  return a !== undefined && b !== undefined && sameMeaning(fieldType(map, key), a, b)
}

function sameScalar(format: string | undefined, a: unknown, b: unknown): boolean {
  switch (format) {
    case 'quantity':
      return isAmount(a) && isAmount(b) ? sameQuantity(a, b) : sameValue(a, b)
    case 'date-time':
      return typeof a === 'string' && typeof b === 'string' && Date.parse(a) === Date.parse(b)
    default:
      return sameValue(a, b)
  }
}

function isAmount(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}
