import type { PathElement } from '../../fields/path.ts'
import { deducedSchema, type Schema } from '../../fields/schema.ts'
import type { Json } from '../../model/json.ts'
import { childAt } from './list-items.ts'

/** The value at a place spelled as in `managedFields`, with its type; undefined where the object lacks it. */
export function resolveElements(
  object: Json,
  schema: Schema | undefined,
  elements: readonly PathElement[],
): { readonly value: Json; readonly schema: Schema } | undefined {
  let here: { readonly value: Json; readonly schema: Schema } = { value: object, schema: schema ?? deducedSchema }
  for (const element of elements) {
    const below = childAt(here.value, here.schema, element)
    if (below === undefined) return undefined
    here = below
  }
  return here
}
