import { fieldType, type Schema } from '../fields/schema.ts'
import { isArray, isObject, type Json } from '../model/json.ts'

/**
 * The value without fields that its type does not declare. What a server does to them when it is told not to validate; an
 * apply cannot be told, since it has to know the type of each field.
 */
export function knownFields(value: Json, schema: Schema): Json {
  if (isObject(value) && schema.map !== undefined) {
    const { map } = schema
    const kept = Object.entries(value).flatMap(([key, item]) => {
      const type = map.fields.get(key)?.schema ?? map.element
      if (type === undefined) return []
      return [[key, item === undefined ? item : knownFields(item, fieldType(map, key) ?? type)] as const]
    })
    return Object.fromEntries(kept)
  }
  const { list } = schema
  return isArray(value) && list !== undefined ? value.map((item) => knownFields(item, list.element)) : value
}
