import type { DecodeError } from '../kinds/codec.ts'
import { isObject, textAt } from '../object.ts'

const goKinds: Readonly<Record<string, string>> = { number: 'int64', array: 'slice', object: 'map' }

/** A decoding error as apimachinery's unstructured converter words it, which strategic patches and applies go through. */
export function conversionText({ message: problem, alone, basic }: DecodeError): string {
  if (alone !== undefined) return alone
  if (problem.startsWith('illegal base64')) return `error decoding from json: ${problem}`
  const match = /cannot unmarshal (\w+)( \S+)? into Go (?:struct field|value) .*?of type (.+)$/u.exec(problem)
  if (match === null) return problem
  const [, given = '', amount = '', type = ''] = match
  const kind = amount.includes('.') ? 'float64' : (goKinds[given] ?? given)
  if (type.startsWith('map[')) return `cannot restore map from ${kind}`
  if (type.startsWith('[]')) return `cannot restore slice from ${kind}`
  if (type.includes('.') && basic === undefined) return `cannot restore struct from: ${kind}`
  // What Go could convert, though not without loss.
  const convertible = (kind === 'int64' && basic === 'string') || (kind === 'float64' && type.startsWith('int'))
  return convertible ? `cannot convert ${kind} to ${type}` : `unrecognized type: ${basic ?? type}`
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

/** The parts of a document that a patch took apart, by key; `all` for what came whole out of it. */
export type Touched = 'all' | ReadonlyMap<string, Touched>

/** What evanphx/json-patch decodes of a document while it merges a patch into it. */
export function touchedByMerge(document: unknown, patch: unknown): Touched {
  const touched = new Map<string, Touched>()
  if (!isObject(document) || !isObject(patch)) return 'all'
  for (const [key, value] of Object.entries(patch)) {
    const current = document[key]
    if (value === null || (isObject(current) && !isObject(value))) continue
    touched.set(key, isObject(current) ? touchedByMerge(current, value) : 'all')
  }
  return touched
}

/** The same for a JSON patch: everything on the way to the places it names. */
export function touchedByOperations(operations: unknown): Touched {
  const touched = new Map<string, Touched>()
  for (const operation of Array.isArray(operations) ? operations : []) {
    for (const pointer of [textAt(operation, 'path'), textAt(operation, 'from')]) {
      let here: Map<string, Touched> = touched
      for (const part of pointer.split('/').slice(1, -1)) {
        const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
        const inner = here.get(key)
        const next = inner === undefined || inner === 'all' ? new Map<string, Touched>() : new Map(inner)
        here.set(key, next)
        here = next
      }
    }
  }
  return touched
}

/** The patched document as the server quotes it: keys in order where the patch took an object apart, else as they stand. */
export function patchedText(value: unknown, touched: Touched | undefined): string {
  return write(value, touched).replaceAll('<', '\\u003c').replaceAll('>', '\\u003e').replaceAll('&', '\\u0026')
}

function write(value: unknown, touched: Touched | undefined): string {
  if (touched === 'all') return sortedJson(value)
  if (touched === undefined || typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${value.map((item, index) => write(item, touched.get(String(index)))).join(',')}]`
  const parts = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]) => `${JSON.stringify(key)}:${write(item, touched.get(key))}`)
  return `{${parts.join(',')}}`
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
