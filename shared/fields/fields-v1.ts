import { FieldSet } from './field-set.ts'
import { elementOf, parseElement } from './path.ts'
import type { PathElement } from './path.ts'
import { isMap } from './value.ts'
import type { JsonMap } from './value.ts'

/** The JSON object under `fieldsV1`. */
export interface FieldsV1 {
  readonly [step: string]: FieldsV1
}

const decoded = new WeakMap<object, FieldSet>()
const encoded = new WeakMap<FieldSet, FieldsV1>()
const canonical = new Map<string, PathElement | undefined>()
const canonicalLimit = 20_000

/**
 * Reads a FieldsV1 object. The result is remembered for the object, so its owner must not change it in place. Steps of unknown
 * kinds are skipped with all below them.
 * @throws SyntaxError where a key is not a step at all.
 */
export function decodeFieldsV1(fields: unknown): FieldSet {
  if (!isMap(fields)) return FieldSet.empty
  const known = decoded.get(fields)
  if (known !== undefined) return known
  const node = decodeNode(fields)
  const root = node.self ? new FieldSet(false, node.entries) : node
  decoded.set(fields, root)
  return root
}

/** A node without children is a member, whether it says so by `.` or not. */
function decodeNode(fields: JsonMap): FieldSet {
  let self = false
  let entries: Map<PathElement, FieldSet> | undefined
  for (const key of Object.keys(fields)) {
    if (key === '.') {
      self = true
      continue
    }
    const element = canonicalElement(key)
    if (element === undefined) continue
    const value = fields[key]
    const entry = isMap(value) ? decodeNode(value) : FieldSet.leaf
    const twin = entries?.get(element)
    ;(entries ??= new Map()).set(element, twin === undefined ? entry : twin.union(entry))
  }
  if (entries === undefined) return FieldSet.leaf
  return new FieldSet(self, entries)
}

/** Fields are canonical as they stand; other steps are parsed once and remembered. */
function canonicalElement(key: string): PathElement | undefined {
  if (key.charCodeAt(0) === 102 && key.charCodeAt(1) === 58) return key
  if (canonical.has(key)) return canonical.get(key)
  if (key.length < 2) throw new SyntaxError('key must be 2 characters long:')
  if (key[1] !== ':') throw new SyntaxError(`missing colon: ${key}`)
  const parsed = parseElement(key)
  const element = parsed === undefined ? undefined : elementOf(parsed)
  if (canonical.size >= canonicalLimit) canonical.clear()
  canonical.set(key, element)
  return element
}

/** Writes a set as FieldsV1, children in order. The same set gives the same object each time; treat it as frozen. */
export function encodeFieldsV1(set: FieldSet): FieldsV1 {
  const known = encoded.get(set)
  if (known !== undefined) return known
  const fields: Record<string, FieldsV1> = {}
  for (const [element, entry] of set.sortedEntries()) fields[element] = encodeNode(entry)
  encoded.set(set, fields)
  decoded.set(fields, set)
  return fields
}

function encodeNode(node: FieldSet): FieldsV1 {
  const fields: Record<string, FieldsV1> = {}
  if (node.self && node.entries.size > 0) fields['.'] = {}
  for (const [element, entry] of node.sortedEntries()) fields[element] = encodeNode(entry)
  return fields
}
