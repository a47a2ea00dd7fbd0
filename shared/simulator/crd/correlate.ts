import { isObject, sameJson } from '../object.ts'
import type { JsonObject } from '../object.ts'
import type { Structural } from './structural.ts'

/** The keys of an item of a keyed list, absent ones filled with their defaults. */
export function itemKeys({ listMapKeys, items }: Structural, item: JsonObject): JsonObject {
  const keys: JsonObject = {}
  for (const key of listMapKeys) {
    const value = Object.hasOwn(item, key) ? item[key] : items?.properties.get(key)?.default
    if (value !== undefined) keys[key] = value
  }
  return keys
}

/** The item of an earlier list that is the same one by its keys; undefined where the list has none or is not keyed. */
export function correlatedItem(schema: Structural, item: unknown, before: unknown): unknown {
  if (schema.listType !== 'map' || !isObject(item) || !Array.isArray(before)) return undefined
  const keys = itemKeys(schema, item)
  return before.find((candidate) => isObject(candidate) && sameJson(itemKeys(schema, candidate), keys))
}
