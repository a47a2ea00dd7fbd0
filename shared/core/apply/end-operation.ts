import type { OperationPhase, Outcome, StepOutcome } from '../../model/outcome.ts'
import { timeOf } from '../pass-context.ts'
import type { HookTask } from '../hooks/hook-tasks.ts'
import type { ApplyContext } from './apply-plan.ts'
import { forgetGone } from './forget-gone.ts'

/** Ends a sync: hooks go as their policies say, the store keeps the outcome, and whoever watches is told. */
export async function endOperation(
  phase: 'Succeeded' | 'Failed',
  message: string,
  refused: readonly StepOutcome[],
  context: ApplyContext,
): Promise<Outcome> {
  const { log, store, plan, report, cancel, historyLimit, selective } = context
  if (log.begun) await removeHooks(context)
  if (phase === 'Succeeded' && !selective) await forgetGone(context)
  const outcome = outcomeSoFar(phase, message, refused, context)
  // What did nothing and found nothing wrong leaves no trace.
  if (log.begun || phase === 'Failed') {
    const recorded = phase === 'Succeeded' && !selective
    await store.finish(plan.application, outcome, { limit: historyLimit, recorded, ended: log.begun }, cancel)
  }
  report({ kind: 'ended', outcome })
  return outcome
}

export function outcomeSoFar(
  phase: OperationPhase,
  message: string,
  refused: readonly StepOutcome[],
  { log, plan, clock }: ApplyContext,
): Outcome {
  const { startedAt, initiatedBy, steps, sources, revisions, healAttempt } = log.operation
  return {
    phase,
    message,
    startedAt,
    finishedAt: timeOf(clock),
    revision: plan.revision,
    steps: [...steps, ...refused],
    sources,
    revisions,
    ...(healAttempt === undefined ? {} : { healAttempt }),
    ...(initiatedBy.username === '' && !initiatedBy.automated ? {} : { initiatedBy }),
  }
}

/**
 * HookSucceeded and HookFailed come true when the sync ends, as Argo CD has it; hooks that still run then were given up. How
 * all of them fared is recorded before the first of them goes, so that none runs again after a kill.
 */
async function removeHooks(context: ApplyContext): Promise<void> {
  const { hooks, log, store, plan, cancel } = context
  const gone = hooks.filter((hook) => hook.live !== undefined && isGoing(hook, context))
  if (gone.length === 0) return
  for (const { key, state, live, message } of gone) {
    if (state !== 'Running' || log.operation.hooks[key]?.state === 'Failed') continue
    log.hook(key, { state: 'Failed', message: message || 'given up', ...(live === undefined ? {} : { uid: live.uid }) })
  }
  await log.save(cancel)
  for (const { desired, live } of gone) {
    if (live === undefined) continue
    const { gvk, id } = desired
    await context.cluster.delete({ gvk, id, uid: live.uid, propagation: 'Foreground' }, cancel)
  }
  await store.forget(
    plan.application,
    gone.map(({ desired }) => desired.id),
    cancel,
  )
}

function isGoing({ key, policies, state, live }: HookTask, { log }: ApplyContext): boolean {
  const run = log.operation.hooks[key]
  // Another operation's, or one that this sync did not come to.
  if (run === undefined || state === 'due' || (run.uid !== undefined && run.uid !== live?.uid)) return false
  if (state === 'Running') return true
  return policies.includes(run.state === 'Failed' ? 'HookFailed' : 'HookSucceeded')
}
