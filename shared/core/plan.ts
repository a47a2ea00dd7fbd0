import type { ObjectDrift } from '../model/drift.ts'
import { groupKindKey, type ResourceId } from '../model/kubernetes.ts'
import type { Operation } from '../model/outcome.ts'
import type { Plan, PlanProgress, Step, StepReadiness } from '../model/plan.ts'
import type { Judgement, LiveView } from '../model/ports.ts'
import type { Revision } from '../model/revision.ts'
import type { DesiredState } from './desired.ts'
import { withEffects } from './effects.ts'
import { guard, type GuardContext } from './guards.ts'
import { hookTasks, type HookTask } from './hooks/hook-tasks.ts'
import { compareForApply, kindRank } from './order.ts'
import type { Pair } from './pair.ts'
import type { PassContext } from './pass-context.ts'
import { goingOf, pendingOf, waitsFor, type Pending } from './pending.ts'
import { forbiddenNow } from './project/forbidden.ts'
import { resourceViolation } from './project/violations.ts'
import { compareStages, stageKey, stageWords, type Stage } from './stages.ts'
import { standingOf, type Standing } from './standing.ts'
import { hookStep, objectStep, serverRefusal } from './step.ts'
import { tasksOf, type Task } from './tasks.ts'

/** What the planner has learnt from the stages before it. */
export type PlanInputs = {
  readonly desired: DesiredState
  readonly live: LiveView
  readonly judgement: Judgement | undefined
  readonly revision: Revision
  /** The sync that is under way; undefined where a pass only looks. */
  readonly operation: Operation | undefined
}

/** The plan, and the runs of hooks that its steps name, done ones included. */
export type Planned = {
  readonly plan: Plan
  readonly hooks: readonly HookTask[]
  readonly desired: DesiredState
}

/** What a sync would do, whole, before its first step. Objects in sync have no step. */
export function planSync(
  pass: PassContext,
  pairs: readonly Pair[],
  drift: readonly ObjectDrift[],
  { desired, live, judgement, revision, operation }: PlanInputs,
): Planned {
  const { application, request } = pass
  const teardown = request.teardown === true
  // Hooks do not run in a selective sync (Argo CD `docs/user-guide/selective_sync.md`).
  const hooks =
    request.only !== undefined || request.hooks === false || desired.hooks.length === 0
      ? []
      : hookTasks(desired.hooks, {
          live,
          operation,
          revision: revision.sha,
          teardown,
          application: application.name,
          health: pass.health,
        })
  const tasks = tasksOf(pass, pairs, drift, hooks)
  const emptyTarget = pairs.every((one) => one.kind === 'extra')
  const { project } = pass
  const forbidden = forbiddenNow(pass)
  const context = {
    application,
    request,
    judgement,
    emptyTarget,
    wants: (kind: string) => [...desired.objects.values()].some(({ gvk }) => groupKindKey(gvk) === kind),
    operation,
    project,
    forbidden,
    approvedSince: pass.slot.log?.approvedSince,
  }
  const items = drafted(pass, tasks, context, goingOf(pairs))
  const progress = progressOf(items, operation)
  const steps = items.flatMap((item) => stepOf(item, progress))
  const plan = {
    application: application.name,
    revision: revision.sha,
    steps: withEffects(ranked(steps, pairs), pairs),
    progress: progress.told,
  }
  return { plan, hooks, desired }
}

/** A task with its step, where there is anything to do for it. */
type Item = {
  readonly task: Task
  readonly draft: Omit<Step, 'rank' | 'readiness'> | undefined
  readonly standing: Standing
}

function drafted(pass: PassContext, tasks: readonly Task[], context: GuardContext, going: Pending): readonly Item[] {
  const last = tasks.reduce<Stage | undefined>((latest, { stage }) => {
    if (stage.phase === 'SyncFail') return latest
    return latest === undefined || compareStages(stage, latest) > 0 ? stage : latest
  }, undefined)
  return tasks.map((task): Item => {
    const { stage } = task
    const gates = last !== undefined && compareStages(stage, last) < 0
    if (task.kind === 'hook') {
      const { id } = task.hook.desired
      const readiness = hookReadiness(task.hook, context)
      const standing = heldUp(id, standingOf(task, readiness, context.operation, gates, pass.health), going)
      const draft = standing.kind === 'done' ? undefined : hookStep(pass, task.hook, stage)
      return { task, draft, standing }
    }
    const { pair, drift } = task
    const draft = drift.state === 'synced' ? undefined : objectStep(pass, pair, drift, stage)
    const readiness = draft === undefined ? READY : guarded(pair, drift, draft, context)
    const standing = heldUp(pair.id, standingOf(task, readiness, context.operation, gates, pass.health), going)
    const anew = draft === undefined && standing.kind === 'due'
    return { task, draft: anew ? madeAnew(pass, task) : draft, standing }
  })
}

const READY: StepReadiness = { kind: 'ready' }

/** Nothing can be made in a namespace, or of a kind, that is being deleted. */
function heldUp(id: ResourceId, standing: Standing, going: Pending): Standing {
  const first = standing.kind === 'due' ? waitsFor(id, going) : undefined
  return first === undefined ? standing : { kind: 'waiting', reason: `${first} to be gone`, more: true }
}

