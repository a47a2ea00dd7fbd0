import type { PathElement } from '../../fields/path.ts'
import { deducedSchema, fieldType, untypedAtomic, type Schema } from '../../fields/schema.ts'
import { isArray, isObject, type Json } from '../../model/json.ts'
import { itemName } from './list-items.ts'

/** The value at a place spelled as in `managedFields`, with its type; undefined where the object lacks it. */
export function resolveElements(
  object: Json,
  schema: Schema | undefined,
  elements: readonly PathElement[],
): { readonly value: Json; readonly schema: Schema } | undefined {
  let here: Json | undefined = object
  let type = schema ?? deducedSchema
  for (const element of elements) {
    const { list, map }: Schema = type
    if (isObject(here) && element.startsWith('f:')) {
      const name = element.slice(2)
      here = Object.hasOwn(here, name) ? here[name] : undefined
      type = (map === undefined ? undefined : fieldType(map, name)) ?? untypedAtomic
    } else if (isArray(here) && list !== undefined) {
      here = here.find((item) => itemName(list, item) === element)
      type = list.element
    } else return undefined
    if (here === undefined) return undefined
  }
  return here === undefined ? undefined : { value: here, schema: type }
}
