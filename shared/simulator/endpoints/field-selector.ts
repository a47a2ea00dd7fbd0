import { badRequest } from '../errors.ts'
import { goQuote } from '../kinds/field-error.ts'
import type { KubeObject } from '../object.ts'
import type { ResourceType } from './resource-type.ts'

export type ObjectMatcher = (object: KubeObject) => boolean

export interface FieldTerm {
  readonly field: string
  readonly value: string
  readonly equal: boolean
}

/**
 * Parses a field selector (apimachinery `fields/selector.go`); its terms come sorted.
 *
 * @throws StatusError 400 for its syntax, in the server's words.
 */
export function parseFieldSelector(text: string): readonly FieldTerm[] {
  return splitTerms(text)
    .filter((term) => term !== '')
    .sort()
    .map((term) => parseTerm(term, text))
}

/**
 * What terms let through of a type; undefined where there are none.
 *
 * @throws StatusError 400 for fields that the type cannot be selected by.
 */
export function fieldMatcher(terms: readonly FieldTerm[], type: ResourceType): ObjectMatcher | undefined {
  if (terms.length === 0) return undefined
  const tests = terms.map(({ field, value, equal }) => {
    const read = readerOf(field, type)
    return (object: KubeObject): boolean => (read(object) === value) === equal
  })
  return (object) => tests.every((test) => test(object))
}

/** The one name that the terms allow, where they name one. */
export function onlyName(terms: readonly FieldTerm[]): string | undefined {
  return terms.find(({ field, equal }) => field === 'metadata.name' && equal)?.value
}

function readerOf(field: string, type: ResourceType): (object: KubeObject) => string {
  if (field === 'metadata.name') return (object) => object.metadata.name ?? ''
  if (field === 'metadata.namespace' && (type.namespaced || !type.custom)) {
    return (object) => object.metadata.namespace ?? ''
  }
  const known = type.behaviour.strategy.fieldSelectors ?? {}
  const own = Object.hasOwn(known, field) ? known[field] : undefined
  if (own === undefined) throw unknownField(field, type, Object.keys(known).length > 0)
  return own
}

/** Kinds with fields of their own refuse in words of their own. */
function unknownField(field: string, { custom, group, resource }: ResourceType, ownFields: boolean): Error {
  if (group === 'batch' && resource === 'jobs') return badRequest(`field label ${goQuote(field)} not supported for Job`)
  if (custom || ownFields) return badRequest(`field label not supported: ${field}`)
  return badRequest(`${goQuote(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`)
}

/** Splits at commas that no backslash escapes. */
function splitTerms(text: string): string[] {
  return text.match(/(?:[^\\,]|\\.|\\$)+/gsu) ?? []
}

function parseTerm(term: string, whole: string): FieldTerm {
  const match = /^(.*?)(!=|==|=)(.*)$/su.exec(term)
  if (match === null) throw badRequest(`invalid selector: '${whole}'; can't understand '${term}'`)
  const [, field = '', operator, value = ''] = match
  return { field, value: unescapeValue(value), equal: operator !== '!=' }
}

function unescapeValue(value: string): string {
  let out = ''
  const characters = Array.from(value)
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? ''
    if (character === '=') throw badRequest('invalid field selector: unescaped character in value: 61')
    if (character !== '\\') {
      out += character
      continue
    }
    at++
    const escaped = characters[at] ?? ''
    if (!/^[\\,=]$/u.test(escaped)) throw badRequest(`invalid field selector: invalid escape sequence: \\${escaped}`)
    out += escaped
  }
  return out
}
