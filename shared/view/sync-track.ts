import type { HealthPoint, Timeline, TimelineResult, TimelineStep } from '../model/front.ts'
import { resourceKey, type ResourceId } from '../model/kubernetes.ts'
import type { Outcome, SyncEvent } from '../model/outcome.ts'
import type { Plan, SyncPhase } from '../model/plan.ts'
import type { ApplicationSnapshot } from '../model/status.ts'
import { DRIFT_MARKS, HEALTH_MARKS, STEP_MARKS, SYNC_MARKS, type Mark } from './marks.ts'
import { outcomeRow } from './outcome-rows.ts'

type TrackedStep = Omit<TimelineStep, 'stage'> & { readonly lane: number; readonly phase?: SyncPhase }

/** What was seen of one sync while it ran. Times are milliseconds since 1970 unless they are named otherwise. */
export type SyncTrack = {
  readonly startedAt: number
  readonly endedAt?: number
  readonly steps: ReadonlyMap<string, TrackedStep>
  readonly health: readonly HealthPoint[]
  readonly wave: number
  readonly waves: number
  readonly done: number
  readonly total: number
  /** What the current wave waits for; empty while steps run. */
  readonly waitsFor: string
  readonly outcome?: Outcome
}

/** One more event of a sync; the first one after an end begins a new track. */
export function trackSync(before: SyncTrack | undefined, event: SyncEvent, at: number): SyncTrack {
  const track = before === undefined || before.endedAt !== undefined ? begun(at) : before
  switch (event.kind) {
    case 'planned':
      // What is left is counted anew after each wave; a bar that shrinks would lie.
      return { ...track, wave: event.wave, waves: event.waves, total: Math.max(track.total, event.total), waitsFor: '' }
    case 'step-started':
      return withStep(track, event.id, {
        id: event.id,
        startMs: at - track.startedAt,
        result: 'running',
        message: '',
        hook: false,
        lane: track.wave,
      })
    case 'step-ended':
      return { ...stepEnded(track, event, at), done: track.done + 1, waitsFor: '' }
    case 'waiting':
      return { ...track, wave: event.wave, waves: event.waves, waitsFor: event.reason }
    case 'retrying':
      return { ...track, waitsFor: `the next try, number ${event.attempt}: ${event.reason}` }
    case 'ended':
      return { ...track, endedAt: at, outcome: event.outcome, waitsFor: '' }
  }
}

/** Keeps what has changed of the health of objects while a sync runs, and for a while after it. */
export function trackHealth(track: SyncTrack, { resources }: ApplicationSnapshot, at: number): SyncTrack {
  const last = new Map(track.health.map(({ id, health }) => [resourceKey(id), health.status]))
  const fresh = resources.flatMap(({ id, health }): readonly HealthPoint[] => {
    const key = resourceKey(id)
    if (health === undefined || !track.steps.has(key) || last.get(key) === health.status) return []
    return [{ id, atMs: at - track.startedAt, health }]
  })
  return fresh.length === 0 ? track : { ...track, health: [...track.health, ...fresh] }
}

/** The picture of a track. The stages come from the plan where there is one, else from what the objects themselves say. */
export function timelineOf(
  track: SyncTrack,
  snapshot: ApplicationSnapshot,
  plan: Plan | undefined,
  now: number,
): Timeline {
  const planned = new Map(plan?.steps.map(({ id, phase, wave }) => [resourceKey(id), stageOf(phase, wave)]))
  const waves = new Map(snapshot.resources.map(({ id, wave }) => [resourceKey(id), wave ?? 0]))
  const steps = [...track.steps].map(([key, { lane, phase, ...step }]): TimelineStep => {
    const wave = waves.get(key)
    const known = planned.get(key) ?? (wave === undefined ? undefined : stageOf('Sync', wave))
    const told = phase !== undefined && phase !== 'Sync' ? stageOf(phase, 0) : undefined
    return { ...step, stage: told ?? known ?? `step ${lane} of ${track.waves}` }
  })
  const totalMs = Math.max(1, (track.endedAt ?? now) - track.startedAt, ...track.health.map(({ atMs }) => atMs))
  const timeline = { steps, health: track.health, totalMs }
  return track.endedAt === undefined ? { ...timeline, nowMs: now - track.startedAt } : timeline
}

