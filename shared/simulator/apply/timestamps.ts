import { sameJson } from '../object.ts'
import type { KubeObject, ManagedFieldsRecord } from '../object.ts'
import { withoutManagedFields } from './field-manager.ts'

/**
 * `next` with the live times in managedFields where nothing else differs from the live object, so that a write that changes nothing
 * is none (apiserver, fieldmanager/equality.go); otherwise `next` itself.
 */
export function withoutTimeOnlyChange(live: KubeObject, next: KubeObject): KubeObject {
  const before = live.metadata.managedFields ?? []
  const after = next.metadata.managedFields ?? []
  if (before.length !== after.length || after.every((entry, i) => entry.time === before[i]?.time)) return next
  if (!after.every((entry, i) => sameJson(withoutTime(entry), withoutTime(before[i] ?? {})))) return next
  if (!sameJson(withoutManagedFields(live), withoutManagedFields(next))) return next
  return { ...next, metadata: { ...next.metadata, managedFields: before } }
}

function withoutTime(entry: ManagedFieldsRecord): ManagedFieldsRecord {
  const { time: _, ...rest } = entry
  return rest
}
