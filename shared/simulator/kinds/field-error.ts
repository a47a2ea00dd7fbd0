/**
 * One refused field, as `field.Error` of apimachinery `pkg/util/validation/field/errors.go`. The order of a list of them is the
 * order in which the server names them.
 */
export interface FieldError {
  readonly type: FieldErrorType
  /** Dotted path with indexes and keys: `spec.containers[0].name`, `metadata.labels[a/b]`; `<nil>` for the object itself. */
  readonly field: string
  /**
   * What was refused. A value that a Go server would print from an internal struct comes in the shape of that struct
   * (its own field names, in its order), see {@link goView} in `go-view.ts`.
   */
  readonly value?: unknown
  readonly detail: string
}

/** The part of the reason that follows `FieldValue`, and `InternalError`. */
export type FieldErrorType =
  | 'NotFound'
  | 'Required'
  | 'Duplicate'
  | 'Invalid'
  | 'NotSupported'
  | 'Forbidden'
  | 'TooLong'
  | 'TooMany'
  | 'TooFew'
  | 'TooShort'
  | 'TypeInvalid'
  | 'InternalError'

const titles: Readonly<Record<FieldErrorType, string>> = {
  NotFound: 'Not found',
  Required: 'Required value',
  Duplicate: 'Duplicate value',
  Invalid: 'Invalid value',
  NotSupported: 'Unsupported value',
  Forbidden: 'Forbidden',
  TooLong: 'Too long',
  TooMany: 'Too many',
  TooFew: 'Too few',
  TooShort: 'Too short',
  TypeInvalid: 'Invalid value',
  InternalError: 'Internal error',
}

const withoutValue: ReadonlySet<FieldErrorType> = new Set([
  'Required',
  'Forbidden',
  'TooLong',
  'TooShort',
  'InternalError',
])

/** Stands for a value that the message leaves out (`field.OmitValueType`). */
export const omittedValue: unique symbol = Symbol('omitted value')

/** The `reason` of the error in `details.causes`. */
export function causeReason(error: FieldError): string {
  return error.type === 'InternalError' ? 'InternalError' : `FieldValue${error.type}`
}

/** The `message` of the error in `details.causes`: everything but the path. */
export function errorBody(error: FieldError): string {
  const title = titles[error.type]
  const shown =
    withoutValue.has(error.type) || error.value === omittedValue ? title : `${title}: ${goJson(error.value)}`
  return error.detail === '' ? shown : `${shown}: ${error.detail}`
}

/** Path and body, as the server lists errors in the message of an Invalid answer. */
export function errorText(error: FieldError): string {
  return `${error.field}: ${errorBody(error)}`
}

/** JSON as Go's encoder writes it into an error: `<`, `>` and `&` escaped inside structures, a bare string merely quoted. */
function goJson(value: unknown): string {
  if (typeof value === 'string') return goQuote(value)
  if (value === undefined) return 'null'
  return JSON.stringify(value).replaceAll(/[<>&\u2028\u2029]/gu, unicodeEscape)
}

function unicodeEscape(c: string): string {
  return `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`
}

const shortEscapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
}

/** A string as Go's `%q` prints it. */
export function goQuote(text: string): string {
  const escaped = text.replaceAll(/["\\]|[^\x20-\x7e]/gu, (c) => {
    const short = shortEscapes[c]
    if (short !== undefined) return short
    const code = c.codePointAt(0) ?? 0
    if (code < 0x20 || code === 0x7f) return `\\x${code.toString(16).padStart(2, '0')}`
    if (/[\p{L}\p{M}\p{N}\p{P}\p{S}]/u.test(c)) return c
    return code > 0xffff ? `\\U${code.toString(16).padStart(8, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`
  })
  return `"${escaped}"`
}

/** Validation has found more than anybody reads. */
export class TooManyErrors extends Error {
  static is(error: unknown): error is TooManyErrors {
    return error instanceof TooManyErrors
  }
}

/** How many more may be made; undefined where nobody counts. */
let left: number | undefined

/** Runs a validation. @throws TooManyErrors once it has made more errors than `most`. */
export function countingErrors<T>(most: number, validate: () => T): T {
  left = most
  try {
    return validate()
  } finally {
    left = undefined
  }
}

function make(error: FieldError): FieldError {
  if (left !== undefined && --left < 0) throw new TooManyErrors('too many errors')
  return error
}

/** Makers in the server's words. */
export function required(field: string, detail = ''): FieldError {
  return make({ type: 'Required', field, value: '', detail })
}
export function invalid(field: string, value: unknown, detail: string): FieldError {
  return make({ type: 'Invalid', field, value, detail })
}
export function forbidden(field: string, detail: string): FieldError {
  return make({ type: 'Forbidden', field, value: '', detail })
}
export function duplicate(field: string, value: unknown): FieldError {
  return make({ type: 'Duplicate', field, value, detail: '' })
}
export function notFoundValue(field: string, value: unknown): FieldError {
  return make({ type: 'NotFound', field, value, detail: '' })
}
export function notSupported(field: string, value: unknown, valid: readonly string[]): FieldError {
  const detail = valid.length === 0 ? '' : `supported values: ${valid.map(goQuote).join(', ')}`
  return make({ type: 'NotSupported', field, value, detail })
}
export function tooLong(field: string, max: number): FieldError {
  return make({
    type: 'TooLong',
    field,
    value: omittedValue,
    detail: `may not be more than ${max} byte${max === 1 ? '' : 's'}`,
  })
}
export function tooMany(field: string, actual: number, max: number): FieldError {
  return make({ type: 'TooMany', field, value: actual, detail: `must have at most ${max} item${max === 1 ? '' : 's'}` })
}
