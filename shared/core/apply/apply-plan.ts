import type { Outcome, StepOutcome, SyncEvent } from '../../model/outcome.ts'
import type { Plan, Step } from '../../model/plan.ts'
import type { ClockPort, StorePort } from '../../model/ports.ts'
import { PRUNE_CONFIRMED } from '../guards.ts'
import type { HookTask } from '../hooks/hook-tasks.ts'
import type { OperationLog } from '../operation/operation-log.ts'
import type { Pair } from '../pair.ts'
import type { PassContext } from '../pass-context.ts'
import { pendingOf } from '../pending.ts'
import { heldByWindow } from '../project/forbidden.ts'
import type { Planned } from '../plan.ts'
import { checkHooks } from './check-hooks.ts'
import { endOperation, outcomeSoFar } from './end-operation.ts'
import { overdue } from './overdue.ts'
import type { StepContext } from './run-step.ts'
import { runSteps } from './run-steps.ts'
import { recordOwned, settleStore } from './settle-store.ts'

export type ApplyContext = StepContext & {
  readonly plan: Plan
  readonly pairs: ReadonlyMap<string, Pair>
  readonly hooks: readonly HookTask[]
  readonly log: OperationLog
  readonly store: StorePort
  readonly clock: ClockPort
  readonly report: (event: SyncEvent) => void
  /** Milliseconds that a wave or a hook may take. */
  readonly deadlineMs: number
  readonly historyLimit: number
  /** A selective sync leaves no history (Argo CD `docs/user-guide/selective_sync.md`). */
  readonly selective: boolean
}

/** An object that moves or does not come to rest is written this often in one sync. */
const MOST_TRIES = 4
const HALF_AN_HOUR = 30 * 60_000

/**
 * Carries out what of a plan may run now. `Running` means that there is more: a later wave, a hook that has not ended. What
 * is going to be owned is recorded before the first write (invariant 5), nothing is written when any step was refused by the
 * server's dry run, and nothing at all when there is nothing to do.
 */
export async function applyPlan(
  pass: PassContext,
  { plan, hooks, desired }: Planned,
  pairs: readonly Pair[],
  log: OperationLog,
): Promise<Outcome> {
  const context = contextOf(pass, { plan, hooks }, pairs, log)
  const { progress, steps } = plan
  const refused = steps.flatMap(refusedOutcome)
  const todo = steps.filter((step) => step.action !== 'none' && step.readiness.kind === 'ready')
  const total = log.done + progress.due
  context.report({ kind: 'planned', application: plan.application, total, wave: progress.wave, waves: progress.waves })

  const invalid = refused.find((outcome) => outcome.result === 'SyncFailed')
  if (!log.begun && !log.resumed) {
    const objection = pass.request.objection?.(plan, desired)
    if (objection !== undefined) return endOperation('Failed', objection, refused, context)
    if (invalid !== undefined) return endOperation('Failed', NOT_VALID, refused, context)
    if (pass.request.teardown === true && steps.some(waitsForYes))
      return endOperation('Failed', NOT_CONFIRMED, refused, context)
    if (progress.due === 0) return endOperation('Succeeded', 'nothing to do', refused, context)
    const wrong = hooks.length === 0 ? [] : await checkHooks(context, pendingOf(pairs))
    if (wrong.length > 0) return endOperation('Failed', NOT_VALID, [...refused, ...wrong], context)
  }
  await log.begin(context.cancel)
  if (log.operation.terminate) return endOperation('Failed', 'the sync was terminated', refused, context)
  tellHooks(context)
  const blocked = heldByWindow(pass)
  if (blocked !== undefined) return held(blocked, refused, context)

  const failure = log.operation.failure ?? progress.failure ?? invalid?.message ?? overdue(pass, context)
  if (failure !== undefined && log.operation.failure === undefined) return failing(failure, refused, context)
  const outcomes = await write(todo, context)
  const broken = failureIn(outcomes, log)
  if (failure === undefined && broken !== undefined) return failing(broken, refused, context)
  return after(failure, outcomes, refused, context)
}

/** A deletion waits whole, as in Argo CD (`controller/appcontroller.go`, finalizeApplicationDeletion). */
const NOT_CONFIRMED = 'the deletion asks for a confirmation; nothing was deleted'
const NOT_VALID = 'one or more synchronization tasks are not valid; nothing was applied'

function contextOf(
  pass: PassContext,
  planned: Pick<Planned, 'plan' | 'hooks'>,
  pairs: readonly Pair[],
  log: OperationLog,
): ApplyContext {
  return {
    ...pass.ports,
    ...planned,
    pairs: new Map(pairs.map((pair) => [pair.key, pair])),
    trustedFor: (step) => pass.ignore.trustedFor(step.id),
    ignoredIn: (step, live, desired) => pass.ignore.pathsFor(step.id, live, desired),
    log,
    deadlineMs: pass.request.deadlineMs ?? HALF_AN_HOUR,
    historyLimit: pass.application.revisionHistoryLimit,
    selective: pass.request.only !== undefined,
    report: pass.report,
    cancel: pass.cancel,
  }
}

