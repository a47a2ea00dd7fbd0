import { badRequest } from '../errors.ts'
import type { KubeObject } from '../object.ts'
import type { ResourceType } from './resource-type.ts'

export type ObjectMatcher = (object: KubeObject) => boolean

interface FieldTerm {
  readonly field: string
  readonly value: string
  readonly equal: boolean
}

/**
 * Parses a field selector for the fields that the type can be selected by.
 *
 * @throws StatusError 400 for syntax and for unknown fields, in the server's words.
 */
export function parseFieldSelector(text: string, type: ResourceType): ObjectMatcher | undefined {
  const terms = splitTerms(text)
    .filter((term) => term !== '')
    .map((term) => parseTerm(term, text))
  if (terms.length === 0) return undefined
  const known = type.behaviour.strategy.fieldSelectors ?? {}
  const tests = terms.map(({ field, value, equal }) => {
    const read = readerOf(field, known)
    return (object: KubeObject): boolean => (read(object) === value) === equal
  })
  return (object) => tests.every((test) => test(object))
}

/** The one name that the selector allows, where it names one: lists of it need no scan. */
export function selectedName(text: string): string | undefined {
  const terms = splitTerms(text).filter((term) => term !== '')
  for (const term of terms) {
    const match = /^metadata\.name==?([^!=]*)$/u.exec(term)
    if (match?.[1] !== undefined) return match[1]
  }
  return undefined
}

function readerOf(
  field: string,
  known: NonNullable<ResourceType['behaviour']['strategy']['fieldSelectors']>,
): (object: KubeObject) => string {
  if (field === 'metadata.name') return (object) => object.metadata.name ?? ''
  if (field === 'metadata.namespace') return (object) => object.metadata.namespace ?? ''
  const own = Object.hasOwn(known, field) ? known[field] : undefined
  if (own === undefined) throw unknownField(field, Object.keys(known))
  return own
}

function unknownField(field: string, known: readonly string[]): Error {
  if (known.length === 0) {
    return badRequest(
      `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`,
    )
  }
  return badRequest(`field label not supported: ${field}`)
}

/** Splits at commas that no backslash escapes. */
function splitTerms(text: string): string[] {
  return text.split(/(?<!\\),/u)
}

function parseTerm(term: string, whole: string): FieldTerm {
  const match = /^((?:[^=!\\]|\\.)*)(!=|==|=)((?:.|\\.)*)$/su.exec(term)
  if (match === null) {
    throw badRequest(`invalid selector: '${whole}'; can't understand '${term}'`)
  }
  const [, field = '', operator, value = ''] = match
  return { field, value: unescapeValue(value), equal: operator !== '!=' }
}

function unescapeValue(value: string): string {
  if (/(?<!\\)(?:\\\\)*=/u.test(value)) throw badRequest(`invalid field selector: unescaped character '=' in ${value}`)
  return value.replaceAll(/\\(.)/gu, '$1')
}
