import type { KubeObject } from '../object.ts'
import { isObject } from '../object.ts'
import type { GoField, GoStruct, GoType } from './go-types.ts'
import { structOfKind } from './go-types.ts'
import { forgetEmpty } from './json.ts'
import type { Json } from './json.ts'

/** The fields of a struct at or below which an empty list or map may stand that storage does not tell from none. */
const fragile = new Map<string, readonly GoField[]>()

/**
 * Makes an object what it is after it was stored: protobuf knows no empty lists and maps, so those that Go's tags do not leave
 * out come back as null.
 */
export function settle(o: KubeObject): void {
  const struct = structOfKind(o.apiVersion, o.kind)
  if (struct) settleStruct(struct, o)
  forgetEmpty(o)
}

function settleStruct(struct: GoStruct, o: Json): void {
  for (const field of fragileFields(struct)) {
    const value = o[field.json]
    if (value === undefined || value === null) continue
    if (isNullable(field) && isEmpty(value)) o[field.json] = null
    else settleValue(field.type, value)
  }
}

const isNullable = ({ omitEmpty, type }: GoField): boolean =>
  !omitEmpty && (type.kind === 'slice' || type.kind === 'map')

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0
}

function settleValue(type: GoType, value: unknown): void {
  switch (type.kind) {
    case 'pointer':
      settleValue(type.of, value)
      break
    case 'struct':
      if (isObject(value)) settleStruct(type.of, value)
      break
    case 'slice':
      if (Array.isArray(value)) for (const item of value) settleValue(type.of, item)
      break
    case 'map':
      if (isObject(value)) for (const key of Object.keys(value)) settleValue(type.of, value[key])
      break
    default:
      break
  }
}

function fragileFields(struct: GoStruct): readonly GoField[] {
  const known = fragile.get(struct.name)
  if (known) return known
  const fields = struct.fields.filter((field) => isNullable(field) || reaches(field.type, new Set([struct.name])))
  fragile.set(struct.name, fields)
  return fields
}

function reaches(type: GoType, seen: Set<string>): boolean {
  if (type.kind === 'pointer' || type.kind === 'slice' || type.kind === 'map') return reaches(type.of, seen)
  if (type.kind !== 'struct' || seen.has(type.of.name)) return false
  seen.add(type.of.name)
  return type.of.fields.some((field) => isNullable(field) || reaches(field.type, seen))
}
