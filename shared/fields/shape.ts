import { keyElement, singleKeyElement, valueElement } from './path.ts'
import type { KeyField, PathElement } from './path.ts'
import { quoted } from './go-format.ts'
import type { ListSchema, Schema } from './schema.ts'
import { compareText, isMap, isScalar, own } from './value.ts'
import type { JsonMap } from './value.ts'

/** The shape under which a type handles a value. */
export type Shape = 'map' | 'scalar' | 'list' | 'none'

/**
 * The shape of the type that fits the value; where none fits, and for null and absent values, the type's first shape, so that what
 * follows reports the mismatch (SMD typed/helpers.go).
 */
export function shapeOf(schema: Schema, value: unknown): Shape {
  const fitting = fittingShape(schema, value)
  if (fitting !== undefined) return fitting
  if (schema.map !== undefined) return 'map'
  if (schema.scalar !== undefined) return 'scalar'
  return schema.list === undefined ? 'none' : 'list'
}

/** The shape that fits the value, or undefined. */
export function fittingShape(schema: Schema, value: unknown): Shape | undefined {
  if (isMap(value)) return schema.map === undefined ? undefined : 'map'
  if (Array.isArray(value)) return schema.list === undefined ? undefined : 'list'
  return schema.scalar !== undefined && isScalar(value) ? 'scalar' : undefined
}

/** True where the type allows one shape only, so that every value is handled alike. */
export function hasOneShape(schema: Schema): boolean {
  return (
    (schema.map === undefined ? 0 : 1) + (schema.list === undefined ? 0 : 1) + (schema.scalar === undefined ? 0 : 1) ===
    1
  )
}

/** Why an item has no name in its list. */
export interface ItemProblem {
  readonly problem: string
}

/** How an item of an associative list is named: by its keys or, in a set, by its value. */
export function itemElement(list: ListSchema, item: unknown): PathElement | ItemProblem {
  if (list.keys.length > 0) return keyedElement(list, item)
  if (isScalar(item)) return valueElement(item)
  if (item === null || item === undefined) {
    return { problem: "associative list without keys has an element that's an explicit null" }
  }
  return Array.isArray(item)
    ? { problem: 'not supported: associative list with lists as elements' }
    : { problem: "associative list without keys has an element that's a map type" }
}

function keyedElement(list: ListSchema, item: unknown): PathElement | ItemProblem {
  if (item === null || item === undefined) return { problem: 'associative list with keys may not have a null element' }
  if (!isMap(item)) return { problem: 'associative list with keys may not have non-map elements' }
  const [first] = list.keys
  if (list.keys.length === 1 && first !== undefined) {
    const value = own(item, first)
    if (value !== undefined) return singleKeyElement(first, value)
  }
  return manyKeysElement(list, item)
}

/** Absent keys without a default are left out: such an item is another than one that names them. */
function manyKeysElement(list: ListSchema, item: JsonMap): PathElement | ItemProblem {
  const fields: KeyField[] = []
  for (const name of list.keys) {
    let value = own(item, name)
    if (value === undefined) {
      const { map } = list.element
      if (map === undefined) {
        return { problem: `couldn't find default value for ${name}: associative list may not have non-map types` }
      }
      value = map.fields.get(name)?.default
    }
    if (value !== undefined) fields.push({ name, value })
  }
  if (fields.length === 0) {
    const names = list.keys.map(quoted).join(' ')
    return {
      problem: `associative list with keys has an element that omits all key fields [${names}] (and doesn't have default values for any key fields)`,
    }
  }
  return keyElement(fields.sort((a, b) => compareText(a.name, b.name)))
}
