import { badRequest } from '../errors.ts'

/** The kind of a JSON value, as Go's decoder names it in its errors. */
export function jsonKind(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  switch (typeof value) {
    case 'boolean':
      return 'bool'
    case 'bigint':
      return 'number'
    default:
      return typeof value
  }
}

/**
 * Refuses what is nested too deep to be walked.
 * @throws StatusError 400
 */
export function guarded<T>(work: () => T, prefix = 'error decoding patch: '): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof RangeError) throw badRequest(`${prefix}invalid character '{' exceeded max depth`)
    throw error
  }
}
