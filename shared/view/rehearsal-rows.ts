import type { RehearsalShown, Timeline, TimelineResult, TimelineStep } from '../model/front.ts'
import { resourceKey, type ResourceId } from '../model/kubernetes.ts'
import type { Rehearsal, RehearsedStep, StepResult } from '../model/rehearsal.ts'
import { fieldName } from './field-name.ts'
import type { Mark } from './marks.ts'
import { rehearsalMarkdown } from './rehearsal-markdown.ts'
import {
  effectSentence,
  provenSentence,
  rehearsalSummary,
  resultMark,
  stepStage,
  unknownSentence,
} from './rehearsal-words.ts'
import { duration } from './time.ts'
import { fullLabel, shortRevision } from './words.ts'

/** One step of a rehearsal. */
export type RehearsalRow = {
  readonly key: string
  readonly id: ResourceId
  readonly stage: string
  readonly mark: Mark
  readonly label: string
  /** When it was done; empty where it never began. */
  readonly at: string
  /** The server's reason, or which fields changed, or when the object was healthy. */
  readonly detail: string
  readonly hook: boolean
}

/** Steps in their order. */
export function rehearsalRows(rehearsal: Rehearsal): readonly RehearsalRow[] {
  return rehearsal.steps.map((step) => ({
    key: step.key,
    id: step.id,
    stage: stepStage(step),
    mark: resultMark(step.result),
    label: fullLabel(step.id),
    at: step.endMs === undefined ? '' : duration(step.endMs),
    detail: detailOf(step),
    hook: step.hook,
  }))
}

function detailOf({ result, fields, endMs, healthyMs }: RehearsedStep): string {
  if ('reason' in result) return result.reason
  const changed = fields.slice(0, 3).map(({ path }) => fieldName(path))
  const more = fields.length > changed.length ? ` and ${fields.length - changed.length} more` : ''
  const healthy =
    healthyMs === undefined || endMs === undefined || healthyMs <= endMs ? '' : `healthy at ${duration(healthyMs)}`
  return [changed.length === 0 ? '' : changed.join(', ') + more, healthy].filter((text) => text !== '').join(' · ')
}

/** The picture that plays it. */
export function rehearsalTimeline({ steps, health, simulatedMs }: Rehearsal): Timeline {
  const ids = new Map(steps.map(({ id }) => [resourceKey(id), id]))
  return {
    totalMs: Math.max(1, simulatedMs),
    // What the sync never came to has no place in time.
    steps: steps
      .filter(({ startMs, result }) => startMs !== undefined || result.kind !== 'not-reached')
      .map(timelineStep),
    health: health.flatMap(({ key, atMs, health: status, message }) => {
      const id = ids.get(key)
      return id === undefined ? [] : [{ id, atMs, health: { status, ...(message === undefined ? {} : { message }) } }]
    }),
  }
}

/** One bar of the picture. */
export function timelineStep(step: RehearsedStep): TimelineStep {
  const { id, startMs = 0, endMs = startMs, hook, result } = step
  const message = 'reason' in result ? result.reason : detailOf(step)
  return { id, stage: stepStage(step), startMs, endMs, result: TIMELINE_RESULTS[result.kind], message, hook }
}

const TIMELINE_RESULTS: Readonly<Record<StepResult['kind'], TimelineResult>> = {
  created: 'created',
  changed: 'changed',
  replaced: 'replaced',
  pruned: 'pruned',
  unchanged: 'unchanged',
  kept: 'kept',
  refused: 'failed',
  failed: 'failed',
  'not-reached': 'pending',
  'hook-succeeded': 'created',
  'hook-failed': 'failed',
}

/** A rehearsal as fronts show it. */
export function rehearsalShown(id: string, rehearsal: Rehearsal): RehearsalShown {
  const { application, revision, place, rehearsedAt, passed, plan, end } = rehearsal
  return {
    id,
    application,
    revision: shortRevision(revision),
    on: place.kind === 'embedded' ? 'embedded' : place.context,
    startedAt: rehearsedAt,
    passed,
    summary: rehearsalSummary(rehearsal),
    planHash: plan,
    timeline: rehearsalTimeline(rehearsal),
    effects: rehearsal.effects.map(effectSentence),
    unknowns: [...rehearsal.unknowns.map(unknownSentence), provenSentence(rehearsal)],
    differences: end.off.map((one) => offSentence(one)),
    markdown: rehearsalMarkdown(rehearsal),
  }
}

/** `Deployment shop/web ends OutOfSync, Degraded: ...`. */
export function offSentence({ id, sync, health, message }: Rehearsal['end']['off'][number]): string {
  const states = [sync === 'Synced' ? '' : sync, health === undefined || health === 'Healthy' ? '' : health]
  const told = states.filter((state) => state !== '').join(', ')
  return `${fullLabel(id)} ends ${told}${message === undefined ? '' : `: ${message}`}`
}
