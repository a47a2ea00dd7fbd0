import type { FieldValue } from '../../model/drift.ts'
import type { Json } from '../../model/json.ts'
import type { ResourceId } from '../../model/kubernetes.ts'
import { LAST_APPLIED_ANNOTATION } from './system-fields.ts'

/**
 * The one place where a value of an object becomes something that may leave core/drift. Whatever may carry a Secret's
 * content is hidden here, so that no caller can forget to (invariant 4).
 */
export function fieldValue(id: ResourceId, path: readonly (string | number)[], value: Json | undefined): FieldValue {
  if (value === undefined) return { kind: 'absent' }
  return isSecretContent(id, path) ? { kind: 'hidden' } : { kind: 'value', value }
}

/** Everything of a Secret but its plain metadata, type and immutability. */
export function isSecretContent(id: ResourceId, path: readonly (string | number)[]): boolean {
  if (id.group !== '' || id.kind !== 'Secret') return false
  const [head, second, third] = path
  switch (head) {
    case 'type':
    case 'immutable':
    case 'apiVersion':
    case 'kind':
      return false
    case 'metadata':
      return !(second === 'labels' || (second === 'annotations' && isHarmlessAnnotation(third)) || isName(second))
    default:
      return true
  }
}

function isHarmlessAnnotation(name: string | number | undefined): boolean {
  return typeof name === 'string' && name !== LAST_APPLIED_ANNOTATION
}

function isName(field: string | number | undefined): boolean {
  return field === 'name' || field === 'namespace' || field === 'finalizers' || field === 'ownerReferences'
}

/** A server's message about a Secret, without the values that it may quote. */
export function maskMessage(id: ResourceId, message: string): string {
  if (id.group !== '' || id.kind !== 'Secret') return message
  return message
    .replace(/Invalid value: .*?: (?=[a-z])/g, 'Invalid value: (hidden): ')
    .replace(/"[^"]{0,65536}"/g, '"(hidden)"')
}
