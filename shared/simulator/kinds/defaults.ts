import type { KubeObject } from '../object.ts'
import { isObject } from '../object.ts'
import { coreDefaults } from './core-defaults.ts'
import type { GoField, GoStruct, GoType } from './go-types.ts'
import { structOfKind } from './go-types.ts'
import type { Json } from './json.ts'
import { otherDefaults } from './other-defaults.ts'
import { formatQuantity, parseQuantity, roundUp } from '../../fields/quantity.ts'

/** Fills one struct, in place. The struct's own fields only: those below it follow from its fields' types. */
export type StructDefault = (o: Json) => void

const byStruct = new Map<string, StructDefault>([...Object.entries(coreDefaults), ...Object.entries(otherDefaults)])

/** The fields of a struct below which something is defaulted. */
const reaching = new Map<string, readonly GoField[]>()

/**
 * Defaults an object in canonical form, in place, as the generated `SetObjectDefaults_<Kind>` do: a struct before its fields.
 */
export function setDefaults(o: KubeObject): void {
  const struct = structOfKind(o.apiVersion, o.kind)
  if (struct) defaultStruct(struct, o)
}

/** The same for a value of a named struct, such as a pod template. */
export function defaultStruct(struct: GoStruct, o: Json): void {
  byStruct.get(struct.name)?.(o)
  for (const field of fieldsToVisit(struct)) defaultValue(field.type, o[field.json])
}

function defaultValue(type: GoType, value: unknown): void {
  if (value === undefined || value === null) return
  switch (type.kind) {
    case 'pointer':
      defaultValue(type.of, value)
      break
    case 'struct':
      if (isObject(value)) defaultStruct(type.of, value)
      break
    case 'slice':
      if (Array.isArray(value)) for (const item of value) defaultValue(type.of, item)
      break
    case 'map':
      if (!isObject(value)) break
      if (type.name === 'v1.ResourceList') roundAmounts(value)
      else for (const key of Object.keys(value)) defaultValue(type.of, value[key])
      break
    default:
      break
  }
}

function roundAmounts(amounts: Json): void {
  for (const [name, text] of Object.entries(amounts)) {
    const read = parseQuantity(String(text))
    if (read.exponent < -3) amounts[name] = formatQuantity(roundUp(read, -3))
  }
}

function fieldsToVisit(struct: GoStruct): readonly GoField[] {
  const known = reaching.get(struct.name)
  if (known) return known
  const fields = struct.fields.filter((field) => reaches(field.type, new Set([struct.name])))
  reaching.set(struct.name, fields)
  return fields
}

function reaches(type: GoType, seen: Set<string>): boolean {
  switch (type.kind) {
    case 'pointer':
    case 'slice':
      return reaches(type.of, seen)
    case 'map':
      return type.name === 'v1.ResourceList' || reaches(type.of, seen)
    case 'struct':
      if (byStruct.has(type.of.name)) return true
      if (seen.has(type.of.name)) return false
      seen.add(type.of.name)
      return type.of.fields.some((field) => reaches(field.type, seen))
    default:
      return false
  }
}
