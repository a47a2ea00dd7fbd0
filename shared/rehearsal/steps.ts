import { resourceKey, type ResourceId } from '../model/kubernetes.ts'
import type { Outcome, StepOutcome, SyncEvent } from '../model/outcome.ts'
import type { Plan, Step, SyncPhase } from '../model/plan.ts'
import type { RehearsedStep, StepResult } from '../model/rehearsal.ts'

type Draft = {
  readonly step: Pick<Step, 'id' | 'apiVersion' | 'phase' | 'wave' | 'reason' | 'fields' | 'action' | 'rank'> & {
    readonly hook: boolean
    readonly recreated: boolean
    /** Why the plan held or refused it. */
    readonly obstacle: string
    readonly refused: boolean
  }
  stage: number
  tries: number
  startMs: number | undefined
  endMs: number | undefined
  outcome: StepOutcome | undefined
}

/** Follows a running sync and tells its steps, one by one and at its end. */
export class StepLog {
  readonly #drafts = new Map<string, Draft>()
  /** By object: more than one where a hook runs in two phases. */
  readonly #ofObject = new Map<string, Draft[]>()
  readonly #clock: () => number
  readonly #onStep: (step: RehearsedStep) => void
  #stage = 0
  /** Phases and waves together. */
  stages = 0
  retries = 0

  /** @param clock milliseconds since the sync's start */
  constructor(plan: Plan, clock: () => number, onStep: (step: RehearsedStep) => void) {
    this.#clock = clock
    this.#onStep = onStep
    this.stages = plan.progress.waves
    for (const step of plan.steps) this.#add(draftOf(step))
  }

  take(event: SyncEvent): void {
    switch (event.kind) {
      case 'planned':
        this.#stage = event.wave
        this.stages = Math.max(this.stages, event.waves)
        return
      case 'step-started':
        this.#started(event.id)
        return
      case 'step-ended':
        this.#ended(event.outcome, event.wave)
        return
      case 'retrying':
        this.retries += 1
        return
      case 'waiting':
      case 'ended':
    }
  }

  /** Every step, in the order of the plan; those that the sync never came to say why. */
  finish(outcome: Outcome | undefined, healthySince: (key: string) => number | undefined): readonly RehearsedStep[] {
    for (const one of outcome?.steps ?? []) {
      const draft = this.#draft(one)
      if (one.hookPhase !== 'Running') draft.outcome = one
    }
    return [...this.#drafts.values()].filter(wasDue).map((draft) => {
      const told = tell(draft)
      const healthyMs = told.hook || told.endMs === undefined ? undefined : healthySince(resourceKey(told.id))
      return healthyMs === undefined ? told : { ...told, healthyMs: Math.max(healthyMs, told.endMs ?? 0) }
    })
  }

  #started(id: ResourceId): void {
    const mine = this.#ofObject.get(resourceKey(id)) ?? this.#named(id)
    // A hook of two phases has two steps; the first that has not run is the one that does now.
    const draft = mine.find(({ startMs }) => startMs === undefined) ?? mine.at(-1)
    if (draft === undefined) return
    draft.startMs ??= this.#clock()
    draft.stage = this.#stage
    draft.tries += 1
  }

  #ended(outcome: StepOutcome, stage: number): void {
    const draft = this.#draft(outcome)
    draft.outcome = outcome
    draft.startMs ??= this.#clock()
    draft.endMs = this.#clock()
    draft.stage = draft.stage === 0 ? stage : draft.stage
    this.#onStep(tell(draft))
  }

  #draft(outcome: StepOutcome): Draft {
    const { id, apiVersion, action, hookPhase } = outcome
    const phase = outcome.phase ?? 'Sync'
    const known = this.#drafts.get(keyOf(phase, id)) ?? this.#only(id, outcome)
    if (known !== undefined) return known
    const step = {
      id,
      apiVersion,
      action,
      phase,
      wave: 0,
      reason: '',
      fields: [],
      rank: 0,
      hook: hookPhase !== undefined,
    }
    return this.#add(fresh({ ...step, recreated: false, obstacle: '', refused: false }))
  }

  #add(draft: Draft): Draft {
    const { phase, id } = draft.step
    this.#drafts.set(keyOf(phase, id), draft)
    const key = resourceKey(id)
    this.#ofObject.set(key, [...(this.#ofObject.get(key) ?? []), draft])
    return draft
  }

  /** What was refused names no phase; a hook with generateName has another name in every sync. */
  #only(id: ResourceId, { phase }: StepOutcome): Draft | undefined {
    if (phase === undefined) return this.#ofObject.get(resourceKey(id))?.[0]
    return this.#named(id).find(({ step }) => step.phase === phase)
  }

  #named({ group, kind, namespace, name }: ResourceId): readonly Draft[] {
    return [...this.#drafts.values()].filter(
      ({ step: { hook, id } }) =>
        hook && id.group === group && id.kind === kind && id.namespace === namespace && name.startsWith(`${id.name}-`),
    )
  }
}

function keyOf(phase: SyncPhase, id: ResourceId): string {
  return `${phase}|${resourceKey(id)}`
}

function draftOf(step: Step): Draft {
  const { readiness } = step
  return fresh({
    ...step,
    hook: step.hook !== undefined,
    recreated: step.manner.method === 'recreate',
    obstacle: readiness.kind === 'ready' ? '' : readiness.reason,
    refused: readiness.kind === 'refused',
  })
}

function fresh(step: Draft['step']): Draft {
  return { step, stage: 0, tries: 0, startMs: undefined, endMs: undefined, outcome: undefined }
}

/** What would only have run after a failure was never due, and what is in sync was never a step. */
function wasDue({ step, outcome, startMs }: Draft): boolean {
  return outcome !== undefined || startMs !== undefined || (step.phase !== 'SyncFail' && step.action !== 'none')
}

function tell(draft: Draft): RehearsedStep {
  const { step, stage, startMs, endMs, tries } = draft
  const { id, apiVersion, phase, wave, reason, fields, hook } = step
  return {
    key: keyOf(phase, id),
    id,
    apiVersion,
    phase,
    wave,
    stage,
    hook,
    result: resultOf(draft),
    reason,
    fields,
    ...(startMs === undefined ? {} : { startMs }),
    ...(endMs === undefined ? {} : { endMs }),
    ...(tries > 1 ? { tries } : {}),
  }
}

function resultOf({ step, outcome, startMs }: Draft): StepResult {
  if (outcome === undefined) {
    const reason = step.obstacle === '' ? 'the sync ended before it' : step.obstacle
    return step.refused ? { kind: 'refused', reason } : { kind: 'not-reached', reason }
  }
  const reason = outcome.message
  if (outcome.hookPhase === 'Succeeded') return { kind: 'hook-succeeded' }
  if (outcome.hookPhase !== undefined) return { kind: 'hook-failed', reason }
  switch (outcome.result) {
    case 'Pruned':
      return { kind: 'pruned' }
    case 'PruneSkipped':
      return { kind: 'kept', reason }
    case 'SyncFailed':
      return startMs === undefined ? { kind: 'refused', reason } : { kind: 'failed', reason }
    case 'Synced':
      if (outcome.action === 'none') return { kind: 'unchanged' }
      if (outcome.action === 'create') return { kind: 'created' }
      return { kind: step.recreated ? 'replaced' : 'changed' }
  }
}
