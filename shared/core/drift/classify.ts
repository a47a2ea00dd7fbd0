import type { Schema } from '../../fields/schema.ts'
import { DRIFT_KINDS, type FieldDrift, type FieldDriftKind, type FieldValue } from '../../model/drift.ts'
import type { Json } from '../../model/json.ts'
import type { LiveObject } from '../../model/live.ts'
import { toPointer } from '../../model/pointer.ts'
import type { RendererPort } from '../../model/ports.ts'
import type { Desired } from '../desired.ts'
import { blameOf, reachOf } from './blame.ts'
import { differences, type Difference, type Spot } from './differences.ts'
import type { Foreign } from './foreign.ts'
import { fieldValue } from './mask.ts'
import { ownershipOnly } from './ownership.ts'
import { resolveElements } from './resolve.ts'
import type { Sent } from './sent.ts'
import { isSystemField } from './system-fields.ts'
import { isOurs } from './trust.ts'

/** A difference with its kind and its values already masked: what may be remembered. */
export type Finding = Spot & {
  readonly kind: FieldDriftKind
  /** True where a sync would change the field. */
  readonly counts: boolean
  readonly desired: FieldValue
  readonly live: FieldValue
}

/** What an apply would change: the server's prediction held against the live object. */
export function findPredicted(
  desired: Desired,
  predicted: LiveObject,
  live: LiveObject,
  schema: Schema | undefined,
  appliedBefore: boolean,
): readonly Finding[] {
  const all = differences(predicted.object, live.object, schema).filter(({ fields }) => !isSystemField(fields))
  const stated = all.filter((difference) => isStated(difference, desired, live, schema))
  const told = stated.map((difference) => finding(desired, difference, kindOf(difference, live, appliedBefore), true))
  // What the server derives from a field that differs (a node port from a type) is told beside it, not counted again.
  const derived = all.filter((difference) => !stated.includes(difference))
  const counts = stated.length === 0
  return [
    ...told,
    ...derived.map((difference) => finding(desired, difference, counts ? 'changed' : 'defaulted', counts)),
  ]
}

/** Whether Git has the field, or an earlier apply of ours set it. */
function isStated(difference: Difference, desired: Desired, live: LiveObject, schema: Schema | undefined): boolean {
  const { fields } = difference
  if (resolveElements(desired.object, schema, fields) !== undefined) return true
  return live.owners.some((owner) => isOurs(owner) && reachOf(owner.fields, fields) > 0)
}

function kindOf(difference: Difference, live: LiveObject, appliedBefore: boolean): FieldDriftKind {
  if (difference.right === undefined) return appliedBefore ? 'removed' : 'changed'
  return blameOf(live, difference.fields)?.operation === 'Apply' ? 'conflict' : 'changed'
}

/** Where the server made something else of what was sent: a webhook or a normalisation. Not drift. */
export function findRewritten(
  desired: Desired,
  sent: Sent,
  predicted: LiveObject,
  schema: Schema | undefined,
): readonly Finding[] {
  return differences(sent.object, predicted.object, schema)
    .filter((difference) => difference.left !== undefined && !isSystemField(difference.fields))
    .map((difference) => finding(desired, difference, 'admission-rewritten', false))
}

/** Where a sync would only make a field ours that has the wanted value already. Not drift. */
export function findOwnership(
  desired: Desired,
  predicted: LiveObject,
  live: LiveObject,
  told: readonly Finding[],
): readonly Finding[] {
  const spoken = new Set(told.map(({ fields }) => fields.join('\u0000')))
  const covered = (fields: Spot['fields']): boolean =>
    fields.some((_, index) => spoken.has(fields.slice(0, index + 1).join('\u0000')))
  return ownershipOnly(predicted, live, desired.kind?.schema)
    .filter(({ fields }) => !covered(fields))
    .map((difference) => finding(desired, difference, 'ownership-only', false))
}

/** Fields that Git has and that are left to their controllers. Not drift. */
export function findLeft(desired: Desired, sent: Sent): readonly Finding[] {
  return sent.left
    .filter((difference) => difference.left !== difference.right)
    .map((difference) => finding(desired, difference, 'controller-owned', false))
}

/** A field that somebody added; `counts` is whether the server would let it be removed, and not put it back itself. */
export function findForeign(
  desired: Desired,
  foreign: Foreign,
  kind: 'added-foreign' | 'defaulted',
  counts: boolean,
): Finding {
  return finding(desired, { ...foreign, left: undefined, right: foreign.value }, kind, counts)
}

function finding(desired: Desired, difference: Difference, kind: FieldDriftKind, counts: boolean): Finding {
  const { path, fields } = difference
  return {
    path,
    fields,
    kind,
    counts: counts && DRIFT_KINDS.has(kind),
    desired: value(desired, path, difference.left),
    live: value(desired, path, difference.right),
  }
}

function value(desired: Desired, path: readonly (string | number)[], json: Json | undefined): FieldValue {
  return fieldValue(desired.id, path, json)
}

/** A finding as a front shows it: with the person to ask and the line to look at, which may move between passes. */
export function fieldDrift(found: Finding, desired: Desired, live: LiveObject, renderer: RendererPort): FieldDrift {
  const blame = blameOf(live, found.fields)
  const place = renderer.locate(desired.manifest, desiredPath(found, desired))
  return {
    path: toPointer(found.path),
    kind: found.kind,
    desired: found.desired,
    live: found.live,
    ...(blame === undefined || found.live.kind === 'absent' ? {} : { blame }),
    ...(place === undefined ? {} : { place }),
  }
}

/** The finding's place in the manifest, whose lists may have other indices than the live ones. */
function desiredPath(found: Finding, desired: Desired): readonly (string | number)[] {
  let here: Json | undefined = desired.object
  const path: (string | number)[] = []
  for (const [index, step] of found.path.entries()) {
    const element = found.fields[index]
    const own: string | number | undefined =
      typeof step === 'number' && element?.startsWith('k:') === true ? indexByKeys(here, element) : step
    if (own === undefined) return path
    path.push(own)
    here =
      typeof here === 'object' && here !== null ? (here as Record<string | number, Json | undefined>)[own] : undefined
  }
  return path
}

function indexByKeys(list: Json | undefined, element: string): number | undefined {
  if (!Array.isArray(list)) return undefined
  const keys = Object.entries(JSON.parse(element.slice(2)) as Record<string, unknown>)
  const matches = (item: unknown, exact: boolean): boolean =>
    keys.every(([name, wanted]) => {
      const has = (item as Record<string, unknown> | null)?.[name]
      // A key that the manifest leaves to its default (a port's protocol) is not written there.
      return has === wanted || (!exact && has === undefined)
    })
  const exact = list.findIndex((item) => matches(item, true))
  const index = exact >= 0 ? exact : list.findIndex((item) => matches(item, false))
  return index < 0 ? undefined : index
}
