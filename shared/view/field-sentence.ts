import type { Blame, FieldDrift, FieldValue } from '../model/drift.ts'
import type { Json } from '../model/json.ts'
import { fieldName, valueName } from './field-name.ts'
import { shortPair, shortValue } from './field-value.ts'
import { timeAgo, timeAgoWithin } from './time.ts'

/** One differing field in one sentence, the same in every front. `now` is in milliseconds since 1970. */
export function fieldSentence(field: FieldDrift, now: number): string {
  if (field.kind === 'conflict') {
    const owner = field.blame?.manager ?? 'another applier'
    return `${fieldName(field.path)} is owned by ${owner}, a sync would take it over`
  }
  const blame = field.blame === undefined ? '' : blameWords(field.blame, field.kind === 'removed', now)
  return blame === '' ? differenceWords(field) : `${differenceWords(field)} · ${blame}`
}

/** `kubectl-scale, 3 min ago`. A removal leaves no record of its own, so its time is never exact. */
export function blameWords(blame: Blame, removal: boolean, now: number): string {
  const exact = removal ? timeAgo(blame.time, now) : timeAgoWithin(blame.since, blame.time, now)
  const time = removal && exact !== '' && exact !== 'just now' ? `about ${exact}` : exact
  return [blame.manager, time].filter((part) => part !== '').join(', ')
}

function differenceWords(field: FieldDrift): string {
  const name = fieldName(field.path)
  const { desired, live } = field
  switch (field.kind) {
    case 'changed':
    case 'conflict':
      return changedWords(name, field)
    case 'removed':
      return `${subject(field.path, desired)} is gone from the cluster, Git has it`
    case 'added-foreign':
      return `${subject(field.path, live)} is in the cluster, not in Git${hiddenNote(live)}`
    case 'controller-owned':
      return live.kind === 'value'
        ? `${name} is ${shortValue(live.value)} in the cluster, a sync leaves it to its controller`
        : `${name} is left to its controller`
    case 'admission-rewritten':
      return rewrittenWords(name, field)
    case 'defaulted':
      return live.kind === 'value' ? `${name} is ${shortValue(live.value)} by default` : `${name} has its default`
    case 'ownership-only':
      return `${name} has the value that Git wants, and another owner`
  }
}

function changedWords(name: string, { path, desired, live }: FieldDrift): string {
  if (desired.kind === 'hidden' || live.kind === 'hidden') return hiddenWords(name, desired, live)
  if (desired.kind === 'value' && live.kind === 'value') {
    const [has, wants] = shortPair(live.value, desired.value)
    return `${name} is ${has} in the cluster, Git says ${wants}`
  }
  if (desired.kind === 'value') return `${subject(path, desired)} is not in the cluster, Git has it`
  return `${subject(path, live)} is in the cluster, Git no longer has it`
}

function hiddenWords(name: string, desired: FieldValue, live: FieldValue): string {
  if (live.kind === 'absent') return `${name} is not in the cluster, Git has it (hidden)`
  if (desired.kind === 'absent') return `${name} is in the cluster, Git no longer has it (hidden)`
  return `${name} differs in the cluster (hidden)`
}

/** `desired` is what was sent, `live` what the server made of it. */
function rewrittenWords(name: string, { desired, live }: FieldDrift): string {
  if (desired.kind === 'hidden' || live.kind === 'hidden') return `${name} is rewritten by the server (hidden)`
  if (desired.kind === 'value' && live.kind === 'value') {
    const [sent, got] = shortPair(desired.value, live.value)
    return `${name} is sent as ${sent}, the server makes it ${got}`
  }
  return live.kind === 'absent' ? `${name} is dropped by the server` : `${name} is rewritten by the server`
}

/** The field, or the list item or entry that it is. */
function subject(path: string, value: FieldValue): string {
  return value.kind === 'value' ? namedValue(path, value.value) : fieldName(path)
}

function namedValue(path: string, value: Json): string {
  const named = valueName(path, typeof value === 'string' ? shortValue(value) : value)
  return named.length > 80 ? `${named.slice(0, 79)}…` : named
}

function hiddenNote(value: FieldValue): string {
  return value.kind === 'hidden' ? ' (hidden)' : ''
}
