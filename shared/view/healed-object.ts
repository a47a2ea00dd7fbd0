import type { FieldDrift, FieldValue } from '../model/drift.ts'
import type { Json, JsonObject } from '../model/json.ts'
import { fromPointer } from '../model/pointer.ts'
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
  // Indices are those of the live lists: values first, then removals from the back, then what is missing, in Git's order.
  const present = changes.filter(({ drift }) => drift.live.kind !== 'absent')
  for (const { steps, drift } of present) {
    if (drift.desired.kind !== 'absent') set(after, steps, valueOf(drift.desired, drift.live), true)
  }
  for (const { steps, drift } of present.filter(isRemoval).sort(fromTheBack)) {
    if (drift.desired.kind === 'absent') remove(after, steps)
  }
  for (const { steps, drift } of changes.filter(({ drift }) => drift.live.kind === 'absent').sort(fromTheFront)) {
    if (drift.desired.kind !== 'absent') set(after, steps, valueOf(drift.desired, drift.live), false)
  }
  return { before: before as JsonObject, after: after as JsonObject }
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

function fromTheFront(a: Change, b: Change): number {
  for (const [index, step] of a.steps.entries()) {
    const other = b.steps[index]
    if (other === undefined) return 1
    if (step === other) continue
    return /^\d+$/.test(step) && /^\d+$/.test(other) ? Number(step) - Number(other) : step < other ? -1 : 1
  }
  return a.steps.length - b.steps.length
}

function fromTheBack(a: Change, b: Change): number {
  return fromTheFront(b, a)
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
  for (const step of steps.slice(0, -1)) {
    const next: unknown = Array.isArray(here) ? here[Number(step)] : Object.hasOwn(here, step) ? here[step] : undefined
    if (typeof next === 'object' && next !== null) here = next as Tree
    else if (make && !Array.isArray(here) && next === undefined) {
      const made: Tree = {}
      put(here, step, made)
      here = made
    } else return undefined
  }
  return here
}
