import { isObject, privateCopy, setOwn } from '../object.ts'
import type { JsonObject } from '../object.ts'
import type { Structural } from './structural.ts'
import { childSchema } from './structural.ts'

/**
 * The value with its schema's defaults, and without the nulls that a field which takes none would not keep
 * (apiextensions `pkg/apiserver/schema/defaulting`); the same value where nothing changes.
 */
export function withDefaults(value: unknown, schema: Structural, keepNulls = false): unknown {
  if (Array.isArray(value)) return listWithDefaults(value, schema, keepNulls)
  if (!isObject(value)) return value
  let copy: JsonObject | undefined
  const writable = (): JsonObject => (copy ??= { ...value })
  for (const [name, child] of schema.properties) {
    if (child.default === undefined) continue
    const present = Object.hasOwn(value, name) && (value[name] !== null || child.nullable)
    if (!present) setOwn(writable(), name, privateCopy(child.default))
  }
  for (const key of Object.keys(copy ?? value)) {
    const known = childSchema(schema, key)
    if (known === undefined) continue
    const before = (copy ?? value)[key]
    if (before === null && !known.nullable && !takesAnything(known)) {
      if (known.default === undefined && !keepNulls) delete writable()[key]
      continue
    }
    const after = withDefaults(before, known, keepNulls)
    if (after !== before) setOwn(writable(), key, after)
  }
  return copy ?? value
}

function listWithDefaults(value: readonly unknown[], { items }: Structural, keepNulls: boolean): unknown {
  if (items === undefined) return value
  let changed = false
  const next = value.map((item) => {
    const filled = withDefaults(item, items, keepNulls)
    if (filled !== item) changed = true
    return filled
  })
  return changed ? next : value
}

/** Content without a type may be null. */
function takesAnything({ type, intOrString, preserveUnknown }: Structural): boolean {
  return type === '' && !intOrString && preserveUnknown
}
