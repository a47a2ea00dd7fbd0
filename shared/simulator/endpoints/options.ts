import { badRequest, invalid, plainError } from '../errors.ts'
import { forbidden as forbiddenField, goQuote, notSupported, required, tooLong } from '../kinds/field-error.ts'
import type { FieldError } from '../kinds/field-error.ts'
import type { ResourceRequest } from './server-context.ts'

export type FieldValidation = 'Ignore' | 'Warn' | 'Strict'

/** The query options of a write. */
export interface WriteOptions {
  readonly dryRun: boolean
  readonly fieldValidation: FieldValidation
  /** Who the write is recorded for in managedFields. */
  readonly manager: string
  readonly force: boolean
}

const validations: readonly string[] = ['Ignore', 'Strict', 'Warn']

/**
 * Reads and checks CreateOptions, UpdateOptions or PatchOptions (apimachinery `meta/v1/validation`).
 *
 * @throws StatusError 422 that names the options kind.
 */
export function writeOptions(
  { query, request }: ResourceRequest,
  kind: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions',
  apply = false,
): WriteOptions {
  const errors: FieldError[] = []
  const fieldManager = query.get('fieldManager') ?? ''
  if (kind === 'PatchOptions') {
    if (apply && fieldManager === '') errors.push(required('fieldManager', 'is required for apply patch'))
    if (!apply && query.has('force')) {
      errors.push(forbiddenField('force', 'may not be specified for non-apply patch'))
    }
  }
  if (Buffer.byteLength(fieldManager) > 128) errors.push(tooLong('fieldManager', 128))
  for (const [at, character] of Array.from(fieldManager).entries()) {
    if (/[\p{C}\p{Z}]/u.test(character) && character !== ' ') {
      errors.push({
        type: 'Invalid',
        field: 'fieldManager',
        value: fieldManager,
        detail: `invalid character U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')} (at position ${at})`,
      })
    }
  }
  const dryRun = query.getAll('dryRun')
  if (dryRun.some((value) => value !== 'All')) {
    const bad = dryRun.length === 1 ? dryRun[0] : dryRun
    errors.push(notSupported('dryRun', dryRun.length === 1 ? [bad] : bad, ['All']))
  }
  const fieldValidation = query.get('fieldValidation') ?? ''
  if (fieldValidation !== '' && !validations.includes(fieldValidation)) {
    errors.push(notSupported('fieldValidation', fieldValidation, ['', ...validations]))
  }
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', name: kind }, '', errors)
  return {
    dryRun: dryRun.length > 0,
    fieldValidation: fieldValidation === '' ? 'Warn' : (fieldValidation as FieldValidation),
    manager: fieldManager === '' ? managerOf(request.headers?.['user-agent']) : fieldManager,
    force: booleanOption(query, 'force'),
  }
}

/** The first part of the user agent, as far as it can be printed. */
function managerOf(userAgent = ''): string {
  const first = (userAgent.split('/')[0] ?? '').replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
  return first === '' ? 'unknown' : first.slice(0, 128)
}

/** A boolean of the query: anything but `false` and `0` means yes (apimachinery, `Convert_Slice_string_To_bool`). */
export function booleanOption(query: URLSearchParams, name: string): boolean {
  const value = query.get(name)
  return value !== null && value !== '0' && value.toLowerCase() !== 'false'
}

/** A whole number of the query; undefined where it is absent. */
export function integerOption(query: URLSearchParams, name: string): number | undefined {
  const value = query.get(name)
  if (value === null) return undefined
  const problem = integerProblem(value, -(2n ** 63n), 2n ** 63n - 1n)
  if (problem !== undefined) throw badRequest(`strconv.ParseInt: parsing ${goQuote(value)}: ${problem}`)
  return Number(value)
}

function integerProblem(text: string, least: bigint, most: bigint): string | undefined {
  if (!/^[+-]?\d+$/u.test(text)) return 'invalid syntax'
  const value = BigInt(text.replace('+', ''))
  return value < least || value > most ? 'value out of range' : undefined
}

/** The resourceVersion a client names: undefined for none. */
export function resourceVersionOption(text: string | null | undefined, isList = false): number | undefined {
  if (text === null || text === undefined || text === '') return undefined
  const detail = /^\d*$/u.test(text) ? integerProblem(text, 0n, 2n ** 64n - 1n) : 'invalid syntax'
  if (detail !== undefined) {
    const shown = goQuote(text)
    const problem = `resourceVersion: Invalid value: ${shown}: strconv.ParseUint: parsing ${shown}: ${detail}`
    throw isList ? badRequest(`invalid resource version: ${problem}`) : plainError(problem)
  }
  return Number(text)
}
