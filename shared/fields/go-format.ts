import { compareText, isScalar } from './value.ts'

const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u
const short: Readonly<Record<string, string>> = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '"': '\\"',
  '\\': '\\\\',
}

/** A string as Go's `%q` prints it. */
export function quoted(text: string): string {
  let out = '"'
  for (const character of text) out += quotedCharacter(character)
  return `${out}"`
}

function quotedCharacter(character: string): string {
  const known = short[character]
  if (known !== undefined) return known
  if (printable.test(character)) return character
  const code = character.codePointAt(0) ?? 0
  if (code < 0x20 || code === 0x7f) return `\\x${code.toString(16).padStart(2, '0')}`
  return code > 0xffff ? `\\U${code.toString(16).padStart(8, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`
}

/** JSON data as Go's `%v` prints it: `map[a:1 b:<nil>]`, `[a b]`. */
export function goPlain(value: unknown): string {
  if (value === null || value === undefined) return '<nil>'
  if (Array.isArray(value)) return `[${value.map(goPlain).join(' ')}]`
  if (typeof value === 'object') {
    return `map[${sortedEntries(value)
      .map(([key, item]) => `${key}:${goPlain(item)}`)
      .join(' ')}]`
  }
  return isScalar(value) ? String(value) : ''
}

/** JSON data as Go's `%#v` prints it: `map[string]interface {}{"a":1}`. */
export function goSyntax(value: unknown): string {
  if (value === null || value === undefined) return 'interface {}(nil)'
  if (typeof value === 'string') return quoted(value)
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`
  if (typeof value === 'object') {
    return `map[string]interface {}{${sortedEntries(value)
      .map(([key, item]) => `${quoted(key)}:${goSyntax(item)}`)
      .join(', ')}}`
  }
  return isScalar(value) ? String(value) : ''
}

/** The Go type of JSON data, as `%T` prints it. */
export function goType(value: unknown): string {
  if (value === null || value === undefined) return '<nil>'
  if (Array.isArray(value)) return '[]interface {}'
  switch (typeof value) {
    case 'object':
      return 'map[string]interface {}'
    case 'string':
      return 'string'
    case 'boolean':
      return 'bool'
    case 'number':
      return Number.isInteger(value) ? 'int64' : 'float64'
    default:
      return 'int64'
  }
}

function sortedEntries(map: object): [string, unknown][] {
  return Object.entries(map).sort((a, b) => compareText(a[0], b[0]))
}
