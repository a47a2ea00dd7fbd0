import { isObject, type Json } from '../model/json.ts'
import { fromPointer } from '../model/pointer.ts'

/** Maps whose keys are a person's own words, and what one entry is called. */
const NAMED_ENTRIES: ReadonlyMap<string, string> = new Map([
  ['labels', 'label '],
  ['matchLabels', 'label '],
  ['annotations', 'annotation '],
  ['data', ''],
  ['stringData', ''],
  ['binaryData', ''],
])

/** Whether the entries of a field are named by people, so that a number among them is a name and no index. */
export function isOpenMap(field: string): boolean {
  return NAMED_ENTRIES.has(field)
}

/** Keys that say nothing without the item that they belong to. */
const VAGUE: ReadonlySet<string> = new Set(['name', 'value', 'key', 'type', 'kind', 'path', 'operator', 'effect'])

/** What tells an item of a list from its neighbours, the first that it has. */
const IDENTITIES = ['name', 'containerPort', 'port', 'mountPath', 'devicePath', 'ip', 'key', 'type', 'topologyKey']

/** What a person calls a field: `replicas`, `label team`, `env[1].value`, `args[0]`. */
export function fieldName(pointer: string): string {
  const steps = fromPointer(pointer)
  const last = steps.at(-1)
  const parent = steps.at(-2)
  if (last === undefined) return 'the object'
  const prefix = parent === undefined ? undefined : NAMED_ENTRIES.get(parent)
  if (prefix !== undefined) return `${prefix}${last}`
  if (isIndex(last)) return parent === undefined ? last : `${parent}[${last}]`
  const list = steps.at(-3)
  return VAGUE.has(last) && parent !== undefined && list !== undefined && isIndex(parent)
    ? `${list}[${parent}].${last}`
    : last
}

/** What a person calls a value at a place: an item of a list by its name (`env HAND=1`, `container sidecar`), else the field with its value where that is short. */
export function valueName(pointer: string, value: Json): string {
  const steps = fromPointer(pointer)
  const last = steps.at(-1)
  const list = steps.at(-2)
  if (last === undefined || list === undefined || isOpenMap(list) || !isIndex(last)) {
    return isScalar(value) ? `${fieldName(pointer)}=${String(value)}` : fieldName(pointer)
  }
  if (isScalar(value)) return `${singular(list)} ${String(value)}`
  const identity = isObject(value) ? IDENTITIES.map((key) => value[key]).find(isScalar) : undefined
  if (identity === undefined) return fieldName(pointer)
  const own = isObject(value) && isScalar(value['value']) && value['name'] !== undefined ? `=${value['value']}` : ''
  return `${singular(list)} ${String(identity)}${own}`
}

function isIndex(step: string): boolean {
  return /^\d+$/.test(step)
}

function isScalar(value: Json | undefined): value is string | number | boolean | bigint {
  return (
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint'
  )
}

function singular(list: string): string {
  if (list.endsWith('ies')) return `${list.slice(0, -3)}y`
  if (list.endsWith('sses')) return list.slice(0, -2)
  return list.endsWith('s') && !list.endsWith('ss') ? list.slice(0, -1) : list
}
