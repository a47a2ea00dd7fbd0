import type { Failure } from '../../model/failure.ts'
import { groupKindKey } from '../../model/kubernetes.ts'
import type { Desired } from '../desired.ts'
import { fieldValidationFor, hasSyncOption } from '../options.ts'
import { failureOf } from './fallback.ts'
import type { DriftContext } from './find-drift.ts'
import { FIELD_MANAGER } from './trust.ts'

/**
 * Whether the server would take a new object, by a dry run. Objects that wait for a namespace or a definition of the same
 * sync cannot be tried before it is there; they are taken for good until then.
 */
export async function creationFailure(desired: Desired, context: DriftContext): Promise<Failure | undefined> {
  const { application, pending, cluster, cancel } = context
  if (pending.kinds.has(groupKindKey(desired.gvk))) return undefined
  if (desired.kind === undefined) {
    // Something else may bring the definition before the step runs.
    if (hasSyncOption(application, desired.object, 'SkipDryRunOnMissingResource', 'true')) return undefined
    const { apiVersion, kind } = desired.object
    return { stage: 'drift', reason: 'unknown-kind', message: `the server has no ${kind} in ${apiVersion}` }
  }
  if (pending.namespaces.has(desired.id.namespace)) return undefined
  try {
    const request = {
      object: desired.object,
      fieldManager: FIELD_MANAGER,
      force: true,
      fieldValidation: fieldValidationFor(application, desired.object),
    }
    await cluster.dryRunApply(request, cancel)
    return undefined
  } catch (error) {
    return failureOf(desired.id, error)
  }
}
