import type { Health, HealthCode } from '../../model/health.ts'

/** A health with its message, or without one where there is nothing to say. */
export function answer(status: HealthCode, message = ''): Health {
  return message === '' ? { status } : { status, message }
}

/** `1 pod is`, `2 pods are`. */
export function podsAre(count: number): string {
  return count === 1 ? '1 pod is' : `${count} pods are`
}
