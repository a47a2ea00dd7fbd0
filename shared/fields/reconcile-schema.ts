import { FieldSet } from './field-set.ts'
import { fieldName } from './path.ts'
import { deducedSchema, fieldType } from './schema.ts'
import type { MapSchema, Schema } from './schema.ts'

/**
 * A stored set brought up to a type that has since changed (SMD typed/reconcile_schema.go): where a container became atomic, its
 * owner now owns it whole. What became granular stays as it was. Returns the same set where nothing changes.
 */
export function reconcileWithSchema(set: FieldSet, schema: Schema): FieldSet {
  return children(set, schema)
}

function node(entry: FieldSet, schema: Schema | undefined): FieldSet {
  if (schema === undefined || entry.entries.size === 0) return entry
  const { map, list, scalar } = schema
  if (map !== undefined) {
    if (isDeduced(map)) return entry
    if (map.relationship === 'atomic') return FieldSet.leaf
  } else if (scalar === undefined && list?.relationship === 'atomic') return FieldSet.leaf
  return children(entry, schema)
}

function children(set: FieldSet, schema: Schema): FieldSet {
  const { map, list, scalar } = schema
  if (map !== undefined) {
    if (isDeduced(map)) return set
    return set.mapChildren((entry, element) => {
      const name = fieldName(element)
      return node(entry, name === undefined ? map.element : fieldType(map, name))
    })
  }
  if (scalar !== undefined || list === undefined) return set
  return set.mapChildren((entry) => node(entry, list.element))
}

/** A map of anything: types made up from values have no markers to follow. */
function isDeduced(map: MapSchema): boolean {
  const { element } = map
  if (map.fields.size > 0 || element === undefined) return false
  return element === deducedSchema || (element.name === '' && element.scalar === 'untyped')
}
