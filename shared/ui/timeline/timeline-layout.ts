import type { HealthPoint, Timeline, TimelineResult, TimelineStep } from '../../model/front.ts'
import type { HealthCode } from '../../model/health.ts'
import { resourceKey, type ResourceId } from '../../model/kubernetes.ts'
import { duration } from '../../view/time.ts'
import { objectLabel } from '../../view/words.ts'

/** Shares of the whole width, from 0 to 1. */
export type Span = { readonly from: number; readonly to: number }

/** One line of the timeline: a step, and how its object fared. */
export type TimelineRow = {
  readonly key: string
  readonly id: ResourceId
  readonly label: string
  readonly result: TimelineResult
  readonly message: string
  readonly hook: boolean
  readonly bar: Span
  /** `0.4 s`; empty while it runs. */
  readonly took: string
  readonly health: readonly (Span & { readonly status: HealthCode })[]
  /** The other run's bar beside it: what was predicted. */
  readonly beside?: Span & { readonly result: TimelineResult }
  /** The two runs did not do the same. */
  readonly differs: boolean
}

export type Lane = { readonly stage: string; readonly rows: readonly TimelineRow[]; readonly span: Span }

export type Tick = { readonly at: number; readonly label: string }

export type TimelineLayout = {
  readonly lanes: readonly Lane[]
  readonly ticks: readonly Tick[]
  /** Where the now-line stands. */
  readonly now?: number
}

/** A bar that would be thinner than this is drawn as wide, so that it can be seen. */
const THINNEST = 0.006

/**
 * Lanes by stage in the order in which they begin, rows by start.
 * @param predicted the rehearsal of the same plan, whose bars are drawn beside
 */
export function layoutTimeline(timeline: Timeline, predicted?: Timeline): TimelineLayout {
  // One scale for both, so that what took longer is longer.
  const totalMs = Math.max(1, timeline.totalMs, predicted?.totalMs ?? 0)
  const health = Map.groupBy(timeline.health, ({ id }) => resourceKey(id))
  const before = new Map(predicted?.steps.map((step) => [resourceKey(step.id), step]))
  const steps = [...timeline.steps].sort((a, b) => a.startMs - b.startMs)
  const lanes = [...Map.groupBy(steps, ({ stage }) => stage)].map(([stage, members]) => ({
    stage,
    rows: members.map((step) => rowOf(step, { timeline, totalMs, health, before, predicted })),
    span: spanOf(Math.min(...members.map(({ startMs }) => startMs)), lastOf(members, timeline), totalMs),
  }))
  const ticks = timeline.untimed === true ? [] : ticksOf(totalMs)
  return timeline.nowMs === undefined ? { lanes, ticks } : { lanes, ticks, now: share(timeline.nowMs, totalMs) }
}

type Around = {
  readonly timeline: Timeline
  readonly totalMs: number
  readonly health: ReadonlyMap<string, readonly HealthPoint[]>
  readonly before: ReadonlyMap<string, TimelineStep>
  readonly predicted: Timeline | undefined
}

function rowOf(step: TimelineStep, { timeline, totalMs, health, before, predicted }: Around): TimelineRow {
  const key = resourceKey(step.id)
  const end = step.endMs ?? timeline.nowMs ?? totalMs
  const other = before.get(key)
  return {
    key,
    id: step.id,
    label: objectLabel(step.id),
    result: step.result,
    message: step.message,
    hook: step.hook,
    bar: spanOf(step.startMs, end, totalMs),
    took: step.endMs === undefined || timeline.untimed === true ? '' : took(step.endMs - step.startMs),
    health: healthSpans(health.get(key) ?? [], timeline.nowMs ?? totalMs, totalMs),
    differs: other !== undefined && step.endMs !== undefined && other.result !== step.result,
    ...(other === undefined || predicted === undefined
      ? {}
      : {
          beside: {
            ...spanOf(other.startMs, other.endMs ?? predicted.totalMs, totalMs),
            result: other.result,
          },
        }),
  }
}

/** Most steps take less than a tenth of a second. */
function took(ms: number): string {
  return ms < 100 ? `${Math.round(ms)} ms` : duration(ms)
}

function healthSpans(points: readonly HealthPoint[], untilMs: number, totalMs: number): TimelineRow['health'] {
  return points.map(({ atMs, health }, index) => {
    const next = points[index + 1]?.atMs ?? Math.max(untilMs, atMs)
    return { from: share(atMs, totalMs), to: share(next, totalMs), status: health.status }
  })
}

function lastOf(steps: readonly TimelineStep[], { nowMs, totalMs }: Timeline): number {
  return Math.max(...steps.map(({ endMs }) => endMs ?? nowMs ?? totalMs))
}

function spanOf(fromMs: number, toMs: number, totalMs: number): Span {
  const from = Math.min(share(fromMs, totalMs), 1 - THINNEST)
  return { from, to: Math.max(share(toMs, totalMs), from + THINNEST) }
}

function share(ms: number, totalMs: number): number {
  return Math.min(1, Math.max(0, ms / totalMs))
}

const NICE = [100, 200, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000, 1_800_000]

/** At most eight marks at round times. */
function ticksOf(totalMs: number): readonly Tick[] {
  const step = NICE.find((ms) => totalMs / ms <= 8) ?? Math.ceil(totalMs / 8 / 3_600_000) * 3_600_000
  const ticks: Tick[] = []
  for (let at = 0; at <= totalMs; at += step) ticks.push({ at: at / totalMs, label: at === 0 ? '0' : duration(at) })
  return ticks
}
