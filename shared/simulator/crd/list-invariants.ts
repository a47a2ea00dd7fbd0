import { duplicate } from '../kinds/field-error.ts'
import type { FieldError } from '../kinds/field-error.ts'
import { isObject } from '../object.ts'
import { itemKeys } from './correlate.ts'
import type { Structural } from './structural.ts'
import { childSchema } from './structural.ts'

/** Double items of sets and keyed lists (apiextensions `pkg/apiserver/schema/listtype`). */
export function listInvariants(value: unknown, schema: Structural, path = ''): FieldError[] {
  if (!schema.hasKeyedLists) return []
  if (Array.isArray(value)) {
    const { items } = schema
    const inner = items === undefined ? [] : value.flatMap((item, i) => listInvariants(item, items, `${path}[${i}]`))
    return [...doubles(value, schema, path), ...inner]
  }
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, child]) => {
    const known = childSchema(schema, key)
    return known === undefined ? [] : listInvariants(child, known, path === '' ? key : `${path}.${key}`)
  })
}

function doubles(value: readonly unknown[], schema: Structural, path: string): FieldError[] {
  if (schema.listType !== 'set' && schema.listType !== 'map') return []
  const seen = new Set<string>()
  const errors: FieldError[] = []
  for (const [i, item] of value.entries()) {
    const identity = schema.listType === 'map' && isObject(item) ? itemKeys(schema, item) : item
    const text = canonicalText(identity)
    if (seen.has(text)) errors.push(duplicate(`${path}[${i}]`, identity))
    seen.add(text)
  }
  return errors
}

/** Equal values, equal texts: keys in order. */
function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value) ?? 'null'
  const parts = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalText(value[key])}`)
  return `{${parts.join(',')}}`
}
