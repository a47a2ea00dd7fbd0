import { FieldSet } from '../../fields/field-set.ts'
import { decodeManagedFields, encodeManagedFields, ownerId } from '../../fields/managed-fields.ts'
import type { Owner } from '../../fields/managed-fields.ts'
import { fieldElement } from '../../fields/path.ts'
import type { ManagedFieldsRecord } from '../object.ts'

/** Where each version of a kind keeps its replicas; null where a version has no scale. */
export type ReplicasPaths = Readonly<Record<string, readonly string[] | null>>

const scaleVersion = 'autoscaling/v1'
const scaleReplicas = FieldSet.of([fieldElement('spec'), fieldElement('replicas')])

function setOf(path: readonly string[]): FieldSet {
  return FieldSet.of(path.map(fieldElement))
}

function holds(owner: Owner, path: readonly string[]): boolean {
  return owner.set.has(path.map(fieldElement))
}

/**
 * The managedFields of an object as those of its Scale: who owns the replicas (apimachinery, managedfields/scalehandler.go).
 * @throws ManagedFieldsError
 */
export function scaleManagedFields(
  parent: readonly ManagedFieldsRecord[],
  paths: ReplicasPaths,
): ManagedFieldsRecord[] {
  const owners = new Map<string, Owner>()
  for (const [id, owner] of decodeManagedFields(parent)) {
    const path = paths[owner.apiVersion]
    if (path === undefined || path === null || !holds(owner, path)) continue
    owners.set(id, { ...owner, apiVersion: scaleVersion, set: scaleReplicas })
  }
  return encodeManagedFields(owners) ?? []
}

/**
 * The managedFields of an object after a write to its Scale left these on the Scale. An updater that still owns the replicas gets an
 * entry of its own for them, without a time, because the two do not know each other under the Scale's version: so the server has it.
 * @throws ManagedFieldsError
 */
export function managedFieldsFromScale(
  parent: readonly ManagedFieldsRecord[],
  scale: readonly ManagedFieldsRecord[],
  apiVersion: string,
  paths: ReplicasPaths,
): ManagedFieldsRecord[] {
  const before = decodeManagedFields(parent)
  const scaled = decodeManagedFields(scale)
  const owners = new Map<string, Owner>()
  for (const [id, owner] of before) {
    const path = paths[owner.apiVersion]
    if (path === undefined) continue
    if (path === null || !holds(owner, path) || scaled.delete(id)) owners.set(id, owner)
    else {
      const set = owner.set.difference(setOf(path))
      if (!set.isEmpty) owners.set(id, { ...owner, set })
    }
  }
  const path = paths[apiVersion] ?? []
  for (const [id, owner] of scaled) {
    if (!owner.set.has([fieldElement('spec'), fieldElement('replicas')])) continue
    owners.set(id, { ...owner, apiVersion, time: before.get(ownerId(owner))?.time, set: setOf(path) })
  }
  return encodeManagedFields(owners) ?? []
}
