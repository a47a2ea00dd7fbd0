import type { JsonObject } from '../model/json.ts'
import { parseApiVersion } from '../model/kubernetes.ts'
import type { Outcome, StepOutcome } from '../model/outcome.ts'
import type { ApplicationSnapshot } from '../model/status.ts'
import { revisionOf, sourcesOf } from './argo-source.ts'

/** `status.operationState`: what was asked for, and how each object fared. */
export function operationState(outcome: Outcome, snapshot: ApplicationSnapshot): JsonObject {
  const finished = outcome.phase !== 'Running' && outcome.phase !== 'Terminating'
  const steps = outcome.steps.filter(({ action }) => action !== 'none')
  return {
    ...(finished ? { finishedAt: outcome.finishedAt } : {}),
    message: outcome.message,
    operation: {
      initiatedBy: initiatorOf(outcome, snapshot),
      retry: {},
      sync: {
        ...(steps.some(({ action }) => action === 'prune') ? { prune: true } : {}),
        ...revisionOf(outcome.revision, snapshot),
      },
    },
    phase: outcome.phase,
    startedAt: outcome.startedAt,
    syncResult: {
      ...(steps.length === 0 ? {} : { resources: steps.map(resultOf) }),
      // Argo CD has `revision` there in any case, empty beside `revisions`.
      revision: '',
      ...revisionOf(outcome.revision, snapshot),
      ...sourcesOf(snapshot),
    },
  }
}

/** The history entry of the same sync tells who asked for it. */
function initiatorOf(outcome: Outcome, { history }: ApplicationSnapshot): JsonObject {
  const { initiatedBy } = outcome
  if (initiatedBy !== undefined) return initiatedBy.automated ? { automated: true } : { username: initiatedBy.username }
  const entry = history.find(({ deployStartedAt }) => deployStartedAt === outcome.startedAt)
  if (entry === undefined) return {}
  return entry.automated ? { automated: true } : { username: entry.initiatedBy }
}

/**
 * Argo CD's phase of a finished step: an apply stays at Running, since whether it came good is the object's health
 * (`gitops-engine/pkg/sync/sync_context.go`).
 */
const PHASES: Readonly<Record<StepOutcome['result'], string>> = {
  Synced: 'Running',
  SyncFailed: 'Failed',
  Pruned: 'Succeeded',
  PruneSkipped: 'Succeeded',
}

function resultOf({ id, apiVersion, result, message, phase, hookPhase }: StepOutcome): JsonObject {
  return {
    group: id.group,
    hookPhase: hookPhase ?? PHASES[result],
    ...(hookPhase === undefined || phase === undefined ? {} : { hookType: phase }),
    kind: id.kind,
    message,
    name: id.name,
    namespace: id.namespace,
    status: result,
    syncPhase: phase ?? 'Sync',
    version: parseApiVersion(apiVersion).version,
  }
}
