import { decodeFieldsV1, encodeFieldsV1 } from '../../fields/fields-v1.ts'
import type { Json } from '../../model/json.ts'
import type { LiveObject, Owner } from '../../model/live.ts'
import type { FieldsV1 } from '../../model/managed-fields.ts'
import type { PatchOperation } from '../../model/ports.ts'
import { FIELD_MANAGER, isOurs } from '../drift/trust.ts'
import { LAST_APPLIED_ANNOTATION } from '../drift/system-fields.ts'

/**
 * The patch that makes what `kubectl apply` had applied ours, so that a field which leaves Git leaves the cluster too. It
 * does what kubectl's own move to server-side apply does (client-go `util/csaupgrade`): the client-side entries become
 * one Apply entry of ours. Undefined where there is nothing to take over.
 * @param managers those who applied on the client's side
 */
export function adoptionOf(live: LiveObject, managers: readonly string[]): readonly PatchOperation[] | undefined {
  const adopted = live.owners.filter(
    (owner) => owner.operation === 'Update' && owner.subresource === '' && managers.includes(owner.manager),
  )
  const [first] = adopted
  if (first === undefined) return undefined
  const ours = live.owners.find((owner) => isOurs(owner) && owner.operation === 'Apply')
  const taken = adopted.filter((owner) => owner.apiVersion === (ours ?? first).apiVersion)
  const merged = [...taken, ...(ours === undefined ? [] : [ours])]
  const entry: Owner = { ...(ours ?? first), manager: FIELD_MANAGER, operation: 'Apply', fields: union(merged) }
  const others = live.owners.filter((owner) => !merged.includes(owner) && !adopted.includes(owner))
  return [{ op: 'replace', path: '/metadata/managedFields', value: [entry, ...others].map(wireEntry) }]
}

function union(owners: readonly Owner[]): FieldsV1 {
  const [first, ...rest] = owners.map((owner) => decodeFieldsV1(owner.fields))
  const all = rest.reduce((set, next) => set?.union(next), first)
  return all === undefined ? {} : withoutLastApplied(encodeFieldsV1(all))
}

/** kubectl's copy of the last configuration stays nobody's: it is dropped from what we own, as kubectl's move does. */
function withoutLastApplied(fields: FieldsV1): FieldsV1 {
  const metadata = fields['f:metadata']
  const annotations = metadata?.['f:annotations']
  if (metadata === undefined || annotations === undefined) return fields
  const { [`f:${LAST_APPLIED_ANNOTATION}`]: _, ...kept } = annotations
  return { ...fields, 'f:metadata': { ...metadata, 'f:annotations': kept } }
}

function wireEntry(owner: Owner): Json {
  return {
    manager: owner.manager,
    operation: owner.operation,
    apiVersion: owner.apiVersion,
    time: owner.time,
    fieldsType: 'FieldsV1',
    fieldsV1: owner.fields,
    ...(owner.subresource === '' ? {} : { subresource: owner.subresource }),
  }
}
