import type { Json } from '../../model/json.ts'
import { fromPointer } from '../../model/pointer.ts'

/** Pointer steps are strings; against the object, those that meet a list are its indices. */
export function stepsOf(pointer: string, object: Json): readonly (string | number)[] {
  let here: unknown = object
  return fromPointer(pointer).map((step) => {
    const index = Array.isArray(here) ? Number(step) : step
    here = (here as Record<string | number, unknown> | undefined)?.[index]
    return index
  })
}
