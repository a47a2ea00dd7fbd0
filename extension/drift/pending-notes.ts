import type { EditPreview } from '../../shared/agent/application-contract.ts'
import { resourceKey } from '../../shared/model/kubernetes.ts'
import type { Plan, Step } from '../../shared/model/plan.ts'
import type { ResourceStatus } from '../../shared/model/status.ts'
import { stepSentence } from '../../shared/view/plan-rows.ts'
import { fullLabel } from '../../shared/view/words.ts'
import type { Note } from './notes.ts'

/** What a sync of a text would change, at the places of that text. */
export function pendingNotes(previews: readonly EditPreview[], file: string): readonly Note[] {
  return previews.flatMap(({ application, resources, plan, failure }) => {
    if (failure !== undefined) {
      const { place, message, reason } = failure
      if (place?.file !== file) return []
      return [{ ...at(place), severity: 'error' as const, message, code: `edit/${reason}`, application }]
    }
    return resources.flatMap((resource) => notesOf(resource, application, plan, file))
  })
}

function notesOf(resource: ResourceStatus, application: string, plan: Plan | undefined, file: string): readonly Note[] {
  const { drift } = resource
  const start = drift.origin?.file === file ? drift.origin.start : undefined
  const about = { application, resource }
  if (drift.failure !== undefined) {
    const message = `${fullLabel(drift.id)}: ${drift.failure.message}`
    return start === undefined
      ? []
      : [{ ...at(start), severity: 'error', message, code: `edit/${drift.failure.reason}`, ...about }]
  }
  const planned = plan?.steps.find(({ id }) => resourceKey(id) === resourceKey(drift.id))
  if (planned === undefined) return []
  // What a policy says of the commit is said when there is one.
  const step: Step = { ...planned, readiness: { kind: 'ready' } }
  const pods = step.effects.reduce((sum, effect) => (effect.kind === 'pods-restart' ? sum + effect.pods : sum), 0)
  if (drift.state !== 'changed') {
    const message = stepSentence(step, pods)
    return start === undefined
      ? []
      : [{ ...at(start), severity: 'information', message, code: `edit/${drift.state}`, ...about }]
  }
  return drift.fields.flatMap((field) => {
    const place = field.place?.file === file ? field.place : start
    if (place === undefined) return []
    const restarts = field.path.startsWith('/spec/template') ? pods : 0
    const message = stepSentence({ ...step, fields: [field] }, restarts)
    return [{ ...at(place), severity: 'information', message, code: 'edit/changed', ...about, field }]
  })
}

function at({ line, column }: { readonly line: number; readonly column: number }): Pick<Note, 'line' | 'column'> {
  return { line, column }
}
