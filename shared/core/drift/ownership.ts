import { deducedSchema, type Schema } from '../../fields/schema.ts'
import type { Json } from '../../model/json.ts'
import type { LiveObject } from '../../model/live.ts'
import type { FieldsV1 } from '../../model/managed-fields.ts'
import { isLeaf } from './blame.ts'
import type { Difference, Spot } from './differences.ts'
import { childAt } from './list-items.ts'
import { isSystemField } from './system-fields.ts'
import { isOurs } from './trust.ts'

/**
 * Fields that an apply would make ours without changing their value: somebody set them, and set them back to what Git
 * wants. Told on request; no sync is sent for them.
 */
export function ownershipOnly(
  predicted: LiveObject,
  live: LiveObject,
  schema: Schema | undefined,
): readonly Difference[] {
  const found: Difference[] = []
  const before = oursOf(live)
  // What was never applied from here is not ours to lose; its adoption is told by what it changes.
  if (before === undefined) return found
  const root: Spot = { path: [], fields: [] }
  visit(oursOf(predicted) ?? {}, before, { value: live.object, schema: schema ?? deducedSchema }, root, found)
  return found
}

function oursOf({ owners }: LiveObject): FieldsV1 | undefined {
  return owners.find((owner) => isOurs(owner) && owner.operation === 'Apply')?.fields
}

type Here = { readonly value: Json; readonly schema: Schema }

function visit(after: FieldsV1, before: FieldsV1 | undefined, here: Here, spot: Spot, found: Difference[]): void {
  for (const element in after) {
    const below = after[element]
    const child = element === '.' ? undefined : childAt(here.value, here.schema, element)
    // What is not there yet is a difference of its own.
    if (below === undefined || child === undefined) continue
    const next = { path: [...spot.path, child.step], fields: [...spot.fields, element] }
    if (isSystemField(next.fields)) continue
    if (!isLeaf(below)) visit(below, before?.[element], child, next, found)
    else if (before?.[element] === undefined) found.push({ ...next, left: child.value, right: child.value })
  }
}
