import type { Health, HealthCode } from '../../model/health.ts'

/** A health with its message, or without one where there is nothing to say. */
export function answer(status: HealthCode, message = ''): Health {
  return message === '' ? { status } : { status, message }
}