function hookReadiness(
  { desired }: HookTask,
  { application, judgement, project, forbidden }: GuardContext,
): StepReadiness {
  const violation = project === undefined ? undefined : resourceViolation(application, project, desired.id)
  const [reason] = [judgement?.refusal, ...forbidden, violation].filter((text) => text !== undefined)
  return reason === undefined ? READY : { kind: 'refused', rule: 'project-allows', reason }
}

function guarded(
  pair: Pair,
  drift: ObjectDrift,
  draft: Omit<Step, 'rank' | 'readiness'>,
  context: GuardContext,
): StepReadiness {
  const readiness = guard(pair, context)
  return readiness.kind === 'ready' ? (serverRefusal(drift, draft) ?? readiness) : readiness
}

function madeAnew(pass: PassContext, { pair, drift, stage }: Task & { readonly kind: 'object' }): Item['draft'] {
  const draft = objectStep(pass, pair, drift, stage)
  return { ...draft, action: 'update', reason: 'its options Force and Replace make it anew at every sync' }
}

type Progress = { readonly told: PlanProgress; readonly current: Stage | undefined }

/** Level-triggered: which wave may run now is found from the state of things alone, in each pass anew. */
function progressOf(items: readonly Item[], operation: Operation | undefined): Progress {
  const failing = operation?.failure !== undefined
  const inPlay = items.filter(({ task }) => (task.stage.phase === 'SyncFail') === failing)
  const stages = [...new Map(inPlay.map(({ task }) => [stageKey(task.stage), task.stage])).values()].sort(compareStages)
  const due = inPlay.filter(({ standing }) => standing.kind === 'due' || isMoreToCome(standing)).length
  for (const [index, stage] of stages.entries()) {
    const here = inPlay.filter(({ task }) => compareStages(task.stage, stage) === 0).map(({ standing }) => standing)
    const runs = here.some(({ kind }) => kind === 'due')
    const failed = here.find((one) => one.kind === 'failed' && (one.atOnce || !runs))
    const waitsFor = here.flatMap((one) => (one.kind === 'waiting' ? [one.reason] : []))
    if (failed === undefined && !runs && waitsFor.length === 0) continue
    const wave = { wave: index + 1, waves: stages.length, due, waitsFor }
    // A SyncFail hook that fails changes nothing about the sync, which has failed already.
    if (failed?.kind !== 'failed' || failing) return { told: { ...wave, ...failureOf(operation) }, current: stage }
    return { told: { ...wave, failure: failed.reason }, current: undefined }
  }
  return { told: { wave: 0, waves: stages.length, due, waitsFor: [], ...failureOf(operation) }, current: undefined }
}

function isMoreToCome(standing: Standing): boolean {
  return standing.kind === 'waiting' && standing.more
}

function failureOf(operation: Operation | undefined): { readonly failure?: string } {
  return operation?.failure === undefined ? {} : { failure: operation.failure }
}

function stepOf({ task, draft, standing }: Item, { told, current }: Progress): readonly Omit<Step, 'rank'>[] {
  if (draft === undefined || standing.kind === 'done') return []
  const ready = current !== undefined && compareStages(task.stage, current) === 0
  switch (standing.kind) {
    case 'left':
      return [{ ...draft, readiness: standing.readiness }]
    case 'waiting':
      return [{ ...draft, readiness: { kind: 'held', reason: `waits for ${standing.reason}` } }]
    case 'failed':
      return [{ ...draft, readiness: { kind: 'refused', rule: 'hook-failed', reason: standing.reason } }]
    case 'due':
      if (ready) return [{ ...draft, readiness: READY }]
      return [{ ...draft, readiness: { kind: 'held', reason: heldBy(task.stage, told, current) } }]
  }
}

function heldBy({ phase }: Stage, told: PlanProgress, current: Stage | undefined): string {
  if (phase === 'SyncFail' && told.failure === undefined) return 'runs only when the sync fails'
  if (told.failure !== undefined) return 'the sync has failed'
  return current === undefined ? 'waits' : `waits for ${stageWords(current)}`
}

/** Custom resources come after the definitions of the same sync. */
const CUSTOM_RANK = 500

/** The steps in their order: phase, wave, prunes before everything else, kind, name; prunes in the opposite order of kinds. */
function ranked(steps: readonly Omit<Step, 'rank'>[], pairs: readonly Pair[]): readonly Step[] {
  const definedHere = steps.length === 0 ? new Set<string>() : pendingOf(pairs).kinds
  const kindOf = (id: ResourceId): number => kindRank(id.kind) + (definedHere.has(groupKindKey(id)) ? CUSTOM_RANK : 0)
  const placed = steps.map((step) => ({ step, prune: step.action === 'prune', kind: kindOf(step.id) }))
  placed.sort(
    (a, b) =>
      compareStages(a.step, b.step) ||
      Number(b.prune) - Number(a.prune) ||
      (a.prune ? b.kind - a.kind : a.kind - b.kind) ||
      (a.prune ? compareForApply(b.step.id, a.step.id) : compareForApply(a.step.id, b.step.id)),
  )
  let rank = -1
  let before = ''
  return placed.map(({ step, prune, kind }) => {
    const here = `${stageKey(step)}|${prune}|${kind}`
    if (here !== before) rank += 1
    before = here
    return { ...step, rank }
  })
}
