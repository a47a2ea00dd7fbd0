import { encodeManagedFields, ownerId, secondsOf } from '../../fields/managed-fields.ts'
import type { Owner } from '../../fields/managed-fields.ts'
import { FieldSet } from '../../fields/field-set.ts'
import { fieldElement } from '../../fields/path.ts'
import { compareText } from '../../fields/value.ts'
import type { JsonObject, KubeObject } from '../object.ts'
import { ownAfterUpdate } from './updater.ts'
import type { OwnerMap, Writer } from './updater.ts'
import type { VersionContext } from './version.ts'

/** What nobody ever owns (apimachinery, managedfields/internal/stripmeta.go). */
const neverOwned = FieldSet.of(
  [fieldElement('apiVersion')],
  [fieldElement('kind')],
  [fieldElement('metadata')],
  ...[
    'name',
    'namespace',
    'creationTimestamp',
    'selfLink',
    'uid',
    'clusterName',
    'generation',
    'managedFields',
    'resourceVersion',
  ].map((name) => [fieldElement('metadata'), fieldElement(name)]),
)

/** The most entries of updates that are kept apart; the oldest beyond them are merged. */
const maxUpdateOwners = 10
const currentOperation = 'current-operation'

/** Takes from an owner's set what nobody owns; an owner left with nothing goes. Changes the map. */
export function stripOwner(owners: Map<string, Owner>, id: string): void {
  const owner = owners.get(id)
  if (owner === undefined) return
  const set = owner.set.difference(neverOwned)
  if (set.isEmpty) owners.delete(id)
  else owners.set(id, { ...owner, set })
}

/** Owners after a write that is not an apply. Objects are without managedFields. */
export function ownersAfterUpdate(
  context: VersionContext,
  live: JsonObject,
  next: JsonObject,
  owners: OwnerMap,
  writer: Writer,
  now: string,
): Map<string, Owner> {
  const after = ownAfterUpdate(context, live, next, owners, writer, currentOperation)
  stripOwner(after, currentOperation)
  const current = after.get(currentOperation)
  if (current !== undefined) {
    after.delete(currentOperation)
    const id = ownerId(writer)
    const previous = after.get(id)
    after.set(id, {
      ...current,
      time: now,
      set: previous === undefined ? current.set : current.set.union(previous.set),
    })
  }
  return capped(after)
}

/** Merges the oldest updates, version by version, until few enough are left (managedfields/internal/capmanagers.go). */
function capped(owners: Map<string, Owner>): Map<string, Owner> {
  const updates = [...owners].filter(([, owner]) => owner.operation === 'Update')
  if (updates.length <= maxUpdateOwners) return owners
  updates.sort((a, b) => secondsOf(a[1].time) - secondsOf(b[1].time) || compareText(a[0], b[0]))
  const firstOfVersion = new Map<string, string>()
  let count = updates.length
  for (const [id, owner] of updates) {
    if (count <= maxUpdateOwners) break
    const { apiVersion } = owner
    const first = firstOfVersion.get(apiVersion)
    if (first === undefined) {
      firstOfVersion.set(apiVersion, id)
      continue
    }
    const bucket: Writer = { manager: 'ancient-changes', operation: 'Update', apiVersion, subresource: '' }
    const bucketId = ownerId(bucket)
    const held = owners.get(bucketId) ?? owners.get(first)
    if (!owners.has(bucketId)) owners.delete(first)
    const set = held === undefined ? owner.set : owner.set.union(held.set)
    if (id !== bucketId) owners.delete(id)
    owners.set(bucketId, { ...bucket, time: owner.time, set })
    count--
  }
  return owners
}

/** The object without managedFields; shares everything else. */
export function withoutManagedFields(object: KubeObject): JsonObject {
  const { managedFields: _, ...metadata } = object.metadata
  return { ...object, metadata }
}

/** The object with these owners as its managedFields; shares everything else. */
export function withOwners(object: JsonObject, owners: OwnerMap): KubeObject {
  const managedFields = encodeManagedFields(owners)
  const metadata: KubeObject['metadata'] = { ...(object['metadata'] as KubeObject['metadata']) }
  delete metadata.managedFields
  if (managedFields !== undefined) metadata.managedFields = managedFields
  return { ...object, metadata } as KubeObject
}
