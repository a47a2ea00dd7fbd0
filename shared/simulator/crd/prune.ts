import { isObject, setOwn } from '../object.ts'
import type { JsonObject } from '../object.ts'
import type { Structural } from './structural.ts'

const typeFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata'])

/**
 * The value without the fields that its schema does not know (apiextensions `pkg/apiserver/schema/pruning`); the same
 * value where nothing goes. `unknown` gathers the paths of what went.
 */
export function pruned(value: unknown, schema: Structural, unknown: string[], path = '', isResource = false): unknown {
  if (Array.isArray(value)) return prunedList(value, schema, unknown, path)
  if (!isObject(value)) return value
  let copy: JsonObject | undefined
  for (const [key, child] of Object.entries(value)) {
    const at = path === '' ? key : `${path}.${key}`
    if ((isResource || schema.embeddedResource) && typeFields.has(key)) {
      continue
    }
    const known = keyedSchema(schema, key)
    if (known === undefined && !schema.preserveUnknown && schema.additional !== true) {
      copy ??= { ...value }
      delete copy[key]
      unknown.push(at)
      continue
    }
    const kept = known === undefined ? child : pruned(child, known, unknown, at)
    if (kept === child) continue
    copy ??= { ...value }
    setOwn(copy, key, kept)
  }
  return copy ?? value
}

function prunedList(value: readonly unknown[], schema: Structural, unknown: string[], path: string): unknown {
  const { items } = schema
  if (items === undefined) return value
  let changed = false
  const kept = value.map((item, i) => {
    const next = pruned(item, items, unknown, `${path}[${i}]`)
    if (next !== item) changed = true
    return next
  })
  return changed ? kept : value
}

function keyedSchema(schema: Structural, key: string): Structural | undefined {
  return schema.properties.get(key) ?? (typeof schema.additional === 'object' ? schema.additional : undefined)
}
