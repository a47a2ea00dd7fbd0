import { FieldSet } from './field-set.ts'
import { fieldElement } from './path.ts'
import type { PathElement } from './path.ts'
import { fieldType } from './schema.ts'
import type { ListSchema, MapSchema, Schema } from './schema.ts'
import { itemElement, shapeOf } from './shape.ts'
import { guardDepth } from './typed-error.ts'
import { isEmptyMap, isMap } from './value.ts'
import type { JsonMap } from './value.ts'

/**
 * The paths that a value names: its scalars, atomic containers, items of associative lists, keys that its type does not declare,
 * nulls and empty maps. Parents that are declared fields are not members (SMD typed/tofieldset.go). The value should fit the type;
 * what does not is counted as one path.
 */
export function fieldSetOf(value: unknown, schema: Schema): FieldSet {
  const set = guardDepth(() => setOf(schema, value))
  return set.self ? new FieldSet(false, set.entries) : set
}

function setOf(schema: Schema, value: unknown): FieldSet {
  switch (shapeOf(schema, value)) {
    case 'map':
      if (schema.map?.relationship === 'atomic') return FieldSet.leaf
      return schema.map !== undefined && isMap(value) ? setOfMap(schema.map, value) : FieldSet.empty
    case 'list':
      if (schema.list?.relationship === 'atomic') return FieldSet.leaf
      return schema.list !== undefined && Array.isArray(value) ? setOfList(schema.list, value) : FieldSet.empty
    default:
      return FieldSet.leaf
  }
}

function asMember(set: FieldSet): FieldSet {
  if (set.self) return set
  return set.entries.size === 0 ? FieldSet.leaf : new FieldSet(true, set.entries)
}

function setOfMap(map: MapSchema, value: JsonMap): FieldSet {
  const entries = new Map<PathElement, FieldSet>()
  for (const key of Object.keys(value)) {
    const item = value[key]
    if (item === undefined) continue
    const type = fieldType(map, key)
    let set = type === undefined ? FieldSet.leaf : setOf(type, item)
    if (item === null || !map.fields.has(key) || (isMap(item) && isEmptyMap(item))) set = asMember(set)
    if (set.self || set.entries.size > 0) entries.set(fieldElement(key), set)
  }
  return entries.size === 0 ? FieldSet.empty : new FieldSet(false, entries)
}

/** Items that are there more than once are members as a whole, with nothing below them. */
function setOfList(list: ListSchema, items: readonly unknown[]): FieldSet {
  const entries = new Map<PathElement, FieldSet>()
  for (const item of items) {
    const element = itemElement(list, item)
    if (typeof element !== 'string') continue
    entries.set(element, entries.has(element) ? FieldSet.leaf : asMember(setOf(list.element, item)))
  }
  return entries.size === 0 ? FieldSet.empty : new FieldSet(false, entries)
}
