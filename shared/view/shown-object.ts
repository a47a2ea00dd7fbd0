import { isObject, type JsonObject } from '../model/json.ts'
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

/** An object as a diff shows it: without status and server metadata, a Secret without its values, what it is first. */
export function shownObject(object: KubeObject): JsonObject {
  const { apiVersion, kind, metadata, ...rest } = maskSecret(object)
  return { apiVersion, kind, metadata: shownMetadata(metadata), ...without(rest, 'status') }
}

function shownMetadata(metadata: JsonObject): JsonObject {
  const kept = Object.fromEntries(Object.entries(metadata).filter(([key]) => !SERVER_METADATA.has(key)))
  if (!isObject(kept['annotations'])) return kept
  const annotations = without(kept['annotations'], LAST_APPLIED)
  return Object.keys(annotations).length === 0 ? without(kept, 'annotations') : { ...kept, annotations }
}

function without(object: JsonObject, key: string): JsonObject {
  const { [key]: _, ...rest } = object
  return rest
}
