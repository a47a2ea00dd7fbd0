import type { ObjectDrift } from '../model/drift.ts'
import { groupKindKey } from '../model/kubernetes.ts'
import type { Plan, Step, StepAction, StepReadiness } from '../model/plan.ts'
import type { Judgement } from '../model/ports.ts'
import type { Revision } from '../model/revision.ts'
import { guard, type GuardContext } from './guards.ts'
import { compareForApply, kindRank } from './order.ts'
import type { Pair } from './pair.ts'
import type { PassContext } from './pass-context.ts'
import { pendingOf } from './pending.ts'

/** Prunes come after everything that is applied, in the opposite order. */
const PRUNE_RANK = 1000
/** Custom resources come after the definitions of the same sync. */
const CUSTOM_RANK = 500

/** What a sync would do, whole, before its first step. Objects in sync have no step. */
export function planSync(
  { application, request }: PassContext,
  pairs: readonly Pair[],
  drift: readonly ObjectDrift[],
  { judgement, revision }: { readonly judgement: Judgement | undefined; readonly revision: Revision },
): Plan {
  const emptyTarget = pairs.every((one) => one.kind === 'extra')
  const context: GuardContext = { application, request, judgement, emptyTarget }
  const definedHere = pendingOf(pairs).kinds
  const steps: Step[] = []
  // Drift was found pair by pair, in the same order.
  for (const [index, object] of drift.entries()) {
    const pair = pairs[index]
    if (pair === undefined || object.state === 'synced') continue
    if (request.only !== undefined && !request.only(pair.id)) continue
    steps.push(step(object, pair, context, definedHere))
  }
  steps.sort((a, b) => a.rank - b.rank || compareForApply(a.id, b.id))
  return { application: application.name, revision: revision.sha, steps }
}

function step(drift: ObjectDrift, pair: Pair, context: GuardContext, definedHere: ReadonlySet<string>): Step {
  const action = actionOf(drift)
  return {
    id: drift.id,
    apiVersion: drift.apiVersion,
    action,
    reason: reasonOf(drift),
    fields: drift.fields,
    rank: rankOf(drift, action, definedHere),
    readiness: readinessOf(drift, action, pair, context),
    ...(drift.uid === undefined ? {} : { uid: drift.uid }),
    ...(drift.resourceVersion === undefined ? {} : { resourceVersion: drift.resourceVersion }),
  }
}

function actionOf(drift: ObjectDrift): StepAction {
  switch (drift.state) {
    case 'missing':
      return 'create'
    case 'changed':
    case 'unknown':
      return 'update'
    case 'extra':
      return 'prune'
    case 'synced':
      return 'none'
  }
}

function reasonOf(drift: ObjectDrift): string {
  switch (drift.state) {
    case 'missing':
      return 'Git has it, the cluster does not'
    case 'changed':
      return drift.fields.length === 1 ? '1 field differs' : `${drift.fields.length} fields differ`
    case 'unknown':
      return 'its state could not be found out'
    case 'extra':
      return 'the cluster has it, Git no longer does'
    case 'synced':
      return 'in sync'
  }
}

function readinessOf(drift: ObjectDrift, action: StepAction, pair: Pair, context: GuardContext): StepReadiness {
  if (action === 'none') return { kind: 'ready' }
  const guarded = guard(pair, context)
  if (guarded.kind !== 'ready' || drift.failure === undefined) return guarded
  return { kind: 'refused', rule: `server:${drift.failure.reason}`, reason: drift.failure.message }
}

function rankOf(drift: ObjectDrift, action: StepAction, definedHere: ReadonlySet<string>): number {
  const rank = kindRank(drift.id.kind) + (definedHere.has(groupKindKey(drift.id)) ? CUSTOM_RANK : 0)
  return action === 'prune' ? PRUNE_RANK + CUSTOM_RANK * 2 - rank : rank
}
