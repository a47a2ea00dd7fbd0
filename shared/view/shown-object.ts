import { isArray, isObject, type Json, type JsonObject } from '../model/json.ts'
import type { KubeObject } from '../model/kubernetes.ts'
import { maskSecret } from './hidden.ts'

/** Metadata that the server keeps for itself; a person neither writes nor compares it. */
const SERVER_METADATA: ReadonlySet<string> = new Set([
  'managedFields',
  'resourceVersion',
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'generation',
  'selfLink',
])
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration'
const FIRST = ['apiVersion', 'kind', 'metadata']

/** An object as a diff shows it: without status and server metadata, a Secret without its values, keys in one order. */
export function shownObject(object: KubeObject): JsonObject {
  const masked = maskSecret(object)
  const rest = entriesOf(masked).filter(([key]) => key !== 'status' && !FIRST.includes(key))
  const first = FIRST.flatMap((key) => {
    const value = masked[key]
    return value === undefined
      ? []
      : [[key, key === 'metadata' && isObject(value) ? shownMetadata(value) : value] as const]
  })
  return Object.fromEntries([...first, ...rest.map(([key, value]) => [key, sorted(value)] as const)])
}

function shownMetadata(metadata: JsonObject): JsonObject {
  const entries = entriesOf(metadata).filter(([key]) => !SERVER_METADATA.has(key))
  return Object.fromEntries(
    entries.flatMap(([key, value]) => {
      if (key !== 'annotations' || !isObject(value)) return [[key, sorted(value)] as const]
      const kept = entriesOf(value).filter(([name]) => name !== LAST_APPLIED)
      return kept.length === 0 ? [] : [[key, Object.fromEntries(kept)] as const]
    }),
  )
}

function sorted(value: Json): Json {
  if (isArray(value)) return value.map(sorted)
  return isObject(value) ? Object.fromEntries(entriesOf(value).map(([key, item]) => [key, sorted(item)])) : value
}

function entriesOf(object: JsonObject): readonly (readonly [string, Json])[] {
  return Object.keys(object)
    .sort()
    .flatMap((key) => {
      const value = object[key]
      return value === undefined ? [] : [[key, value] as const]
    })
}
