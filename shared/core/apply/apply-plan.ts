import type { Outcome, StepOutcome, SyncEvent } from '../../model/outcome.ts'
import { resourceKey } from '../../model/kubernetes.ts'
import type { Plan, Step } from '../../model/plan.ts'
import type { ClockPort, InventoryEntry, StorePort } from '../../model/ports.ts'
import { maskMessage } from '../drift/mask.ts'
import type { Pair } from '../pair.ts'
import { timeOf, type PassContext } from '../pass-context.ts'
import { isConflict } from './pinned-write.ts'
import { runStep, type StepContext } from './run-step.ts'
import { waitEstablished } from './wait-established.ts'

export type ApplyContext = StepContext & {
  readonly pairs: ReadonlyMap<string, Pair>
  readonly store: StorePort
  readonly clock: ClockPort
  readonly report: (event: SyncEvent) => void
}

/**
 * Carries a plan out, rank by rank. What is going to be owned is recorded before the first write (invariant 5), nothing is
 * written when any step was refused by the server's dry run, and nothing at all when there is nothing to do.
 */
export async function applyPlan(pass: PassContext, plan: Plan, pairs: readonly Pair[]): Promise<Outcome> {
  const context: ApplyContext = {
    ...pass.ports,
    pairs: new Map(pairs.map((pair) => [pair.key, pair])),
    trustedFor: (step) => pass.ignore.trustedFor(step.id),
    propagation: 'Foreground',
    report: pass.report,
    cancel: pass.cancel,
  }
  const startedAt = timeOf(context.clock)
  const outcomes = plan.steps.flatMap(refusedOutcome)
  const todo = plan.steps.filter((step) => step.action !== 'none' && step.readiness.kind === 'ready')
  context.report({ kind: 'planned', application: plan.application, total: todo.length })
  const blocked = outcomes.some((outcome) => outcome.result === 'SyncFailed')
  if (!blocked && todo.length > 0) {
    await recordOwned(plan, todo, context)
    await runRanks(todo, outcomes, context)
    await settleStore(plan, outcomes, context)
  }
  const outcome = summarize(plan, outcomes, blocked, startedAt, timeOf(context.clock))
  if (todo.length > 0) {
    await context.store.finish(plan.application, outcome, pass.application.revisionHistoryLimit, pass.cancel)
  }
  context.report({ kind: 'ended', outcome })
  return outcome
}

async function recordOwned(plan: Plan, todo: readonly Step[], context: ApplyContext): Promise<void> {
  const known = await context.store.inventory(plan.application, context.cancel)
  const fresh = todo.flatMap((step): readonly InventoryEntry[] => {
    const owned = step.action !== 'prune' && isTracked(step, context) && !known.has(resourceKey(step.id))
    return owned ? [{ id: step.id, version: versionOf(step), digest: '' }] : []
  })
  if (fresh.length > 0) await context.store.record(plan.application, fresh, context.cancel)
}

/** A namespace that is only made to have somewhere to sync to does not belong to the application. */
function isTracked(step: Step, context: ApplyContext): boolean {
  const pair = context.pairs.get(resourceKey(step.id))
  return pair !== undefined && !(pair.kind === 'missing' && pair.desired.support)
}

async function runRanks(todo: readonly Step[], outcomes: StepOutcome[], context: ApplyContext): Promise<void> {
  let done = 0
  for (const steps of Map.groupBy(todo, (step) => step.rank).values()) {
    const ended = steps.map(async (step) => {
      context.report({ kind: 'step-started', id: step.id, action: step.action, rank: step.rank })
      const outcome = await outcomeOf(step, context)
      outcomes.push(outcome)
      context.report({ kind: 'step-ended', outcome, done: ++done, total: todo.length })
    })
    await Promise.all(ended)
    await waitEstablished(steps, context)
  }
}

async function outcomeOf(step: Step, context: ApplyContext): Promise<StepOutcome> {
  const pair = context.pairs.get(resourceKey(step.id))
  const about = { id: step.id, apiVersion: step.apiVersion, action: step.action }
  if (pair === undefined) return { ...about, result: 'SyncFailed', message: 'the step has no object', moved: true }
  try {
    await runStep(step, pair, context)
    const verb = { create: 'created', update: 'configured', prune: 'pruned', none: 'unchanged' }[step.action]
    return { ...about, result: step.action === 'prune' ? 'Pruned' : 'Synced', message: verb, moved: false }
  } catch (error) {
    if (context.cancel.signal?.aborted === true) throw error
    const message = maskMessage(step.id, error instanceof Error ? error.message : String(error))
    return { ...about, result: 'SyncFailed', message, moved: isConflict(error) }
  }
}

/** After the writes: what was applied, by its digest, and what is no longer there. */
async function settleStore(plan: Plan, outcomes: readonly StepOutcome[], context: ApplyContext): Promise<void> {
  const applied: InventoryEntry[] = []
  for (const outcome of outcomes) {
    const pair = context.pairs.get(resourceKey(outcome.id))
    if (outcome.result !== 'Synced' || pair === undefined || pair.kind === 'extra') continue
    const { desired } = pair
    if (!desired.support) applied.push({ id: outcome.id, version: desired.gvk.version, digest: desired.digest })
  }
  const gone = outcomes.filter((outcome) => outcome.result === 'Pruned').map((outcome) => outcome.id)
  if (applied.length > 0) await context.store.record(plan.application, applied, context.cancel)
  if (gone.length > 0) await context.store.forget(plan.application, gone, context.cancel)
}

function refusedOutcome(step: Step): readonly StepOutcome[] {
  if (step.action === 'none' || step.readiness.kind === 'ready') return []
  const about = { id: step.id, apiVersion: step.apiVersion, action: step.action, moved: false }
  const result = step.action === 'prune' ? 'PruneSkipped' : 'SyncFailed'
  return [{ ...about, result, message: step.readiness.reason }]
}

function summarize(
  plan: Plan,
  steps: readonly StepOutcome[],
  blocked: boolean,
  startedAt: string,
  finishedAt: string,
): Outcome {
  const failed = steps.filter((step) => step.result === 'SyncFailed')
  const { revision } = plan
  if (failed.length === 0) {
    const message = steps.length === 0 ? 'nothing to do' : 'successfully synced'
    return { phase: 'Succeeded', message, startedAt, finishedAt, revision, steps }
  }
  const message = blocked
    ? 'one or more synchronization tasks are not valid; nothing was applied'
    : `one or more objects failed to apply: ${failed[0]?.message ?? ''}`
  return { phase: 'Failed', message, startedAt, finishedAt, revision, steps }
}

function versionOf(step: Step): string {
  return step.apiVersion.split('/').at(-1) ?? ''
}
