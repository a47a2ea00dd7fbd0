import { encodeFieldsV1 } from '../../fields/fields-v1.ts'
import { fieldSetOf } from '../../fields/object-set.ts'
import { deducedSchema, fieldType, untypedAtomic, type Schema } from '../../fields/schema.ts'
import { isArray, isObject, type Json } from '../../model/json.ts'
import type { KubeObject } from '../../model/kubernetes.ts'
import type { LiveObject } from '../../model/live.ts'
import type { FieldsV1 } from '../../model/managed-fields.ts'
import { sameMeaning } from './differences.ts'
import { itemName } from './list-items.ts'
import { isOurs } from './trust.ts'

/**
 * Whether an apply of `sent` is known to change nothing, without asking: our last apply set exactly the fields that it
 * would set, and the live values at all of them are the wanted ones. Then no value changes and no owner does.
 */
export function provesNoChange(sent: KubeObject, live: LiveObject, schema: Schema | undefined): boolean {
  const type = schema ?? deducedSchema
  const entry = live.owners.find(
    (owner) => isOurs(owner) && owner.operation === 'Apply' && owner.apiVersion === sent.apiVersion,
  )
  if (entry === undefined || !sameTree(setOf(sent, type), entry.fields)) return false
  // Two equal trees for each of ten thousand objects would be most of what they weigh.
  sets.set(sent, entry.fields)
  return covers(sent, live.object, type, 0)
}

const sets = new WeakMap<KubeObject, FieldsV1>()

function setOf(sent: KubeObject, schema: Schema): FieldsV1 {
  let set = sets.get(sent)
  if (set === undefined) {
    set = withoutIdentity(encodeFieldsV1(fieldSetOf(sent, schema)))
    sets.set(sent, set)
  }
  return set
}

/** Managers never own what names the object (apimachinery `managedfields/internal/stripmeta.go`). */
function withoutIdentity(set: FieldsV1): FieldsV1 {
  const { 'f:apiVersion': _1, 'f:kind': _2, 'f:metadata': metadata, ...rest } = set
  if (metadata === undefined) return rest
  const { 'f:name': _3, 'f:namespace': _4, ...kept } = metadata
  return Object.keys(kept).length === 0 ? rest : { ...rest, 'f:metadata': kept }
}

function sameTree(a: FieldsV1, b: FieldsV1): boolean {
  if (a === b) return true
  let count = 0
  for (const key in a) {
    const left = a[key]
    const right = b[key]
    if (left === undefined || right === undefined || !sameTree(left, right)) return false
    count++
  }
  for (const _ in b) count--
  return count === 0
}

/** Whether the live value has everything that is wanted, at the wanted values; what it has besides does not matter. */
function covers(want: Json | undefined, have: Json | undefined, schema: Schema, depth: number): boolean {
  if (want === have || want === undefined) return true
  if (isObject(want)) {
    if (!isObject(have) || schema.map === undefined) return false
    if (schema.map.relationship === 'atomic') return sameMeaning(want, have, schema)
    for (const key in want) {
      // Identity is how the two were found to be the same object.
      if (depth === 0 && (key === 'apiVersion' || key === 'kind')) continue
      if (!covers(want[key], have[key], fieldType(schema.map, key) ?? untypedAtomic, depth + 1)) return false
    }
    return true
  }
  if (isArray(want)) return isArray(have) && coversList(want, have, schema, depth)
  return sameMeaning(want, have, schema)
}

function coversList(want: readonly Json[], have: readonly Json[], schema: Schema, depth: number): boolean {
  const { list } = schema
  if (list === undefined) return false
  if (list.relationship === 'atomic') return sameMeaning(want, have, schema)
  return want.every((item, index) => {
    const element = itemName(list, item)
    if (element === undefined) return false
    // Items mostly stand at the same index on both sides.
    const near = have[index]
    const found =
      near !== undefined && itemName(list, near) === element
        ? near
        : have.find((candidate) => itemName(list, candidate) === element)
    return found !== undefined && covers(item, found, list.element, depth + 1)
  })
}
