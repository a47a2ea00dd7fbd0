import { compareValues } from '../../fields/compare.ts'
import type { FieldSet } from '../../fields/field-set.ts'
import { fieldSetOf } from '../../fields/object-set.ts'
import { TypedError } from '../../fields/typed-error.ts'
import { validateTyped } from '../../fields/validate.ts'
import { compareText } from '../../fields/value.ts'
import { child, isObject } from '../object.ts'
import type { JsonObject, KubeObject } from '../object.ts'
import { ConflictsError, pathsOf } from './conflicts.ts'
import type { VersionContext } from './version.ts'

/** The annotation of kubectl's client-side apply, and the manager whose server-side apply takes it over. */
const annotation = 'kubectl.kubernetes.io/last-applied-configuration'
export const kubectl = 'kubectl'
const maxAnnotationBytes = 256 * 1024

/**
 * What is left of kubectl's conflicts when those over fields that client-side apply set, and that are still as it set them, do not
 * count (managedfields/internal/lastappliedmanager.go). Undefined means that the apply may be forced.
 */
export function conflictsBeyondLastApplied(
  context: VersionContext,
  live: JsonObject,
  error: ConflictsError,
): ConflictsError | undefined {
  const allowed = unchangedLastApplied(context, live)
  if (allowed === undefined) return error
  if (pathsOf(error.conflicts).difference(allowed).isEmpty) return undefined
  return new ConflictsError(error.conflicts.filter((conflict) => !allowed.has(conflict.path)))
}

function unchangedLastApplied(context: VersionContext, live: JsonObject): FieldSet | undefined {
  const applied = parsed(lastApplied(live))
  if (applied === undefined || (applied['apiVersion'] ?? '') !== context.apiVersion) return undefined
  try {
    validateTyped(live, context.schema)
    validateTyped(applied, context.schema)
  } catch (error) {
    if (TypedError.is(error)) return undefined
    throw error
  }
  const { added, modified, removed } = compareValues(applied, live, context.schema)
  return fieldSetOf(applied, context.schema).difference(modified).difference(added).difference(removed)
}

function lastApplied(object: JsonObject): string | undefined {
  const value = child(child(object, 'metadata'), 'annotations')?.[annotation]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Only what decodes as an object with a kind is a configuration. */
function parsed(text: string | undefined): JsonObject | undefined {
  if (text === undefined) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) && typeof value['kind'] === 'string' && value['kind'] !== '' ? value : undefined
  } catch {
    return undefined
  }
}

/** Brings the annotation, where there is one, up to the configuration just applied. Changes the object, which is private. */
export function syncLastApplied(object: KubeObject, config: KubeObject): void {
  const annotations = object.metadata.annotations
  if (annotations === undefined || lastApplied(object) === undefined) return
  const metadata = { ...config.metadata }
  if (isObject(metadata.annotations)) {
    metadata.annotations = { ...metadata.annotations }
    delete metadata.annotations[annotation]
  } else delete metadata.annotations
  annotations[annotation] = `${goJson({ ...config, metadata })}\n`
  let size = 0
  for (const [key, value] of Object.entries(annotations)) size += Buffer.byteLength(key) + Buffer.byteLength(value)
  if (size > maxAnnotationBytes) delete annotations[annotation]
}

/** JSON as Go writes it: keys sorted, `<`, `>` and `&` escaped. */
function goJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(goJson).join(',')}]`
  if (isObject(value)) {
    const keys = Object.keys(value).sort(compareText)
    return `{${keys.map((key) => `${goJson(key)}:${goJson(value[key])}`).join(',')}}`
  }
  if (typeof value === 'bigint') return value.toString()
  return (JSON.stringify(value) ?? 'null').replace(/[<>&\u2028\u2029]/g, unicodeEscape)
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
