import { goPlain, goType } from '../../fields/go-format.ts'
import { generic, plainError } from '../errors.ts'
import type { StatusError } from '../errors.ts'
import { isObject } from '../object.ts'
import type { JsonObject } from '../object.ts'
import { directive, withoutDirectives } from './directives.ts'

/** Merges one item of a list of maps; both are private and used up. */
export type MergeItem = (original: JsonObject, patch: JsonObject) => JsonObject

/** Merges a list field: maps by their merge key, scalars as a set; `deletes` takes scalars out. Lists are private and used up. */
export function mergeLists(
  original: unknown[],
  patch: readonly unknown[],
  mergeKey: string,
  mergeItem: MergeItem,
  deletes: boolean,
): unknown[] {
  if (original.length === 0 && patch.length === 0) return [...original]
  if (elementsAreMaps(original, patch)) {
    if (mergeKey === '') throw plainError('cannot merge lists without merge key for struct')
    const { kept, changes } = obeyed(original, patch, mergeKey)
    const serverOrder = kept.items.slice(0, kept.length)
    return ordered(mergeItems(kept, changes, mergeKey, mergeItem), changes, serverOrder, mergeKey)
  }
  if (deletes) return original.filter((item) => !patch.includes(item))
  return ordered(deduplicated([...original, ...patch]), patch, original, '')
}

/** One list that a patch puts in order, with what the patch changes in it. */
export interface OrderedList {
  readonly before: unknown[] | undefined
  readonly change: readonly unknown[] | undefined
  readonly order: readonly unknown[]
  readonly strategy: string
  readonly mergeKey: string
  readonly mergeItem: MergeItem
}

/** The list in the order of `$setElementOrder`; undefined where neither side has it. */
export function orderList(list: OrderedList): unknown[] | undefined {
  const { before, change, order, strategy, mergeKey, mergeItem } = list
  checkOrder(change ?? [], order, mergeKey)
  if (before === undefined && change === undefined) return undefined
  let merged: readonly unknown[] = before ?? []
  if (change !== undefined) {
    if (before === undefined) merged = withoutDirectives(change) as unknown[]
    else merged = strategy === 'merge' ? mergeLists(before, change, mergeKey, mergeItem, false) : change
  }
  elementsAreMaps(before ?? [], change ?? [])
  return ordered(merged, order, before ?? [], mergeKey)
}

/** The patch must list its items in the order that it sets. */
function checkOrder(change: readonly unknown[], order: readonly unknown[], mergeKey: string): void {
  if (change.length === 0 || order.length === 0) return
  const items = mergeKey === '' ? change : change.filter((item) => keyed(item)[directive] !== 'delete')
  let next = 0
  for (let at = 0; at < order.length && next < items.length;) {
    const item = items[next]
    if (isObject(item) && Object.hasOwn(item, directive)) next++
    else {
      if (identity(item, mergeKey) === identity(order[at], mergeKey)) next++
      at++
    }
  }
  if (next < items.length) {
    throw plainError(
      `The order in patch list:\n${goPlain(change)}\n doesn't match $setElementOrder list:\n${goPlain(order)}\n`,
    )
  }
}

function keyed(item: unknown): JsonObject {
  if (!isObject(item)) throw plainError(`expected a map[string]interface {}, but received a ${goType(item)}`)
  return item
}

function identity(item: unknown, mergeKey: string): unknown {
  if (mergeKey === '') return item
  const map = keyed(item)
  if (!Object.hasOwn(map, mergeKey)) throw noMergeKey(map, mergeKey)
  return map[mergeKey]
}

function noMergeKey(map: JsonObject, mergeKey: string): StatusError {
  return plainError(`map: ${goPlain(map)} does not contain declared merge key: ${mergeKey}`)
}

/** @throws StatusError where the lists hold lists, or elements of several types */
function elementsAreMaps(...lists: readonly (readonly unknown[])[]): boolean {
  let first: string | undefined
  for (const item of lists.flat()) {
    const type = Array.isArray(item) ? 'list' : isObject(item) ? 'map' : typeof item
    if (type === 'list') {
      throw generic(422, 'Invalid', 'the server rejected our request due to an error in our request')
    }
    if (first !== undefined && first !== type) {
      throw plainError(`list element types are not identical: ${goPlain(lists)}`)
    }
    first = type
  }
  if (first === undefined) throw plainError('no elements in any of the given slices')
  return first === 'map'
}

