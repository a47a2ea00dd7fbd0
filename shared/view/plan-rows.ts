import { resourceKey, type ResourceId } from '../model/kubernetes.ts'
import type { Plan, Step } from '../model/plan.ts'
import { fieldName } from './field-name.ts'
import { shortPair } from './field-value.ts'
import { HEALTH_MARKS, STEP_MARKS, type Mark } from './marks.ts'
import { objectLabel } from './words.ts'

/** One step of a plan. */
export type PlanRow = {
  readonly key: string
  readonly id: ResourceId
  /** `create`, `change`, `prune`, `unchanged`. */
  readonly mark: Mark
  readonly label: string
  /** What the step changes, or why it is there. */
  readonly detail: string
  readonly readiness: 'ready' | 'held' | 'refused'
  /** Why the step waits or will not run; empty when it is ready. */
  readonly obstacle: string
  readonly rank: number
  /** `PreSync`, `wave 2`; empty for the wave that objects are in where nobody says otherwise. */
  readonly stage: string
}

/** Steps that a sync would take, in order; what is in sync already is left out. */
export function planRows(plan: Plan): readonly PlanRow[] {
  return plan.steps.filter(({ action }) => action !== 'none').map(planRow)
}

function planRow(step: Step): PlanRow {
  const { readiness } = step
  return {
    key: resourceKey(step.id),
    id: step.id,
    mark: readiness.kind === 'refused' ? { ...STEP_MARKS[step.action], ...REFUSED } : STEP_MARKS[step.action],
    label: objectLabel(step.id),
    detail: changeWords(step) || step.reason,
    readiness: readiness.kind,
    obstacle: readiness.kind === 'ready' ? '' : readiness.reason,
    rank: step.rank,
    stage: stageWords(step),
  }
}

function stageWords({ phase, wave }: Step): string {
  const waved = wave === 0 ? '' : `wave ${wave}`
  return phase === 'Sync' ? waved : [phase, waved].filter((word) => word !== '').join(' ')
}

const REFUSED: Pick<Mark, 'glyph' | 'colour' | 'codicon' | 'themeColour'> = {
  glyph: HEALTH_MARKS.Degraded.glyph,
  colour: 'red',
  codicon: HEALTH_MARKS.Degraded.codicon,
  themeColour: HEALTH_MARKS.Degraded.themeColour,
}

export type PlanCounts = {
  readonly create: number
  readonly change: number
  readonly prune: number
  readonly refused: number
}

/** Refused steps count as refused alone, since nothing of them will happen. */
export function planCounts(plan: Plan): PlanCounts {
  const counts = { create: 0, update: 0, prune: 0, none: 0, refused: 0 }
  for (const { action, readiness } of plan.steps) {
    if (action !== 'none') counts[readiness.kind === 'refused' ? 'refused' : action] += 1
  }
  return { create: counts.create, change: counts.update, prune: counts.prune, refused: counts.refused }
}

/** `create 1, change 2, prune 1`, with `refused 1` where a rule or the server forbids something. */
export function planWords(plan: Plan): string {
  const { create, change, prune, refused } = planCounts(plan)
  const words = [
    ['create', create],
    ['change', change],
    ['prune', prune],
    ['refused', refused],
  ] as const
  const told = words.filter(([, count]) => count > 0).map(([word, count]) => `${word} ${count}`)
  return told.length === 0 ? 'nothing to do' : told.join(', ')
}

/** What a sync of an edit would do to one object, in one sentence: its change, or why the server refuses it. */
export function stepSentence(step: Step, podsRestarted = 0): string {
  if (step.readiness.kind === 'refused') return step.readiness.reason
  const restart = podsRestarted === 0 ? '' : ` and restart ${podsRestarted} pod${podsRestarted === 1 ? '' : 's'}`
  switch (step.action) {
    case 'create':
      return `a sync of this edit would create this ${step.id.kind}${restart}`
    case 'prune':
      return `a sync of this edit with prune would delete this ${step.id.kind}${restart}`
    case 'none':
      return `a sync of this edit would change nothing`
    case 'update':
      return `a sync of this edit would ${changeWords(step) || 'change it'}${restart}`
  }
}

/** `change image nginx:1.27 -> 1.28, remove env HAND`; empty where the step knows no fields. */
function changeWords(step: Step): string {
  const words = step.fields.slice(0, 3).map(({ path, live, desired }) => {
    const name = fieldName(path)
    if (desired.kind === 'absent') return `remove ${name}`
    if (live.kind === 'absent') return `add ${name}`
    if (live.kind === 'hidden' || desired.kind === 'hidden') return `change ${name} (hidden)`
    const [has, wants] = shortPair(live.value, desired.value)
    return `change ${name} ${has} -> ${withoutSameImage(has, wants)}`
  })
  const more = step.fields.length - words.length
  return more > 0 ? `${words.join(', ')} and ${more} more` : words.join(', ')
}

/** `1.28` after `nginx:1.27`: of the same image only the tag is told again. */
function withoutSameImage(before: string, after: string): string {
  const image = /^[^\s:@]+(?::\d+\/[^\s:@]+)?[:@]/.exec(before)?.[0]
  return image !== undefined && after.startsWith(image) && after.length > image.length
    ? after.slice(image.length)
    : after
}
