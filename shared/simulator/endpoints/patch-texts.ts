import { DecodeError, decodeAs } from '../kinds/codec.ts'
import { structNamed } from '../kinds/go-types.ts'
import { isObject, textAt } from '../object.ts'
import type { KubeObject } from '../object.ts'

const goKinds: Readonly<Record<string, string>> = { number: 'int64', array: 'slice', object: 'map' }

/** A decoding error as apimachinery's unstructured converter words it, which strategic patches and applies go through. */
export function conversionText(problem: string): string {
  if (problem.startsWith('parsing time')) return problem
  const match = /cannot unmarshal (\w+)( \S+)? into Go (?:struct field|value) .*?of type (.+)$/u.exec(problem)
  if (match === null) return `error decoding from json: ${problem}`
  const [, given = '', amount = '', type = ''] = match
  const kind = amount.includes('.') ? 'float64' : (goKinds[given] ?? given)
  if (type.startsWith('map[')) return `cannot restore map from ${kind}`
  if (type.startsWith('[]')) return `cannot restore slice from ${kind}`
  if (type.includes('.')) return `cannot restore struct from: ${kind}`
  // What Go could convert, though not without loss.
  const convertible = (kind === 'int64' && type === 'string') || (kind === 'float64' && type.startsWith('int'))
  return convertible ? `cannot convert ${kind} to ${type}` : `unrecognized type: ${type}`
}

/** Whether a merge or JSON patch says anything of the metadata. */
export function touchesMetadata(patch: unknown): boolean {
  if (!Array.isArray(patch)) return isObject(patch) && Object.hasOwn(patch, 'metadata')
  return patch.some((operation) => /^\/metadata(?:\/|$)/u.test(textAt(operation, 'path')))
}

/** Data as Go's `%v` prints it: `map[a:1 b:[x y]]`. */
export function goMapText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(goMapText).join(' ')}]`
  if (value === null) return '<nil>'
  if (!isObject(value)) return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  const parts = Object.keys(value)
    .sort()
    .map((key) => `${key}:${goMapText(value[key])}`)
  return `map[${parts.join(' ')}]`
}

/**
 * The patched document as the server quotes it: keys in order, the metadata in that of its declaration unless the patch
 * touched it.
 */
export function documentText(document: KubeObject, touched: boolean): string {
  const metadata = metadataText(document.metadata, touched)
  const parts = Object.keys(document)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${key === 'metadata' ? metadata : sortedJson(document[key])}`)
  return `{${parts.join(',')}}`
}

function metadataText(metadata: unknown, touched: boolean): string {
  try {
    const declared = decodeAs(structNamed('meta/v1.ObjectMeta'), metadata)
    if (!touched) return JSON.stringify(declared)
    const keys = Object.keys(declared).sort()
    return `{${keys.map((key) => `${JSON.stringify(key)}:${JSON.stringify(declared[key])}`).join(',')}}`
  } catch (error) {
    if (!DecodeError.is(error) || !isObject(metadata)) throw error
    // Whoever owns fields is told as it was stored.
    const parts = Object.keys(metadata)
      .sort()
      .map(
        (key) =>
          `${JSON.stringify(key)}:${key === 'managedFields' ? JSON.stringify(metadata[key]) : sortedJson(metadata[key])}`,
      )
    return `{${parts.join(',')}}`
  }
}

/** JSON as Go writes a map: keys in order. */
export function sortedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value) ?? 'null'
  const parts = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${sortedJson(value[key])}`)
  return `{${parts.join(',')}}`
}