/** Writes down how hooks fared since the last pass, and tells of those that have ended. */
function tellHooks({ hooks, log, report, plan }: ApplyContext): void {
  const { wave, waves } = plan.progress
  for (const { key, phase, state, message, desired, live } of hooks) {
    const known = log.operation.hooks[key]
    if (state === 'due' || known?.state === state) continue
    const uid = live?.uid ?? known?.uid
    log.hook(key, { state, ...(uid === undefined ? {} : { uid }), ...(message === '' ? {} : { message }) })
    const { id } = desired
    const outcome: StepOutcome = {
      id,
      apiVersion: desired.object.apiVersion,
      action: 'create',
      phase,
      hookPhase: state,
      moved: false,
      result: state === 'Failed' ? 'SyncFailed' : 'Synced',
      message: `${phase} hook ${state.toLowerCase()}${message === '' ? '' : `: ${message}`}`,
    }
    log.note(outcome)
    if (state === 'Running') continue
    log.done += 1
    report({ kind: 'step-ended', outcome, done: log.done, total: log.done + plan.progress.due, wave, waves })
  }
}

async function write(todo: readonly Step[], context: ApplyContext): Promise<readonly StepOutcome[]> {
  if (todo.length === 0) return []
  await recordOwned(todo, context)
  const outcomes = await runSteps(todo, context)
  await settleStore(outcomes, context)
  return outcomes
}

/** Why the steps that have just run end the sync; an object that has only moved is tried anew, so many times. */
function failureIn(outcomes: readonly StepOutcome[], log: OperationLog): string | undefined {
  let failure: string | undefined
  for (const outcome of outcomes) {
    const tries = log.note(outcome)
    if (outcome.result === 'SyncFailed' && (!outcome.moved || tries >= MOST_TRIES)) {
      failure ??= `one or more objects failed to apply: ${outcome.message}`
    } else if (tries > MOST_TRIES) {
      const { kind, name } = outcome.id
      failure ??= `${kind} ${name} still differs after it was written ${MOST_TRIES} times; something else keeps changing it`
    }
  }
  return failure
}

/** The failure is recorded before the hooks that it sets off run. */
async function failing(failure: string, refused: readonly StepOutcome[], context: ApplyContext): Promise<Outcome> {
  const { log, hooks, cancel } = context
  log.fail(failure)
  if (!hooks.some(({ phase, state }) => phase === 'SyncFail' && state === 'due')) {
    return endOperation('Failed', failure, refused, context)
  }
  await log.save(cancel)
  return outcomeSoFar('Running', failure, refused, context)
}

/** A window has closed over the sync: it goes on when the window opens. */
async function held(reason: string, refused: readonly StepOutcome[], context: ApplyContext): Promise<Outcome> {
  const { log, report, plan, cancel } = context
  await log.save(cancel)
  report({ kind: 'waiting', reason, wave: plan.progress.wave, waves: plan.progress.waves })
  return outcomeSoFar('Running', reason, refused, context)
}

async function after(
  failure: string | undefined,
  outcomes: readonly StepOutcome[],
  refused: readonly StepOutcome[],
  context: ApplyContext,
): Promise<Outcome> {
  const { plan, hooks, log, report, cancel } = context
  const { wave, waves, due, waitsFor } = plan.progress
  const written = outcomes.filter(({ moved }) => !moved).length
  const hooked =
    outcomes.some(({ hookPhase }) => hookPhase === 'Running') || hooks.some(({ state }) => state === 'Running')
  // What nobody waits for may become healthy after the sync has ended.
  const rest = due - written > 0 || hooked
  if (!rest) {
    if (failure !== undefined) return endOperation('Failed', failure, refused, context)
    return endOperation('Succeeded', 'successfully synced', refused, context)
  }
  await log.save(cancel)
  const reason = waitsFor[0] ?? (hooked ? 'hooks to end' : 'the wave to be healthy')
  report({ kind: 'waiting', reason, wave, waves })
  return outcomeSoFar('Running', waitsFor[0] ?? 'one or more tasks are running', refused, context)
}

function waitsForYes({ readiness }: Step): boolean {
  return readiness.kind === 'refused' && readiness.rule === PRUNE_CONFIRMED
}

function refusedOutcome(step: Step): readonly StepOutcome[] {
  if (step.action === 'none' || step.readiness.kind !== 'refused' || step.readiness.rule === 'hook-failed') return []
  const about = { id: step.id, apiVersion: step.apiVersion, action: step.action, moved: false }
  const result = step.action === 'prune' ? 'PruneSkipped' : 'SyncFailed'
  return [{ ...about, result, message: step.readiness.reason }]
}
