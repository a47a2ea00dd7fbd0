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
    return { stage: 'drift', reason: 'unknown-kind', message: unknownKind(kind, apiVersion) }
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
    return withRemedy(failureOf(desired.id, error), desired)
  }
}

function unknownKind(kind: string, apiVersion: string): string {
  return `the server has no ${kind} in ${apiVersion}; its definition has to be there first, or be a part of this application`
}

/** A namespace that is not there is the one thing missing that a sync could make. */
function withRemedy(failure: Failure, { id }: Desired): Failure {
  if (failure.reason !== 'not-found' || id.namespace === '') return failure
  const remedy = `make the namespace ${id.namespace} first, or set the sync option CreateNamespace=true`
  return { ...failure, message: `${failure.message}; ${remedy}` }
}
