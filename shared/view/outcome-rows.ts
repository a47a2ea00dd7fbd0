import { resourceKey, type ResourceId } from '../model/kubernetes.ts'
import type { Outcome, StepOutcome } from '../model/outcome.ts'
import { DRIFT_MARKS, HEALTH_MARKS, STEP_MARKS, SYNC_MARKS, type Mark } from './marks.ts'
import { duration } from './time.ts'
import { objectLabel } from './words.ts'

/** What one step of a sync did. */
export type OutcomeRow = {
  readonly key: string
  readonly id: ResourceId
  /** Its word is what happened: `created`, `changed`, `pruned`, `kept`, `unchanged`, `failed`, `moved`. */
  readonly mark: Mark
  readonly label: string
  /** The server's words; empty where there is nothing to add. */
  readonly message: string
}

export function outcomeRow(outcome: StepOutcome): OutcomeRow {
  return {
    key: resourceKey(outcome.id),
    id: outcome.id,
    mark: outcomeMark(outcome),
    label: objectLabel(outcome.id),
    message: outcome.message,
  }
}

function outcomeMark({ action, result, moved }: StepOutcome): Mark {
  // Nothing failed: the object is another one than was shown, so that it has to be shown again.
  if (moved) return { ...SYNC_MARKS.OutOfSync, word: 'moved' }
  switch (result) {
    case 'SyncFailed':
      return { ...HEALTH_MARKS.Degraded, word: 'failed' }
    case 'Pruned':
      return { ...DRIFT_MARKS.extra, word: 'pruned' }
    case 'PruneSkipped':
      return { ...STEP_MARKS.none, word: 'kept' }
    case 'Synced':
      return action === 'none'
        ? STEP_MARKS.none
        : { ...SYNC_MARKS.Synced, word: action === 'create' ? 'created' : 'changed' }
  }
}

/** `Succeeded: created 1, changed 2, pruned 1 in 12 s`. */
export function outcomeWords(outcome: Outcome): string {
  const counts = new Map<string, number>()
  for (const step of outcome.steps) {
    const { word } = outcomeMark(step)
    if (word !== STEP_MARKS.none.word) counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  const order = ['created', 'changed', 'pruned', 'kept', 'moved', 'failed']
  const told = order.flatMap((word) => (counts.has(word) ? [`${word} ${counts.get(word)}`] : []))
  const elapsed = Date.parse(outcome.finishedAt) - Date.parse(outcome.startedAt)
  // The moments are kept to the second.
  const time = elapsed >= 1000 ? ` in ${duration(elapsed)}` : ''
  return `${outcome.phase}: ${told.length === 0 ? 'nothing to do' : told.join(', ')}${time}`
}
