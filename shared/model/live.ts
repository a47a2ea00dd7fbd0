import type { FieldsV1 } from './managed-fields.ts'
import type { KubeObject } from './kubernetes.ts'

/** One object as the cluster has it, with its owners kept apart from its content. */
export type LiveObject = {
  /** Without `metadata.managedFields`. */
  readonly object: KubeObject
  readonly uid: string
  readonly resourceVersion: string
  readonly owners: readonly Owner[]
}

/** One entry of `metadata.managedFields`. */
export type Owner = {
  readonly manager: string
  readonly operation: 'Apply' | 'Update'
  readonly apiVersion: string
  /** RFC 3339, to the second. */
  readonly time: string
  /** `status`, `scale` or empty for the object itself. */
  readonly subresource: string
  readonly fields: FieldsV1
}
