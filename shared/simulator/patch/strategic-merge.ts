import { goPlain, goType } from '../../fields/go-format.ts'
import type { FieldSchema, Schema } from '../../fields/schema.ts'
import { fieldType } from '../../fields/schema.ts'
import { badRequest, plainError } from '../errors.ts'
import type { StatusError } from '../errors.ts'
import { isObject, privateCopy, setOwn } from '../object.ts'
import type { JsonObject } from '../object.ts'
import {
  badFormat,
  deleteList,
  directive,
  elementOrder,
  retainKeys,
  withoutDirectives,
  withoutNulls,
} from './directives.ts'
import { mergeLists, orderList } from './merge-lists.ts'
import type { MergeItem } from './merge-lists.ts'
import { guarded, jsonKind } from './patch-error.ts'

/**
 * The document after a strategic merge patch, with all directives: `$patch`, `$retainKeys`, `$setElementOrder/x`,
 * `$deleteFromPrimitiveList/x` (apimachinery, strategicpatch/patch.go). Strategies and merge keys come from the type. The document is
 * not changed; the result is the caller's own.
 * @throws StatusError 400, 422 or 500 as kube-apiserver answers them
 */
export function applyStrategicMergePatch(document: JsonObject, patch: unknown, schema: Schema): JsonObject {
  if (patch !== null && !isObject(patch)) {
    throw badRequest(`json: cannot unmarshal ${jsonKind(patch)} into Go value of type map[string]interface {}`)
  }
  return useUpStrategicMergePatch(document, privateCopy(patch ?? {}), schema)
}

/** The same with a patch of the caller's own, of which is left what the real server quotes when the result is no object. */
export function useUpStrategicMergePatch(document: JsonObject, patch: JsonObject, schema: Schema): JsonObject {
  return guarded(() => mergeMaps(privateCopy(document), patch, schema))
}

/** Both maps are private and are used up. */
function mergeMaps(original: JsonObject, patch: JsonObject, schema: Schema | undefined): JsonObject {
  if (Object.hasOwn(patch, directive)) return whole(patch)
  retain(original, patch)
  orderLists(original, patch, schema)
  for (const key of Object.keys(patch)) mergeKey(original, key, patch[key], schema)
  return original
}

/** `$patch` on a map: it replaces the map or empties it. */
function whole(patch: JsonObject): JsonObject {
  const action = patch[directive]
  if (action === 'delete') return {}
  if (action !== 'replace') throw plainError(`unknown patch type: ${goString(action)} in map: ${goPlain(patch)}`)
  delete patch[directive]
  return patch
}

/** What Go's `%s` makes of a value, text or not. */
function goString(value: unknown): string {
  switch (typeof value) {
    case 'number':
      return `%!s(${Number.isInteger(value) ? 'int64' : 'float64'}=${value})`
    case 'boolean':
      return `%!s(bool=${value})`
    default:
      return value === null ? '%!s(<nil>)' : goPlain(value)
  }
}

/** `$retainKeys`: every other key of the original goes, and the patch may name no other. */
function retain(original: JsonObject, patch: JsonObject): void {
  if (!Object.hasOwn(patch, retainKeys)) return
  const list = patch[retainKeys]
  delete patch[retainKeys]
  if (!Array.isArray(list)) throw badFormat('retainKeys')
  const keep = new Set<unknown>(list)
  for (const key of Object.keys(patch)) {
    if (patch[key] === null || key.startsWith(deleteList) || key.startsWith(elementOrder)) continue
    if (!keep.has(key)) throw badFormat('retainKeys')
  }
  for (const key of Object.keys(original)) if (!keep.has(key)) delete original[key]
}

/** Lists whose order the patch gives are merged first. */
function orderLists(original: JsonObject, patch: JsonObject, schema: Schema | undefined): void {
  for (const key of Object.keys(patch)) {
    if (!key.startsWith(elementOrder)) continue
    const order = patch[key]
    delete patch[key]
    if (!Array.isArray(order)) throw wrongType([], order)
    const name = nameAfter(key, elementOrder, 'setElementOrder list')
    const before = listIn(original, name)
    const change = listIn(patch, name)
    const { field, strategy } = metadata(schema, name)
    const merged = orderList({
      before,
      change,
      order,
      strategy,
      mergeKey: field.patchMergeKey ?? '',
      mergeItem: itemMerger(field.schema),
    })
    if (merged === undefined) continue
    setOwn(original, name, merged)
    delete patch[name]
  }
}

function listIn(map: JsonObject, key: string): unknown[] | undefined {
  if (!Object.hasOwn(map, key)) return undefined
  const value = map[key]
  if (!Array.isArray(value)) throw wrongType([], value)
  return value
}

function mergeKey(original: JsonObject, patchKey: string, change: unknown, schema: Schema | undefined): void {
  const deletes = patchKey.startsWith(deleteList)
  const key = deletes ? nameAfter(patchKey, deleteList, 'primitive list') : patchKey
  if (change === null) {
    delete original[key]
    return
  }
  const present = Object.hasOwn(original, key)
  const current = original[key]
  if (present && isObject(current) && isObject(change)) {
    const { field, strategy } = metadata(schema, key)
    setOwn(original, key, strategy === 'replace' ? change : mergeMaps(current, change, field.schema))
  } else if (present && Array.isArray(current) && Array.isArray(change)) {
    const { field, strategy } = metadata(schema, key)
    const merges = strategy === 'merge' || deletes
    const item = itemMerger(field.schema)
    setOwn(original, key, merges ? mergeLists(current, change, field.patchMergeKey ?? '', item, deletes) : change)
  } else if (!deletes) {
    const value = withoutDirectives(withoutNulls(change))
    if (value === undefined) delete original[key]
    else setOwn(original, key, value)
  }
}

function itemMerger(list: Schema): MergeItem {
  return (original, patch) => mergeMaps(original, patch, list.list?.element)
}

function nameAfter(key: string, prefix: string, what: string): string {
  if (!key.startsWith(`${prefix}/`)) throw badFormat(what)
  return key.slice(prefix.length + 1)
}

interface Metadata {
  readonly field: Pick<FieldSchema, 'schema' | 'patchMergeKey'>
  readonly strategy: string
}

/** How the field is patched: its strategy beside retainKeys. */
function metadata(schema: Schema | undefined, key: string): Metadata {
  const map = schema?.map
  const field = map?.fields.get(key)
  if (field === undefined) {
    const type = map && fieldType(map, key)
    if (map === undefined || type === undefined || map.fields.size > 0) {
      const struct = schema?.name.slice(schema.name.lastIndexOf('.') + 1) ?? ''
      throw plainError(`unable to find api field in struct ${struct} for the json field "${key}"`)
    }
    throw plainError('merging an object in json but data type is not struct, instead is: map')
  }
  return { field, strategy: field.patchStrategies.find((strategy) => strategy !== 'retainKeys') ?? '' }
}

function wrongType(expected: unknown, actual: unknown): StatusError {
  return plainError(`expected a ${goType(expected)}, but received a ${goType(actual)}`)
}