/**
 * The first `length` of `items`. Like a Go slice it shares its items with the list that it was made of: deleting moves what follows
 * to the front and leaves the tail, adding overwrites that tail first. The server's order of the result depends on it.
 */
interface Slice {
  items: unknown[]
  length: number
}

/** Obeys `$patch` items: what is left of the original, and the patch's other items. */
function obeyed(
  original: unknown[],
  patch: readonly unknown[],
  mergeKey: string,
): { readonly kept: Slice; readonly changes: readonly JsonObject[] } {
  const changes: JsonObject[] = []
  const kept: Slice = { items: original, length: original.length }
  let replaced = false
  for (const item of patch) {
    const map = keyed(item)
    const action = map[directive]
    if (action === undefined) changes.push(map)
    else if (action === 'delete') {
      deleteMatching(kept, mergeKey, identity(map, mergeKey))
    } else if (action === 'replace') replaced = true
    else if (action === 'merge') throw plainError('merging lists cannot yet be specified in the patch')
    else throw plainError(`unknown patch type: ${goPlain(action)} in map: ${goPlain(map)}`)
  }
  return replaced ? { kept: { items: changes, length: changes.length }, changes: [] } : { kept, changes }
}

function find(slice: Slice, mergeKey: string, value: unknown): number {
  for (let i = 0; i < slice.length; i++) {
    const map = keyed(slice.items[i])
    if (Object.hasOwn(map, mergeKey) && map[mergeKey] === value) return i
  }
  return -1
}

function deleteMatching(slice: Slice, mergeKey: string, value: unknown): void {
  for (let at = find(slice, mergeKey, value); at >= 0; at = find(slice, mergeKey, value)) {
    slice.items.copyWithin(at, at + 1, slice.length)
    slice.length--
  }
}

function mergeItems(kept: Slice, changes: readonly JsonObject[], mergeKey: string, mergeItem: MergeItem): unknown[] {
  const out: Slice = { items: kept.items, length: kept.length }
  for (const change of changes) {
    const at = find(out, mergeKey, identity(change, mergeKey))
    if (at >= 0) out.items[at] = mergeItem(keyed(out.items[at]), change)
    else {
      if (out.length === out.items.length) out.items = [...out.items, change]
      else out.items[out.length] = change
      out.length++
    }
  }
  return out.items.slice(0, out.length)
}

/** Each later copy of a value gives its place to the last value, as the server's algorithm does. */
function deduplicated(values: unknown[]): unknown[] {
  let last = values.length - 1
  for (let i = 0; i < last; i++) {
    for (let j = i + 1; j <= last; j++) {
      if (values[i] !== values[j]) continue
      values[j] = values[last]
      last--
      j--
    }
  }
  return values.slice(0, last + 1)
}

/** Items that the patch names in the patch's order, the others where the server had them. */
function ordered(
  merged: readonly unknown[],
  patchOrder: readonly unknown[],
  serverOrder: readonly unknown[],
  mergeKey: string,
): unknown[] {
  const patchAt = positions(patchOrder, mergeKey)
  const serverAt = positions(serverOrder, mergeKey)
  const named = merged.map((item) => ({ item, id: identity(item, mergeKey) }))
  const ours = named.filter(({ id }) => patchAt.has(id))
  const theirs = named.filter(({ id }) => !patchAt.has(id))
  ours.sort((a, b) => (patchAt.get(a.id) ?? 0) - (patchAt.get(b.id) ?? 0))
  theirs.sort((a, b) => (serverAt.get(a.id) ?? 0) - (serverAt.get(b.id) ?? 0))
  const out: unknown[] = []
  while (ours.length > 0 && theirs.length > 0) {
    const left = serverAt.get(theirs[0]?.id)
    const right = serverAt.get(ours[0]?.id)
    const first = left !== undefined && right !== undefined && left < right ? theirs : ours
    out.push(first.shift()?.item)
  }
  return [...out, ...theirs.map(({ item }) => item), ...ours.map(({ item }) => item)]
}

function positions(list: readonly unknown[], mergeKey: string): Map<unknown, number> {
  const at = new Map<unknown, number>()
  for (const [i, item] of list.entries()) {
    const id = identity(item, mergeKey)
    if (!at.has(id)) at.set(id, i)
  }
  return at
}
