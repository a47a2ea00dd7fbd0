import { itemName } from './list-items.ts'
import { fieldElement, type PathElement } from '../../fields/path.ts'
import { deducedSchema, fieldType, untypedAtomic, type ListSchema, type Schema } from '../../fields/schema.ts'
import { isArray, isObject, type Json, type JsonObject } from '../../model/json.ts'
import type { KubeObject } from '../../model/kubernetes.ts'
import type { LiveObject, Owner } from '../../model/live.ts'
import { reachOf } from './blame.ts'
import type { Difference, Spot } from './differences.ts'
import { isOurs, isTrusted, mayBeTrusted, type TrustedManagers } from './trust.ts'

/** What a sync sends, and which wanted fields it leaves to their controllers. */
export type Sent = {
  readonly object: KubeObject
  /** Fields of Git that are not sent, with both values: an autoscaler's replicas, an injected bundle. */
  readonly left: readonly (Difference & { readonly owner: Owner })[]
}

/**
 * The desired object without the fields that a trusted manager holds at a value of its own, or that `leave` names (fields
 * that ignoreDifferences covers, when the sync respects it).
 */
export function sentObject(
  desired: KubeObject,
  live: LiveObject,
  schema: Schema | undefined,
  trusted: TrustedManagers,
): Sent {
  const controllers = live.owners.filter((owner) => mayBeTrusted(owner, trusted) && owner.subresource !== 'status')
  if (controllers.length === 0) return { object: desired, left: [] }
  const ours = live.owners.filter((owner) => isOurs(owner) && owner.operation === 'Apply')
  const left: (Difference & { readonly owner: Owner })[] = []
  const filter: Filter = {
    left,
    holder: (fields) => {
      const owner = controllers.find(
        (candidate) => reachOf(candidate.fields, fields) === fields.length && isTrusted(candidate, fields, trusted),
      )
      return owner !== undefined && !ours.some((our) => reachOf(our.fields, fields) > 0) ? owner : undefined
    },
  }
  const object = withoutHeld(desired, live.object, schema ?? deducedSchema, { path: [], fields: [] }, filter)
  return left.length === 0 ? { object: desired, left } : { object: object as KubeObject, left }
}

type Filter = {
  readonly left: (Difference & { readonly owner: Owner })[]
  /** The trusted owner of a field, or undefined where the sync may write it. */
  readonly holder: (fields: readonly PathElement[]) => Owner | undefined
}

function withoutHeld(desired: Json, live: Json | undefined, schema: Schema, spot: Spot, filter: Filter): Json {
  if (isObject(desired) && isObject(live) && schema.map?.relationship === 'separable') {
    return mapWithoutHeld(desired, live, schema, spot, filter)
  }
  if (isArray(desired) && isArray(live) && schema.list?.relationship === 'associative') {
    return listWithoutHeld(desired, live, schema.list, spot, filter)
  }
  return desired
}

function mapWithoutHeld(desired: JsonObject, live: JsonObject, schema: Schema, spot: Spot, filter: Filter): Json {
  const kept: Record<string, Json | undefined> = {}
  let dropped = false
  for (const [key, value] of Object.entries(desired)) {
    const next = { path: [...spot.path, key], fields: [...spot.fields, fieldElement(key)] }
    const have = Object.hasOwn(live, key) ? live[key] : undefined
    const owner = value === undefined || have === undefined ? undefined : filter.holder(next.fields)
    if (owner !== undefined && isWhole(value, schema, key)) {
      filter.left.push({ ...next, left: value, right: have, owner })
      dropped = true
      continue
    }
    const type = (schema.map === undefined ? undefined : fieldType(schema.map, key)) ?? untypedAtomic
    kept[key] = value === undefined ? value : withoutHeld(value, have, type, next, filter)
    if (kept[key] !== value) dropped = true
  }
  return dropped ? kept : desired
}

function isWhole(value: Json | undefined, schema: Schema, key: string): boolean {
  if (typeof value !== 'object' || value === null) return true
  const type = schema.map === undefined ? undefined : fieldType(schema.map, key)
  return isArray(value) ? type?.list?.relationship === 'atomic' : type?.map?.relationship === 'atomic'
}

function listWithoutHeld(
  desired: readonly Json[],
  live: readonly Json[],
  list: ListSchema,
  spot: Spot,
  filter: Filter,
): Json {
  const theirs = new Map(live.map((item, index) => [itemName(list, item), { item, index }]))
  const keys = new Set(list.keys.map(fieldElement))
  const depth = spot.fields.length + 2
  // Without its keys an item could not be told from its siblings, whoever owns them.
  const isKey = (fields: readonly PathElement[]): boolean => fields.length === depth && keys.has(fields.at(-1) ?? '')
  const inItem: Filter = { ...filter, holder: (fields) => (isKey(fields) ? undefined : filter.holder(fields)) }
  let dropped = false
  const kept = desired.map((item) => {
    const element = itemName(list, item)
    const have = element === undefined ? undefined : theirs.get(element)
    if (element === undefined || have === undefined) return item
    const next = { path: [...spot.path, have.index], fields: [...spot.fields, element] }
    const filtered = withoutHeld(item, have.item, list.element, next, inItem)
    if (filtered !== item) dropped = true
    return filtered
  })
  return dropped ? kept : desired
}