/** The steps of a sync that nobody watched: what they did, in order, without times. */
export function timelineOfOutcome(outcome: Outcome, snapshot: ApplicationSnapshot): Timeline {
  const waves = new Map(snapshot.resources.map(({ id, wave }) => [resourceKey(id), wave ?? 0]))
  const totalMs = Math.max(1, Date.parse(outcome.finishedAt) - Date.parse(outcome.startedAt) || 1)
  const steps = outcome.steps.map((step): TimelineStep => {
    const { mark, message } = outcomeRow(step)
    const stage = stageOf(step.phase ?? 'Sync', waves.get(resourceKey(step.id)) ?? 0)
    const hook = step.hookPhase !== undefined
    return { id: step.id, stage, startMs: 0, endMs: totalMs, result: resultOf(mark.word), message, hook }
  })
  return { steps, health: [], totalMs, untimed: true }
}

export const RESULT_MARKS: Readonly<Record<TimelineResult, Mark>> = {
  created: { ...STEP_MARKS.create, word: 'created' },
  changed: { ...SYNC_MARKS.Synced, word: 'changed' },
  replaced: { ...STEP_MARKS.update, word: 'replaced' },
  pruned: { ...DRIFT_MARKS.extra, word: 'pruned' },
  kept: { ...STEP_MARKS.none, word: 'kept' },
  unchanged: STEP_MARKS.none,
  failed: { ...HEALTH_MARKS.Degraded, word: 'failed' },
  moved: { ...SYNC_MARKS.OutOfSync, word: 'moved' },
  running: { ...HEALTH_MARKS.Progressing, word: 'running' },
  pending: { ...HEALTH_MARKS.Unknown, word: 'pending', codicon: 'circle-small' },
}

/** `Syncing 4/9, wave 2 of 3`, with what it waits for. */
export function trackWords({ done, total, wave, waves, waitsFor, endedAt }: SyncTrack): string {
  if (endedAt !== undefined) return ''
  const waved = waves > 1 && wave > 0 ? `, wave ${wave} of ${waves}` : ''
  return `Syncing ${Math.min(done, total)}/${total}${waved}${waitsFor === '' ? '' : `, waits for ${waitsFor}`}`
}

function begun(at: number): SyncTrack {
  return { startedAt: at, steps: new Map(), health: [], wave: 0, waves: 0, done: 0, total: 0, waitsFor: '' }
}

function withStep(track: SyncTrack, id: ResourceId, step: TrackedStep): SyncTrack {
  return { ...track, steps: new Map(track.steps).set(resourceKey(id), step), waitsFor: '' }
}

function stepEnded(track: SyncTrack, { outcome }: Extract<SyncEvent, { kind: 'step-ended' }>, at: number): SyncTrack {
  const endMs = at - track.startedAt
  const { mark, message, key } = outcomeRow(outcome)
  const known = track.steps.get(key)
  return withStep(track, outcome.id, {
    id: outcome.id,
    startMs: known?.startMs ?? endMs,
    endMs,
    result: resultOf(mark.word),
    message,
    hook: outcome.hookPhase !== undefined,
    lane: known?.lane ?? track.wave,
    ...(outcome.phase === undefined ? {} : { phase: outcome.phase }),
  })
}

function stageOf(phase: SyncPhase, wave: number): string {
  if (phase === 'Sync') return `wave ${wave}`
  return wave === 0 ? phase : `${phase} wave ${wave}`
}

function resultOf(word: string): TimelineResult {
  return word in RESULT_MARKS ? (word as TimelineResult) : 'changed'
}
