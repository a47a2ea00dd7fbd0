import { sameQuantity } from '../../fields/quantity.ts'
import { itemName } from './list-items.ts'
import { fieldElement, type PathElement } from '../../fields/path.ts'
import {
  deducedSchema,
  fieldType,
  untypedAtomic,
  type ListSchema,
  type MapSchema,
  type Schema,
} from '../../fields/schema.ts'
import { isArray, isObject, type Json, type JsonObject } from '../../model/json.ts'

/** A place in an object, spelled both ways: indices as JSON has them, and list keys as `managedFields` have them. */
export type Spot = { readonly path: readonly (string | number)[]; readonly fields: readonly PathElement[] }

/** One field in which two values differ. Undefined stands for absent. Indices are the right side's where it has the field. */
export type Difference = Spot & { readonly left: Json | undefined; readonly right: Json | undefined }

const ROOT: Spot = { path: [], fields: [] }

/**
 * Where two objects of one type differ, at the deepest place that says it exactly: a list item by its keys, a map by its
 * entries, a missing struct as one. Quantities are compared by amount; null and absent are the same.
 */
export function differences(left: Json | undefined, right: Json | undefined, schema: Schema | undefined): Difference[] {
  const found: Difference[] = []
  compare(left, right, schema ?? deducedSchema, ROOT, found)
  return found
}

/** Whether two values mean the same to the server. */
export function sameMeaning(left: Json | undefined, right: Json | undefined, schema: Schema | undefined): boolean {
  return left === right || differences(left, right, schema).length === 0
}

function compare(
  left: Json | undefined,
  right: Json | undefined,
  schema: Schema,
  spot: Spot,
  found: Difference[],
): void {
  if (left === right || ((left === null || left === undefined) && (right === null || right === undefined))) return
  const value = right ?? left
  if (isObject(value) && schema.map !== undefined && mapLike(left) && mapLike(right)) {
    compareMaps(left, right, schema, schema.map, spot, found)
  } else if (isArray(value) && schema.list !== undefined && listLike(left) && listLike(right)) {
    compareLists(left, right, schema.list, spot, found)
  } else if (!sameScalar(left, right, schema)) found.push({ ...spot, left, right })
}

function mapLike(value: Json | undefined): value is JsonObject | null | undefined {
  return value === undefined || value === null || isObject(value)
}

function listLike(value: Json | undefined): value is readonly Json[] | null | undefined {
  return value === undefined || value === null || isArray(value)
}

function sameScalar(left: Json | undefined, right: Json | undefined, schema: Schema): boolean {
  if (left === null || left === undefined || right === null || right === undefined) return false
  if (typeof left === 'object' || typeof right === 'object') return false
  // oxlint-disable-next-line eqeqeq -- 1 and 1n are one number
  if (typeof left !== 'string' && typeof right !== 'string') return left == right
  return schema.format === 'quantity' && sameQuantity(String(left), String(right))
}

function compareMaps(
  left: JsonObject | null | undefined,
  right: JsonObject | null | undefined,
  schema: Schema,
  map: MapSchema,
  spot: Spot,
  found: Difference[],
): void {
  const oneSide = left === null || left === undefined || right === null || right === undefined
  if (oneSide && !isOpenMap(schema, map)) {
    found.push({ ...spot, left: left ?? undefined, right: right ?? undefined })
    return
  }
  for (const key of keysOf(left, right)) {
    const next = { path: [...spot.path, key], fields: [...spot.fields, fieldElement(key)] }
    compare(own(left, key), own(right, key), fieldType(map, key) ?? untypedAtomic, next, found)
  }
}

/** A map whose keys are data (labels, a ConfigMap's data), not a struct. */
function isOpenMap(schema: Schema, map: MapSchema): boolean {
  return map.element !== undefined && map.fields.size === 0 && schema.scalar === undefined
}

function keysOf(left: JsonObject | null | undefined, right: JsonObject | null | undefined): Iterable<string> {
  if (left === null || left === undefined) return Object.keys(right ?? {})
  if (right === null || right === undefined) return Object.keys(left)
  const keys = Object.keys(left)
  for (const key of Object.keys(right)) if (!Object.hasOwn(left, key)) keys.push(key)
  return keys
}

function own(map: JsonObject | null | undefined, key: string): Json | undefined {
  return map !== null && map !== undefined && Object.hasOwn(map, key) ? map[key] : undefined
}

function compareLists(
  left: readonly Json[] | null | undefined,
  right: readonly Json[] | null | undefined,
  list: ListSchema,
  spot: Spot,
  found: Difference[],
): void {
  if (list.relationship === 'associative') {
    const ours = byElement(left ?? [], list)
    const theirs = byElement(right ?? [], list)
    if (ours !== undefined && theirs !== undefined) return compareItems(ours, theirs, list, spot, found)
  }
  // An atomic list is owned whole, but the person is shown the one value in it that differs.
  if (left === null || left === undefined || right === null || right === undefined || left.length !== right.length) {
    if ((left ?? []).length > 0 || (right ?? []).length > 0) {
      found.push({ ...spot, left: left ?? undefined, right: right ?? undefined })
    }
    return
  }
  for (const [index, item] of left.entries()) {
    const fields = list.relationship === 'atomic' ? spot.fields : [...spot.fields, `i:${index}`]
    compareAtomicItem(item, right[index], list, { path: [...spot.path, index], fields }, found)
  }
}

function compareAtomicItem(
  left: Json,
  right: Json | undefined,
  list: ListSchema,
  spot: Spot,
  found: Difference[],
): void {
  const inner: Difference[] = []
  compare(left, right, list.element, spot, inner)
  for (const difference of inner) found.push({ ...difference, fields: spot.fields })
}

type Items = ReadonlyMap<PathElement, { readonly item: Json; readonly index: number }>

/** Items by their keys; undefined where two have the same (then only the whole list can be compared). */
function byElement(items: readonly Json[], list: ListSchema): Items | undefined {
  const found = new Map<PathElement, { readonly item: Json; readonly index: number }>()
  for (const [index, item] of items.entries()) {
    const element = itemName(list, item)
    if (element === undefined || found.has(element)) return undefined
    found.set(element, { item, index })
  }
  return found
}

function compareItems(left: Items, right: Items, list: ListSchema, spot: Spot, found: Difference[]): void {
  for (const [element, ours] of left) {
    const theirs = right.get(element)
    const next = { path: [...spot.path, theirs?.index ?? ours.index], fields: [...spot.fields, element] }
    if (theirs === undefined) found.push({ ...next, left: ours.item, right: undefined })
    else compare(ours.item, theirs.item, list.element, next, found)
  }
  for (const [element, theirs] of right) {
    if (left.has(element)) continue
    found.push({
      path: [...spot.path, theirs.index],
      fields: [...spot.fields, element],
      left: undefined,
      right: theirs.item,
    })
  }
}
