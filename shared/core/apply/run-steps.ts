import type { StepOutcome } from '../../model/outcome.ts'
import { resourceKey } from '../../model/kubernetes.ts'
import type { Step } from '../../model/plan.ts'
import { messageAbout } from '../drift/mask.ts'
import type { ApplyContext } from './apply-plan.ts'
import { isConflict } from './pinned-write.ts'
import { runStep } from './run-step.ts'
import { startHook } from './start-hook.ts'
import { waitEstablished } from './wait-established.ts'

/** Runs the steps of one wave, rank by rank. */
export async function runSteps(steps: readonly Step[], context: ApplyContext): Promise<readonly StepOutcome[]> {
  const { log, plan, report } = context
  const { wave, waves } = plan.progress
  const total = log.done + plan.progress.due
  const outcomes: StepOutcome[] = []
  for (const rank of Map.groupBy(steps, (step) => step.rank).values()) {
    const ended = rank.map(async (step) => {
      report({ kind: 'step-started', id: step.id, action: step.action, rank: step.rank })
      const outcome = await outcomeOf(step, context)
      outcomes.push(outcome)
      // A hook has only begun.
      if (outcome.hookPhase === 'Running') return
      log.done += 1
      report({ kind: 'step-ended', outcome, done: log.done, total, wave, waves })
    })
    await Promise.all(ended)
    await waitEstablished(rank, context)
    await log.renew(context.cancel)
  }
  return outcomes
}

async function outcomeOf(step: Step, context: ApplyContext): Promise<StepOutcome> {
  const about = { id: step.id, apiVersion: step.apiVersion, action: step.action, phase: step.phase, moved: false }
  try {
    if (step.hook !== undefined) {
      await startHook(step, context)
      return { ...about, result: 'Synced', message: 'started', hookPhase: 'Running' }
    }
    const pair = context.pairs.get(resourceKey(step.id))
    if (pair === undefined) return { ...about, result: 'SyncFailed', message: 'the step has no object', moved: true }
    await runStep(step, pair, context)
    const verb = { create: 'created', update: 'configured', prune: 'pruned', none: 'unchanged' }[step.action]
    return { ...about, result: step.action === 'prune' ? 'Pruned' : 'Synced', message: verb }
  } catch (error) {
    if (context.cancel.signal?.aborted === true) throw error
    const message = messageAbout(step.id, error)
    const hook = step.hook === undefined ? {} : { hookPhase: 'Failed' as const }
    return { ...about, ...hook, result: 'SyncFailed', message, moved: step.hook === undefined && isConflict(error) }
  }
}
