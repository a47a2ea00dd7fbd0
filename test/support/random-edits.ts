import type { Json } from '../../shared/model/json.ts'
import { isArray, isObject, stringifyJson, valueAt } from '../../shared/model/json.ts'
import { toPointer } from '../../shared/model/pointer.ts'
import type { KubeObject } from '../../shared/model/kubernetes.ts'
import type { Random } from './random.ts'

/** One edit of one field, as a JSON patch operation on the live object. */
export type Edit = {
  readonly what: 'change' | 'remove' | 'add'
  readonly operation: { readonly op: 'add' | 'remove' | 'replace'; readonly path: string; readonly value?: Json }
  /** Where the drift has to be reported. */
  readonly path: string
}

type Steps = readonly (string | number)[]

const IDENTITY =
  /^\/(apiVersion|kind|status)\b|^\/metadata\/(name|namespace|uid|resourceVersion|generation|creationTimestamp|managedFields|selfLink|deletionTimestamp)\b/

/** Maps that take any key, and how a new item of a keyed list looks. */
const OPEN_MAPS = /\/(labels|annotations|data|matchLabels|nodeSelector|stringData)$/
const NEW_ITEMS: Readonly<Record<string, (n: number, live: readonly Json[]) => Json | undefined>> = {
  env: (n) => ({ name: `HAND_${n}`, value: String(n) }),
  ports: (n, live) =>
    isPort(live[0])
      ? { name: `hand-${n % 1000}`, port: 20_000 + (n % 10_000) }
      : { containerPort: 20_000 + (n % 10_000) },
  imagePullSecrets: (n) => ({ name: `hand-${n}` }),
  containers: (n) => ({ name: `hand-${n}`, image: 'hand:1' }),
}

function isPort(item: Json | undefined): boolean {
  return isObject(item) && item['port'] !== undefined
}

/**
 * A random edit of a live object: of a value that Git has, its removal, or an addition to a map or a keyed list.
 * Undefined where this try found nothing to edit. The server may still refuse it.
 */
export function randomEdit(live: KubeObject, desired: KubeObject, random: Random, n: number): Edit | undefined {
  const what = random.pick(['change', 'change', 'remove', 'add'] as const)
  if (what === 'add') return addition(live, random, n)
  const places: Steps[] = []
  collect(desired, live, [], places)
  const place = random.pick(places)
  if (place === undefined) return undefined
  const path = toPointer(place)
  if (what === 'remove') return { what, operation: { op: 'remove', path }, path }
  const value = changed(valueAt(live, place), random, n)
  return value === undefined ? undefined : { what, operation: { op: 'replace', path, value }, path }
}

/** Scalars that both sides have, by their live place; items of lists are paired by name or by index. */
function collect(desired: Json, live: Json | undefined, at: Steps, places: Steps[]): void {
  if (live === undefined || IDENTITY.test(toPointer(at))) return
  if (isObject(desired) && isObject(live)) {
    for (const [key, value] of Object.entries(desired))
      if (value !== undefined) collect(value, live[key], [...at, key], places)
  } else if (isArray(desired) && isArray(live)) {
    for (const [index, item] of desired.entries()) {
      const found =
        isObject(item) && item['name'] !== undefined
          ? live.findIndex((one) => isObject(one) && one['name'] === item['name'])
          : index
      if (found >= 0) collect(item, live[found], [...at, found], places)
    }
  } else if (typeof desired !== 'object' && typeof live !== 'object' && !isKey(at)) places.push(at)
}

/** A keyed list's key is the item's name: changing it is a removal and an addition, not one field. Items of plain lists belong to the list. */
function isKey(at: Steps): boolean {
  const last = at.at(-1)
  const inList = typeof at.at(-2) === 'number'
  return (
    typeof last === 'number' ||
    (inList &&
      ['name', 'containerPort', 'protocol', 'port', 'mountPath', 'type', 'topologyKey', 'ip'].includes(String(last)))
  )
}

function changed(value: Json | undefined, random: Random, n: number): Json | undefined {
  switch (typeof value) {
    case 'boolean':
      return !value
    case 'number':
      return value + random.pick([1, 2, 7])
    case 'string':
      if (/^\d+(m|Mi|Gi|Ki)$/.test(value)) return `${Number.parseInt(value, 10) + 1}${value.replace(/^\d+/, '')}`
      return `${value}${random.pick(['-x', 'y', String(n % 10)])}`
    default:
      return undefined
  }
}

function addition(live: KubeObject, random: Random, n: number): Edit | undefined {
  const targets: { readonly at: Steps; readonly edit: Edit }[] = []
  visit(live, [], (at, value) => {
    const pointer = toPointer(at)
    if (IDENTITY.test(pointer)) return
    if (isObject(value) && OPEN_MAPS.test(pointer)) {
      const path = `${pointer}/hand-${n}`
      targets.push({ at, edit: { what: 'add', operation: { op: 'add', path, value: `v${n}` }, path } })
    }
    const item = isArray(value) ? NEW_ITEMS[String(at.at(-1))]?.(n, value) : undefined
    if (item !== undefined && isArray(value)) {
      const edit: Edit = {
        what: 'add',
        operation: { op: 'add', path: `${pointer}/-`, value: item },
        path: `${pointer}/${value.length}`,
      }
      targets.push({ at, edit })
    }
  })
  return random.pick(targets)?.edit
}

function visit(value: Json, at: Steps, see: (at: Steps, value: Json) => void): void {
  see(at, value)
  if (isObject(value))
    for (const [key, item] of Object.entries(value)) if (item !== undefined) visit(item, [...at, key], see)
  if (isArray(value)) for (const [index, item] of value.entries()) visit(item, [...at, index], see)
}

export function patchText(edit: Edit): string {
  return stringifyJson([edit.operation])
}
