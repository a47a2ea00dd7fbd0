import type { Schema } from '../../fields/schema.ts'
import { canonicalJson } from '../../model/json.ts'
import type { LiveObject } from '../../model/live.ts'
import { ownersOf } from './blame.ts'
import { differences } from './differences.ts'
import { isSystemField } from './system-fields.ts'
import { isTrusted, mayBeTrusted, type TrustedManagers } from './trust.ts'

/**
 * Whether two states of an object are one to a sync: they differ at most in what the server and trusted controllers keep
 * there (a status, a revision annotation), and everybody else owns the same.
 */
export function isSameState(
  before: LiveObject,
  after: LiveObject,
  schema: Schema | undefined,
  trusted: TrustedManagers,
): boolean {
  if (before.uid !== after.uid || peopleOf(before, trusted) !== peopleOf(after, trusted)) return false
  return differences(before.object, after.object, schema).every(
    ({ fields }) =>
      isSystemField(fields) ||
      [...ownersOf(before, fields), ...ownersOf(after, fields)].some((owner) => isTrusted(owner, fields, trusted)),
  )
}

/** Who owns what, but for controllers, and without times. */
function peopleOf(live: LiveObject, trusted: TrustedManagers): string {
  const people = live.owners.filter((owner) => !mayBeTrusted(owner, trusted))
  return canonicalJson(
    people.map(({ manager, operation, apiVersion, fields }) => [manager, operation, apiVersion, fields]),
  )
}
