import type { FieldDrift, FieldDriftKind, FieldValue, ObjectDrift } from '../model/drift.ts'
import type { Json } from '../model/json.ts'
import type { ApplicationSnapshot } from '../model/status.ts'
import { HIDDEN, HIDDEN_AFTER, HIDDEN_BEFORE } from './hidden.ts'

/** One object of `app diff -o json`. Names and order of the keys are a contract with scripts. */
export type DriftEntry = {
  readonly group: string
  readonly kind: string
  readonly namespace: string
  readonly name: string
  readonly drift: 'missing' | 'changed' | 'extra'
  readonly fields: readonly DriftField[]
}

/** A side that lacks the field has no key here; a value that may not be shown is a row of plus signs. */
export type DriftField = {
  /** JSON pointer. */
  readonly path: string
  readonly kind: FieldDriftKind
  readonly desired?: Json
  readonly live?: Json
  readonly manager?: string
  readonly operation?: 'Apply' | 'Update'
  /** RFC 3339. */
  readonly time?: string
  readonly file?: string
  readonly line?: number
  readonly column?: number
}

/** Every object that a sync would change, in sync order. */
export function driftList(snapshot: Pick<ApplicationSnapshot, 'resources'>): readonly DriftEntry[] {
  return snapshot.resources.flatMap(({ drift }) => driftEntry(drift))
}

function driftEntry({ id, state, fields }: ObjectDrift): readonly DriftEntry[] {
  if (state === 'synced' || state === 'unknown') return []
  const { group, kind, namespace, name } = id
  return [{ group, kind, namespace, name, drift: state, fields: fields.map(driftField) }]
}

function driftField({ path, kind, desired, live, blame, place }: FieldDrift): DriftField {
  const bothHidden = desired.kind === 'hidden' && live.kind === 'hidden'
  return {
    path,
    kind,
    ...side('desired', desired, bothHidden ? HIDDEN_AFTER : HIDDEN),
    ...side('live', live, bothHidden ? HIDDEN_BEFORE : HIDDEN),
    ...(blame === undefined ? {} : { manager: blame.manager, operation: blame.operation, time: blame.time }),
    ...(place === undefined ? {} : { file: place.file, line: place.line, column: place.column }),
  }
}

function side(name: 'desired' | 'live', value: FieldValue, hidden: string): { readonly [key: string]: Json } {
  if (value.kind === 'absent') return {}
  return { [name]: value.kind === 'hidden' ? hidden : value.value }
}
