import type { PathElement } from '../../fields/path.ts'
import { fieldType, untypedAtomic, type ListSchema, type Schema } from '../../fields/schema.ts'
import { itemElement } from '../../fields/shape.ts'
import { isArray, isObject, type Json } from '../../model/json.ts'

/** How an item of a keyed list or a set is named; undefined for one that has no name (it lacks its keys). */
export function itemName(list: ListSchema, item: Json): PathElement | undefined {
  const element = itemElement(list, item)
  return typeof element === 'string' ? element : undefined
}

/** One step down from a value: what a field set's element names, where JSON has it, and its type. */
export function childAt(
  value: Json,
  schema: Schema,
  element: PathElement,
): { readonly step: string | number; readonly value: Json; readonly schema: Schema } | undefined {
  const { list, map } = schema
  if (isObject(value) && element.startsWith('f:')) {
    const step = element.slice(2)
    const found = Object.hasOwn(value, step) ? value[step] : undefined
    const type = (map === undefined ? undefined : fieldType(map, step)) ?? untypedAtomic
    return found === undefined ? undefined : { step, value: found, schema: type }
  }
  if (!isArray(value) || list === undefined) return undefined
  const step = value.findIndex((item) => itemName(list, item) === element)
  const found = value[step]
  return found === undefined ? undefined : { step, value: found, schema: list.element }
}
