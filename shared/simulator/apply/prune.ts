import { FieldSet } from '../../fields/field-set.ts'
import type { Owner } from '../../fields/managed-fields.ts'
import { fieldSetOf } from '../../fields/object-set.ts'
import { removeFields } from '../../fields/remove.ts'
import type { JsonObject } from '../object.ts'
import { backFrom, inVersion } from './version.ts'
import type { Typed, VersionContext } from './version.ts'

/**
 * Takes out what the applier applied last time, did not apply this time and nobody else owns (SMD merge/update.go, prune). What the
 * applier never owned stays, also below a container that goes empty.
 */
export function prune(
  context: VersionContext,
  merged: JsonObject,
  owners: ReadonlyMap<string, Owner>,
  last: Owner | undefined,
  set: FieldSet,
): JsonObject {
  if (last === undefined || last.set.isEmpty) return merged
  // Whatever the applier drops nothing of cannot shrink.
  if (last.apiVersion === context.apiVersion && last.set.difference(set).isEmpty) return merged
  const whole = inVersion(context, merged, last.apiVersion)
  if (whole === undefined) return merged
  const cut = removed(whole, last.set.withNamedFields(whole.schema))
  const kept = addBackOwned(context, whole, cut, last.apiVersion, owners)
  const result = addBackDangling(context, whole, kept, last)
  return backFrom(context, result, last.apiVersion)?.value ?? merged
}

function removed(typed: Typed, set: FieldSet): Typed {
  return { value: removeFields(typed.value, set, typed.schema) as JsonObject, schema: typed.schema }
}

/** What an object names, with the parents that are named fields. */
function namedSet(typed: Typed): FieldSet {
  return fieldSetOf(typed.value, typed.schema).withNamedFields(typed.schema)
}

interface InVersion {
  readonly typed: Typed
  readonly apiVersion: string
}

/** What was cut although somebody owns it comes back, first in the version that was cut, then in the others. */
function addBackOwned(
  context: VersionContext,
  whole: Typed,
  cut: Typed,
  apiVersion: string,
  owners: ReadonlyMap<string, Owner>,
): InVersion {
  const owned = new Map<string, FieldSet>([[apiVersion, FieldSet.empty]])
  for (const owner of owners.values()) {
    owned.set(owner.apiVersion, (owned.get(owner.apiVersion) ?? FieldSet.empty).union(owner.set))
  }
  let merged: InVersion = { typed: whole, apiVersion }
  let pruned: InVersion = { typed: cut, apiVersion }
  for (const [version, set] of owned) {
    if (version === apiVersion && set.isEmpty) continue
    const nextMerged = moved(context, merged, version)
    const nextPruned = moved(context, pruned, version)
    if (nextMerged === undefined || nextPruned === undefined) continue
    const { schema } = nextMerged
    const keep = namedSet(nextPruned).union(set.withNamedFields(schema))
    merged = { typed: nextMerged, apiVersion: version }
    pruned = { typed: removed(nextMerged, namedSet(nextMerged).difference(keep)), apiVersion: version }
  }
  return pruned
}

function moved(context: VersionContext, from: InVersion, apiVersion: string): Typed | undefined {
  if (from.apiVersion === apiVersion) return from.typed
  const base = backFrom(context, from.typed, from.apiVersion)
  return base && inVersion(context, base.value, apiVersion)
}

/** Only what the applier owned itself may go: the rest comes back. */
function addBackDangling(context: VersionContext, whole: Typed, kept: InVersion, last: Owner): Typed {
  const pruned = moved(context, kept, last.apiVersion)
  if (pruned === undefined) return whole
  const gone = namedSet(whole).difference(namedSet(pruned))
  return removed(whole, gone.intersection(last.set.withNamedFields(whole.schema)))
}
