import { compareValues } from '../../fields/compare.ts'
import type { Comparison } from '../../fields/compare.ts'
import { FieldSet } from '../../fields/field-set.ts'
import { mergeValues } from '../../fields/merge.ts'
import type { Owner } from '../../fields/managed-fields.ts'
import { fieldSetOf } from '../../fields/object-set.ts'
import { reconcileWithSchema } from '../../fields/reconcile-schema.ts'
import type { JsonObject } from '../object.ts'
import { ConflictsError, listConflicts } from './conflicts.ts'
import { prune } from './prune.ts'
import { inVersion, withoutReset } from './version.ts'
import type { VersionContext } from './version.ts'

/**
 * Who owns what after a write (SMD merge/update.go). Objects are without managedFields; owners go in and come out by their id, and
 * the maps given are not changed.
 */
export type OwnerMap = ReadonlyMap<string, Owner>

interface Rewritten {
  readonly owners: Map<string, Owner>
  readonly comparison: Comparison
}

/** The owner on whose behalf a write happens; its set is filled in. */
export type Writer = Omit<Owner, 'set' | 'time'>

/** A write that is not an apply: what it changed or added is the writer's alone. */
export function ownAfterUpdate(
  context: VersionContext,
  live: JsonObject,
  next: JsonObject,
  owners: OwnerMap,
  writer: Writer,
  writerId: string,
): Map<string, Owner> {
  const current = reconciled(context, live, owners)
  const { owners: rest, comparison } = rewrite(context, live, next, current, writerId, true)
  const { added, modified, removed } = comparison
  const before = rest.get(writerId)?.set ?? FieldSet.empty
  const set = withoutReset(context, before.difference(removed).union(modified).union(added))
  if (set.isEmpty) rest.delete(writerId)
  else rest.set(writerId, { ...writer, time: undefined, set })
  return rest
}

/** An apply's result: the merged and pruned object, and the owners. */
export interface Applied {
  readonly object: JsonObject
  readonly owners: Map<string, Owner>
}

/**
 * @throws ConflictsError where the apply is not forced and would change what others own
 */
export function applyConfig(
  context: VersionContext,
  live: JsonObject,
  config: JsonObject,
  owners: OwnerMap,
  writer: Writer,
  writerId: string,
  force: boolean,
): Applied {
  const current = reconciled(context, live, owners)
  const merged = mergeValues(live, config, context.schema) as JsonObject
  const last = current.get(writerId)
  const set = withoutReset(context, fieldSetOf(config, context.schema))
  current.set(writerId, { ...writer, time: last?.time, set })
  const object = prune(context, merged, current, last, set)
  return { object, owners: rewrite(context, live, object, current, writerId, force).owners }
}

/** Sets brought up to the present schema; those of versions that are gone are dropped. */
function reconciled(context: VersionContext, live: JsonObject, owners: OwnerMap): Map<string, Owner> {
  const out = new Map<string, Owner>()
  for (const [id, owner] of owners) {
    const typed = inVersion(context, live, owner.apiVersion)
    if (typed === undefined) continue
    const set = reconcileWithSchema(owner.set, typed.schema)
    out.set(id, set === owner.set ? owner : { ...owner, set })
  }
  return out
}

function compared(
  context: VersionContext,
  live: JsonObject,
  next: JsonObject,
  apiVersion: string,
): Comparison | undefined {
  const before = inVersion(context, live, apiVersion)
  const after = inVersion(context, next, apiVersion)
  if (before === undefined || after === undefined) return undefined
  const { added, modified, removed } = compareValues(before.value, after.value, before.schema)
  return {
    added: withoutReset(context, added),
    modified: withoutReset(context, modified),
    removed: withoutReset(context, removed),
  }
}

/** Takes what changed from everybody but the writer, or fails where that needs force. */
function rewrite(
  context: VersionContext,
  live: JsonObject,
  next: JsonObject,
  owners: Map<string, Owner>,
  writerId: string,
  force: boolean,
): Rewritten {
  const own = compared(context, live, next, context.apiVersion) ?? nothing
  const versions = new Map<string, Comparison | undefined>([[context.apiVersion, own]])
  const conflicts = new Map<string, { owner: Owner; set: FieldSet }>()
  for (const [id, owner] of owners) {
    if (id === writerId) continue
    if (!versions.has(owner.apiVersion)) versions.set(owner.apiVersion, compared(context, live, next, owner.apiVersion))
    const comparison = versions.get(owner.apiVersion)
    if (comparison === undefined) {
      owners.delete(id)
      continue
    }
    const set = owner.set.intersection(comparison.modified.union(comparison.added))
    if (!set.isEmpty) conflicts.set(id, { owner, set })
    const left = owner.set.difference(set).difference(comparison.removed)
    if (left !== owner.set) owners.set(id, { ...owner, set: left })
  }
  if (!force && conflicts.size > 0) throw new ConflictsError(listConflicts(conflicts))
  for (const [id, owner] of owners) if (owner.set.isEmpty) owners.delete(id)
  return { owners, comparison: own }
}

const nothing: Comparison = { added: FieldSet.empty, modified: FieldSet.empty, removed: FieldSet.empty }
