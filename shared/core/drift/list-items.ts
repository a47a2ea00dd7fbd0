import type { PathElement } from '../../fields/path.ts'
import type { ListSchema } from '../../fields/schema.ts'
import { itemElement } from '../../fields/shape.ts'
import type { Json } from '../../model/json.ts'

/** How an item of a keyed list or a set is named; undefined for one that has no name (it lacks its keys). */
export function itemName(list: ListSchema, item: Json): PathElement | undefined {
  const element = itemElement(list, item)
  return typeof element === 'string' ? element : undefined
}
