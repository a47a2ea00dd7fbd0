import type { FieldDrift, FieldValue } from '../model/drift.ts'
import type { Json, JsonObject } from '../model/json.ts'
import { fromPointer } from '../model/pointer.ts'
import { isOpenMap } from './field-name.ts'
import { HIDDEN, HIDDEN_AFTER, HIDDEN_BEFORE } from './hidden.ts'

/** The two sides of a comparison: what is in the cluster, and what a sync would make of it. */
export type Sides = { readonly before: JsonObject; readonly after: JsonObject }

type Tree = { [key: string]: Json | undefined } | Json[]
type Change = { readonly steps: readonly string[]; readonly drift: FieldDrift }

/**
 * The live object beside itself with every drifted field brought to what Git wants, so that exactly the drift differs.
 * (The manifest itself would differ by every default that the server filled in.)
 */
export function healedObject(live: JsonObject, fields: readonly FieldDrift[]): Sides {
  const before = structuredClone(live) as Tree
  const after = structuredClone(live) as Tree
  const changes = fields.map((drift): Change => ({ steps: fromPointer(drift.path), drift }))
  for (const { steps, drift } of changes) {
    if (drift.live.kind === 'hidden') set(before, steps, hiddenSide(drift.desired, HIDDEN_BEFORE), true)
  }
  for (const { steps, drift } of changes) {
    if (drift.live.kind !== 'absent' && drift.desired.kind !== 'absent') {
      set(after, steps, valueOf(drift.desired, drift.live), true)
    }
  }
  for (const { steps, drift } of changes.filter(isStructural).sort(inOrder)) {
    if (drift.desired.kind === 'absent') remove(after, steps)
    else set(after, steps, valueOf(drift.desired, drift.live), false)
  }
  return { before: before as JsonObject, after: after as JsonObject }
}

/** Whether a change takes an item out of a list or puts one in, so that the items behind it move. */
function isStructural({ drift }: Change): boolean {
  return drift.live.kind === 'absent' || drift.desired.kind === 'absent'
}

/**
 * Paths have the indices of the live lists: what is deepest goes first, so that no index on its way has moved yet. Within
 * one list the removals go from the back, then the additions from the front, in Git's order.
 */
function inOrder(a: Change, b: Change): number {
  const depth = b.steps.length - a.steps.length
  if (depth !== 0) return depth
  const one = isRemoval(a)
  if (one !== isRemoval(b)) return one ? -1 : 1
  return one ? indexOf(b) - indexOf(a) : indexOf(a) - indexOf(b)
}

function indexOf({ steps }: Change): number {
  const last = steps.at(-1) ?? ''
  return /^\d+$/.test(last) ? Number(last) : -1
}

function isRemoval({ drift }: Change): boolean {
  return drift.desired.kind === 'absent'
}

function valueOf(side: FieldValue, other: FieldValue): Json {
  return side.kind === 'value' ? side.value : hiddenSide(other, HIDDEN_AFTER)
}

function hiddenSide(other: FieldValue, beside: string): string {
  return other.kind === 'absent' ? HIDDEN : beside
}

/** Sets a value, making the maps on the way; in a list it replaces the item, or goes in before it. */
function set(root: Tree, steps: readonly string[], value: Json, replace: boolean): void {
  const holder = holderOf(root, steps, true)
  const last = steps.at(-1)
  if (holder === undefined || last === undefined) return
  if (!Array.isArray(holder)) put(holder, last, value)
  else if (replace) holder[Number(last)] = value
  else holder.splice(Math.min(Number(last), holder.length), 0, value)
}

function remove(root: Tree, steps: readonly string[]): void {
  const holder = holderOf(root, steps, false)
  const last = steps.at(-1)
  if (holder === undefined || last === undefined) return
  if (Array.isArray(holder)) holder.splice(Number(last), 1)
  else delete holder[last]
  // A map or list that only held this field goes with it, as the server lets it go.
  if (Object.keys(holder).length === 0 && steps.length > 2) remove(root, steps.slice(0, -1))
}

/** An assignment would take a key called `__proto__` for the prototype. */
function put(map: { [key: string]: Json | undefined }, key: string, value: Json): void {
  Object.defineProperty(map, key, { value, writable: true, enumerable: true, configurable: true })
}

function holderOf(root: Tree, steps: readonly string[], make: boolean): Tree | undefined {
  let here: Tree = root
  for (const [index, step] of steps.slice(0, -1).entries()) {
    const next: unknown = Array.isArray(here) ? here[Number(step)] : Object.hasOwn(here, step) ? here[step] : undefined
    if (typeof next === 'object' && next !== null) here = next as Tree
    else if (make && !Array.isArray(here) && next === undefined) {
      const made: Tree = isListIndex(step, steps[index + 1]) ? [] : {}
      put(here, step, made)
      here = made
    } else return undefined
  }
  return here
}

/** Whether a step goes into a list, told by the field that it is in: a ConfigMap may well have a key `0`. */
function isListIndex(field: string, step: string | undefined): boolean {
  return step !== undefined && /^\d+$/.test(step) && !isOpenMap(field)
}
