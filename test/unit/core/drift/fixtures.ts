import { builtInCatalogue } from '../../../../shared/kubernetes/built-in.ts'
import { encodeFieldsV1 } from '../../../../shared/fields/fields-v1.ts'
import { fieldSetOf } from '../../../../shared/fields/object-set.ts'
import type { Schema } from '../../../../shared/fields/schema.ts'
import type { JsonObject } from '../../../../shared/model/json.ts'
import type { KubeObject } from '../../../../shared/model/kubernetes.ts'
import type { LiveObject, Owner } from '../../../../shared/model/live.ts'
import type { FieldsV1 } from '../../../../shared/model/managed-fields.ts'

/** The structural schema of a built-in kind. */
export function schemaOf(group: string, version: string, kind: string): Schema {
  const schema = builtInCatalogue().schemaFor(group, version, kind)
  if (schema === undefined) throw new Error(`no schema of ${kind}`)
  return schema
}

export const DEPLOYMENT = schemaOf('apps', 'v1', 'Deployment')
export const CONFIG_MAP = schemaOf('', 'v1', 'ConfigMap')

export function deployment(spec: JsonObject, metadata: JsonObject = {}): KubeObject {
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', ...metadata }, spec }
}

export function configMap(data: JsonObject, metadata: JsonObject = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'web', ...metadata }, data }
}

/** Everything that an object states, less what names it, as managedFields would have it. */
export function fieldsOf(object: KubeObject, schema: Schema): FieldsV1 {
  const {
    'f:apiVersion': _1,
    'f:kind': _2,
    'f:metadata': metadata,
    ...rest
  } = encodeFieldsV1(fieldSetOf(object, schema))
  const { 'f:name': _3, 'f:namespace': _4, ...kept } = metadata ?? {}
  return Object.keys(kept).length === 0 ? rest : { ...rest, 'f:metadata': kept }
}

export function owner(manager: string, fields: FieldsV1, more: Partial<Owner> = {}): Owner {
  const time = '2026-03-01T10:00:00Z'
  return { manager, operation: 'Update', apiVersion: 'apps/v1', time, subresource: '', fields, ...more }
}

/** Our own Apply entry. */
export function ours(fields: FieldsV1, more: Partial<Owner> = {}): Owner {
  return owner('plumbline', fields, { operation: 'Apply', time: '2026-03-01T09:00:00Z', ...more })
}

export function live(object: KubeObject, ...owners: readonly Owner[]): LiveObject {
  return { object, uid: 'u1', resourceVersion: '7', owners }
}
