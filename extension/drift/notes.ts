import type { SentSnapshot } from '../../shared/agent/contract.ts'
import { assertNever } from '../../shared/base/assert-never.ts'
import type { FieldDrift } from '../../shared/model/drift.ts'
import { resourceKey } from '../../shared/model/kubernetes.ts'
import type { Place } from '../../shared/model/manifest.ts'
import type { ResourceStatus } from '../../shared/model/status.ts'
import { fieldSentence } from '../../shared/view/field-sentence.ts'
import { resourceRow } from '../../shared/view/resource-rows.ts'
import { fullLabel } from '../../shared/view/words.ts'

export type Severity = 'error' | 'warning' | 'information' | 'hint'

/** Something that is told at one place of a file of the workspace. Line and column count from 1. */
export type Note = {
  readonly line: number
  readonly column: number
  readonly severity: Severity
  readonly message: string
  /** `drift/changed`, `drift/missing`, `server/refused`... */
  readonly code: string
  readonly application: string
  /** The resource it is about; absent where it is about the application. */
  readonly resource?: ResourceStatus
  readonly field?: FieldDrift
}

/** Sentences say how long ago, to the minute; within one a snapshot's notes stay what they are. */
const AGE_MS = 60_000

type Told = { readonly minute: number; readonly notes: readonly Placed[] }
const told = new WeakMap<SentSnapshot, Told>()

/** All notes by file, relative to the repository's root. `now` is in milliseconds since 1970. */
export function notesByFile(sent: Iterable<SentSnapshot>, now: number): ReadonlyMap<string, readonly Note[]> {
  const notes = new Map<string, Note[]>()
  for (const one of sent) {
    for (const note of notesOfSnapshot(one, now)) {
      const known = notes.get(note.file)
      if (known === undefined) notes.set(note.file, [note])
      else known.push(note)
    }
  }
  return notes
}

/** One snapshot in hundreds is new when they are told anew; the others are remembered. */
function notesOfSnapshot(sent: SentSnapshot, now: number): readonly Placed[] {
  const minute = Math.floor(now / AGE_MS)
  const known = told.get(sent)
  if (known?.minute === minute) return known.notes
  const { snapshot, local } = sent
  const { failure, application, resources } = snapshot
  const notes: Placed[] = []
  if (failure?.place !== undefined && local) {
    const { message, reason, place } = failure
    notes.push({ ...place, severity: 'error', message, code: `render/${reason}`, application: application.name })
  }
  for (const resource of resources) notes.push(...notesOf(resource, application.name, application.place, local, now))
  told.set(sent, { minute, notes })
  return notes
}

type Placed = Note & { readonly file: string }

function notesOf(
  resource: ResourceStatus,
  application: string,
  definition: Place | undefined,
  local: boolean,
  now: number,
): readonly Placed[] {
  const { drift } = resource
  const about = { application, resource }
  // Where manifests lie elsewhere, their places are no places here.
  const start = local && drift.origin !== undefined ? { file: drift.origin.file, ...drift.origin.start } : undefined
  const at = start ?? definition
  switch (drift.state) {
    case 'synced':
      return []
    case 'changed':
      return drift.fields.flatMap((field) => {
        const place = local ? (field.place ?? at) : definition
        if (place === undefined) return []
        const message = fieldSentence(field, now)
        const shown = place === definition ? `${fullLabel(drift.id)}: ${message}` : message
        return [{ ...place, severity: 'warning', message: shown, code: `drift/${field.kind}`, ...about, field }]
      })
    case 'missing':
    case 'unknown': {
      if (at === undefined) return []
      const refused = drift.failure !== undefined
      const message = `${fullLabel(drift.id)}: ${resourceRow(resource).detail}`
      const code = refused ? `server/${drift.failure.reason}` : `drift/${drift.state}`
      return [{ ...at, severity: refused ? 'error' : 'hint', message, code, ...about }]
    }
    case 'extra': {
      if (definition === undefined) return []
      const message = `${fullLabel(drift.id)}: ${resourceRow(resource).detail}`
      return [{ ...definition, severity: 'hint', message, code: 'drift/extra', ...about }]
    }
    default:
      return assertNever(drift.state)
  }
}

/** Names the resource that a note is about, for those who find it again in a newer snapshot. */
export function noteKey({ application, resource, field, code }: Note): string {
  return [application, resource === undefined ? '' : resourceKey(resource.id), field?.path ?? '', code].join('\n')
}
