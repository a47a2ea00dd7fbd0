import { quoted } from './go-format.ts'
import { compareOrder, compareText, isScalar } from './value.ts'

/**
 * One step of a path, spelled as in FieldsV1: `f:<name>` a field, `k:<json>` the list item with these keys (names sorted),
 * `v:<json>` the item of a set, `i:<n>` an index. The spelling is canonical, so equal steps are equal strings.
 */
export type PathElement = string

/** From the root of the object; never empty for a member of a set. */
export type Path = readonly PathElement[]

export type ParsedElement =
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'key'; readonly fields: readonly KeyField[] }
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'index'; readonly index: number }

export interface KeyField {
  readonly name: string
  readonly value: unknown
}

const fieldElements = new Map<string, PathElement>()
const fieldElementsLimit = 10_000

/** Remembered, because a string that is made anew must be hashed anew wherever it is looked up. */
export function fieldElement(name: string): PathElement {
  const known = fieldElements.get(name)
  if (known !== undefined) return known
  const element = `f:${name}`
  if (fieldElements.size < fieldElementsLimit) fieldElements.set(name, element)
  return element
}

export function indexElement(index: number): PathElement {
  return `i:${index}`
}

const plain = /^[\w ./:-]*$/

/** JSON as Go's encoder writes it in a FieldsV1 key: no spaces, `<`, `>` and `&` escaped. */
function jsonText(value: unknown): string {
  if (typeof value === 'string' && plain.test(value)) return `"${value}"`
  if (typeof value === 'bigint') return value.toString()
  const text = JSON.stringify(value) ?? 'null'
  return text.replace(escaped, (character) => goEscapes.get(character) ?? character)
}

const escaped = /\\.|[<>&\u2028\u2029]/g
const goEscapes = new Map([
  ['\\b', '\\u0008'],
  ['\\f', '\\u000c'],
  ['<', '\\u003c'],
  ['>', '\\u003e'],
  ['&', '\\u0026'],
  ['\u2028', '\\u2028'],
  ['\u2029', '\\u2029'],
])

export function valueElement(value: unknown): PathElement {
  return `v:${jsonText(value)}`
}

/** `fields` must be sorted by name. */
export function keyElement(fields: readonly KeyField[]): PathElement {
  let text = 'k:{'
  for (const [i, field] of fields.entries())
    text += `${i === 0 ? '' : ','}${jsonText(field.name)}:${jsonText(field.value)}`
  return `${text}}`
}

/** The key step for an item known by one field; the common case, made fast. */
export function singleKeyElement(name: string, value: unknown): PathElement {
  return `k:{${jsonText(name)}:${jsonText(value)}}`
}

/** Reads a step, canonical or not; undefined for kinds of steps that are not known (newer servers may write them). */
export function parseElement(text: string): ParsedElement | undefined {
  if (text.charCodeAt(1) !== 58) return undefined
  const rest = text.slice(2)
  switch (text[0]) {
    case 'f':
      return { kind: 'field', name: rest }
    case 'k':
      return parseKey(rest)
    case 'v':
      return { kind: 'value', value: JSON.parse(rest) }
    case 'i':
      return /^[+-]?\d+$/.test(rest) ? { kind: 'index', index: Number(rest) } : undefined
    default:
      return undefined
  }
}

function parseKey(text: string): ParsedElement | undefined {
  const parsed: unknown = JSON.parse(text)
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return undefined
  const fields = Object.entries(parsed).map(([name, value]) => ({ name, value: value as unknown }))
  return { kind: 'key', fields: fields.sort((a, b) => compareText(a.name, b.name)) }
}

/** The canonical spelling of a parsed step. */
export function elementOf(parsed: ParsedElement): PathElement {
  switch (parsed.kind) {
    case 'field':
      return fieldElement(parsed.name)
    case 'key':
      return keyElement(parsed.fields)
    case 'value':
      return valueElement(parsed.value)
    default:
      return indexElement(parsed.index)
  }
}

/** The name of a field step, or undefined for other steps. */
export function fieldName(element: PathElement): string | undefined {
  return element.charCodeAt(0) === 102 ? element.slice(2) : undefined
}

const ranks: Readonly<Record<string, number>> = { f: 0, k: 1, v: 2, i: 3 }

/** The order of siblings: fields, keys, values, indexes, each among themselves. */
export function compareElements(a: PathElement, b: PathElement): number {
  if (a === b) return 0
  const rank = (ranks[a[0] ?? ''] ?? 4) - (ranks[b[0] ?? ''] ?? 4)
  if (rank !== 0) return rank
  if (a.charCodeAt(0) === 102) return compareText(a, b)
  const left = parseElement(a)
  const right = parseElement(b)
  if (left?.kind === 'key' && right?.kind === 'key') return compareKeys(left.fields, right.fields)
  if (left?.kind === 'value' && right?.kind === 'value') return compareOrder(left.value, right.value)
  if (left?.kind === 'index' && right?.kind === 'index') return left.index - right.index
  return compareText(a, b)
}

function compareKeys(a: readonly KeyField[], b: readonly KeyField[]): number {
  for (const [i, left] of a.entries()) {
    const right = b[i]
    if (right === undefined) return 1
    const order = compareText(left.name, right.name) || compareOrder(left.value, right.value)
    if (order !== 0) return order
  }
  return a.length - b.length
}

/** How errors print a path: `.spec.containers[name="web"].args[0]`, set items as `[="x"]`. */
export function pathText(path: Path): string {
  return path.map(elementText).join('')
}

export function elementText(element: PathElement): string {
  const parsed = parseElement(element)
  if (parsed === undefined) return '{{invalid path element}}'
  switch (parsed.kind) {
    case 'field':
      return `.${parsed.name}`
    case 'key':
      return `[${parsed.fields.map((field) => `${field.name}=${valueText(field.value)}`).join(',')}]`
    case 'value':
      return `[=${valueText(parsed.value)}]`
    default:
      return `[${parsed.index}]`
  }
}

function valueText(value: unknown): string {
  if (typeof value === 'string') return quoted(value)
  if (value === null || value === undefined) return 'null'
  if (isScalar(value)) return String(value)
  if (Array.isArray(value)) return `[${value.map(valueText).join(',')}]`
  return Object.entries(value)
    .map(([key, item]) => `${key}=${valueText(item)}`)
    .join('')
}
