import type { Failure } from '../../model/failure.ts'
import type { ResourceId } from '../../model/kubernetes.ts'
import type { LiveObject } from '../../model/live.ts'
import type { Desired } from '../desired.ts'
import { findForeign, type Finding } from './classify.ts'
import { differences } from './differences.ts'
import type { Foreign } from './foreign.ts'
import { fieldValue, messageAbout } from './mask.ts'
import type { Sent } from './sent.ts'
import { isSystemField } from './system-fields.ts'

/** What can be said without the server: wanted values that the live object does not have. Marked `local`, a guess. */
export function localFindings(
  desired: Desired,
  sent: Sent,
  live: LiveObject,
  foreign: readonly Foreign[],
): readonly Finding[] {
  const wanted = differences(sent.object, live.object, desired.kind?.schema)
    .filter((difference) => difference.left !== undefined && !isSystemField(difference.fields))
    .map((difference) => ({
      path: difference.path,
      fields: difference.fields,
      kind: 'changed' as const,
      counts: true,
      desired: fieldValue(desired.id, difference.path, difference.left),
      live: fieldValue(desired.id, difference.path, difference.right),
    }))
  return [...wanted, ...foreign.map((field) => findForeign(desired, field, 'added-foreign', true))]
}

/** An error of the cluster as data, without a Secret's values. */
export function failureOf(id: ResourceId, error: unknown): Failure {
  const reason = (error as { readonly reason?: unknown } | null)?.reason
  return {
    stage: 'drift',
    reason: typeof reason === 'string' ? reason : 'server-error',
    message: messageAbout(id, error),
  }
}
