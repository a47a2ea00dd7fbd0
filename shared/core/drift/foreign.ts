import { itemName } from './list-items.ts'
import type { PathElement } from '../../fields/path.ts'
import { deducedSchema, fieldType, untypedAtomic, type Schema } from '../../fields/schema.ts'
import { isArray, isObject, type Json } from '../../model/json.ts'
import type { KubeObject } from '../../model/kubernetes.ts'
import type { LiveObject, Owner } from '../../model/live.ts'
import type { FieldsV1 } from '../../model/managed-fields.ts'
import { isLeaf } from './blame.ts'
import type { Spot } from './differences.ts'
import { isSystemField } from './system-fields.ts'
import { isOurs, isTrusted, type TrustedManagers } from './trust.ts'

/** A live field that Git does not have and that somebody put there. */
export type Foreign = Spot & { readonly value: Json; readonly owner: Owner }

/**
 * Live fields that Git lacks and that are owned by nobody among us and the trusted: what a dry-run apply cannot show,
 * since it keeps them. Whether a field really goes away when removed, only the server can say (it may be a default).
 */
export function foreignFields(
  sent: KubeObject,
  live: LiveObject,
  schema: Schema | undefined,
  trusted: TrustedManagers,
): readonly Foreign[] {
  const found = new Map<string, Foreign>()
  for (const owner of live.owners) {
    if (isOurs(owner) || owner.subresource === 'status') continue
    const search: Search = { owner, trusted, found }
    visit(owner.fields, schema ?? deducedSchema, live.object, sent, { path: [], fields: [] }, search)
  }
  return withoutNested([...found.values()])
}

type Search = { readonly owner: Owner; readonly trusted: TrustedManagers; readonly found: Map<string, Foreign> }

function visit(
  tree: FieldsV1,
  schema: Schema,
  live: Json | undefined,
  sent: Json | undefined,
  spot: Spot,
  search: Search,
): void {
  for (const element in tree) {
    if (element === '.') continue
    const below = tree[element]
    const child = stepInto(schema, live, sent, element)
    if (below === undefined || child?.live === undefined) continue
    const next = { path: [...spot.path, child.step], fields: [...spot.fields, element] }
    if (isSystemField(next.fields)) continue
    if (child.sent !== undefined) visit(below, child.schema, child.live, child.sent, next, search)
    else if (isUnit(below, child.schema, child.live)) report(next, child.live, search)
    else visit(below, child.schema, child.live, undefined, next, search)
  }
}

function report(spot: Spot, value: Json, search: Search): void {
  if (isTrusted(search.owner, spot.fields, search.trusted)) return
  const key = spot.fields.join('\u0000')
  const known = search.found.get(key)
  if (known !== undefined && known.owner.time >= search.owner.time) return
  search.found.set(key, { ...spot, value, owner: search.owner })
}

/** Whether a field is told of as one: a leaf, or a struct or list item that its owner made. Open maps and keyed lists are told of entry by entry. */
function isUnit(tree: FieldsV1, schema: Schema, live: Json): boolean {
  if (isLeaf(tree)) return true
  if (isArray(live)) return false
  const open = schema.map?.element !== undefined && schema.map.fields.size === 0 && schema.scalar === undefined
  return '.' in tree && !open
}

type Child = {
  readonly step: string | number
  readonly schema: Schema
  readonly live: Json | undefined
  readonly sent: Json | undefined
}

function stepInto(
  schema: Schema,
  live: Json | undefined,
  sent: Json | undefined,
  element: PathElement,
): Child | undefined {
  if (isObject(live)) {
    if (!element.startsWith('f:')) return undefined
    const name = element.slice(2)
    return {
      step: name,
      schema: (schema.map === undefined ? undefined : fieldType(schema.map, name)) ?? untypedAtomic,
      live: Object.hasOwn(live, name) ? live[name] : undefined,
      sent: isObject(sent) && Object.hasOwn(sent, name) ? sent[name] : undefined,
    }
  }
  if (!isArray(live) || schema.list === undefined) return undefined
  const index = indexOf(live, schema, element)
  if (index < 0) return undefined
  const wanted = isArray(sent) ? sent[indexOf(sent, schema, element)] : undefined
  return { step: index, schema: schema.list.element, live: live[index], sent: wanted }
}

function indexOf(items: readonly Json[], schema: Schema, element: PathElement): number {
  const { list } = schema
  return list === undefined ? -1 : items.findIndex((item) => itemName(list, item) === element)
}

/** A removal of a field takes what is below it along. */
function withoutNested(found: readonly Foreign[]): readonly Foreign[] {
  const whole = new Set(found.map((foreign) => foreign.fields.join('\u0000')))
  return found.filter((foreign) => {
    for (let length = 1; length < foreign.fields.length; length++) {
      if (whole.has(foreign.fields.slice(0, length).join('\u0000'))) return false
    }
    return true
  })
}
