import { isObject, type Json, type JsonObject } from '../model/json.ts'
import type { KubeObject } from '../model/kubernetes.ts'

/** Stands for a value that may not be shown. Of one length, so that it tells nothing of the value. */
export const HIDDEN = '++++++++'
/** The same where two differing values are shown side by side: what is in the cluster, and what a sync makes of it. */
export const HIDDEN_BEFORE = `${HIDDEN} (before)`
export const HIDDEN_AFTER = `${HIDDEN} (after)`

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration'
const PLAIN_KEYS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'type', 'immutable', 'status'])

/** A Secret with its keys and without its values; any other object as it is (invariant 4). */
export function maskSecret(object: KubeObject): KubeObject {
  if (object.kind !== 'Secret' || object.apiVersion !== 'v1') return object
  const masked: JsonObject = Object.fromEntries(
    Object.entries(object).map(([key, value]) => [key, PLAIN_KEYS.has(key) ? value : maskValues(value)]),
  )
  const { annotations } = object.metadata
  const metadata =
    annotations?.[LAST_APPLIED] === undefined
      ? object.metadata
      : { ...object.metadata, annotations: { ...annotations, [LAST_APPLIED]: HIDDEN } }
  return { ...masked, apiVersion: object.apiVersion, kind: object.kind, metadata }
}

function maskValues(value: Json | undefined): Json | undefined {
  if (value === undefined || value === null) return value
  return isObject(value) ? Object.fromEntries(Object.keys(value).map((key) => [key, HIDDEN])) : HIDDEN
}
