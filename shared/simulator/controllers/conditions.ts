import type { Json } from '../kinds/json.ts'
import { objectsAt, textAt } from '../kinds/json.ts'

/** One condition of a status as a controller wants it. */
export interface Condition {
  readonly type: string
  readonly status: 'True' | 'False' | 'Unknown'
  readonly reason: string
  readonly message: string
}

export function conditionOf(status: Json | undefined, type: string): Json | undefined {
  return objectsAt(status, 'conditions').find((condition) => condition['type'] === type)
}

/**
 * The conditions with one set: nothing changes where status and reason are the same; the transition time moves with the
 * status alone. `withUpdateTime` for kinds that have `lastUpdateTime`.
 */
export function withCondition(
  conditions: readonly Json[],
  wanted: Condition,
  now: string,
  withUpdateTime = false,
): readonly Json[] {
  const known = conditions.find((condition) => condition['type'] === wanted.type)
  if (known && known['status'] === wanted.status && known['reason'] === wanted.reason) return conditions
  const since = known && known['status'] === wanted.status ? textAt(known, 'lastTransitionTime') : now
  const made: Json = { ...wanted, ...(withUpdateTime && { lastUpdateTime: now }), lastTransitionTime: since }
  return [...conditions.filter((condition) => condition['type'] !== wanted.type), made]
}

export function withoutCondition(conditions: readonly Json[], type: string): readonly Json[] {
  return conditions.some((condition) => condition['type'] === type)
    ? conditions.filter((condition) => condition['type'] !== type)
    : conditions
}

/** Milliseconds of an RFC 3339 time; 0 where there is none. */
export function timeMs(text: unknown): number {
  return typeof text === 'string' && text !== '' ? Date.parse(text) : 0
}
