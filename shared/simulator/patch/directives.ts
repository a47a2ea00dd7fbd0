import { badRequest } from '../errors.ts'
import type { StatusError } from '../errors.ts'
import { isObject } from '../object.ts'

export const directive = '$patch'
export const retainKeys = '$retainKeys'
/** Prefixes of `$deleteFromPrimitiveList/finalizers` and `$setElementOrder/containers`. */
export const deleteList = '$deleteFromPrimitiveList'
export const elementOrder = '$setElementOrder'

export function badFormat(what: string): StatusError {
  return badRequest(`invalid patch format of ${what}`)
}

/** A new value without the maps that carry `$patch`; undefined where the value is one. Changes the value, which is private. */
export function withoutDirectives(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDirectives).filter((item) => item !== undefined)
  if (!isObject(value)) return value
  if (Object.hasOwn(value, directive)) return undefined
  for (const key of Object.keys(value)) {
    const kept = withoutDirectives(value[key])
    if (kept === undefined) delete value[key]
    else if (kept !== value[key]) value[key] = kept
  }
  return value
}

/** A new value without keys that are null; items that are null stay. Changes the value, which is private. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) for (const item of value) withoutNulls(item)
  else if (isObject(value)) {
    for (const key of Object.keys(value)) {
      if (value[key] === null) delete value[key]
      else withoutNulls(value[key])
    }
  }
  return value
}
