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

/** Reasons for which nobody looks into an object: their words are about the way to the server, a role or a name. */
const ABOUT_NO_CONTENT: ReadonlySet<string> = new Set([
  'unreachable',
  'timeout',
  'certificate',
  'unauthorized',
  'credentials',
  'config',
  'not-found',
  'already-exists',
  'too-many-requests',
])

const FORBIDDEN_BY_ROLE =
  /^secrets(?: "[^"]*")? is forbidden: User "[^"]*" cannot \w+ resource "secrets" in API group ""[^{}]{0,300}$/
const TYPED_PATCH = /(?:^|\s)\.((?:data|stringData)(?:\.[\w.-]+)?): expected (\w+), got /
const UNKNOWN_FIELDS = /unknown field "[\w.[\]-]+"/g

/**
 * An error's message about an object. What a server says of a Secret may quote its values in any form, so that only what
 * is known to hold none is told: where, and what was expected there (invariant 4).
 */
export function messageAbout(id: ResourceId, error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  if (id.group !== '' || id.kind !== 'Secret') return message
  const { reason, causes } = (error ?? {}) as { readonly reason?: unknown; readonly causes?: unknown }
  if (typeof reason === 'string' && ABOUT_NO_CONTENT.has(reason)) return message
  if (FORBIDDEN_BY_ROLE.test(message)) return message
  const refused = `the server refused the Secret${typeof reason === 'string' ? ` (${reason})` : ''}`
  const details = [...typedPatch(message), ...(message.match(UNKNOWN_FIELDS) ?? []), ...fieldsOf(causes)]
  return `${refused}: ${details.length === 0 ? 'its words may quote values and are not shown' : details.join(', ')}`
}

function typedPatch(message: string): readonly string[] {
  const [, field, expected] = TYPED_PATCH.exec(message) ?? []
  return field === undefined ? [] : [`${field} has to be a ${expected === 'string' ? 'text' : expected}`]
}

/** Which fields a validation was about, and by which rule. */
function fieldsOf(causes: unknown): readonly string[] {
  if (!Array.isArray(causes)) return []
  return causes.flatMap((cause: { readonly field?: unknown; readonly reason?: unknown } | null) => {
    const { field, reason } = cause ?? {}
    if (typeof field !== 'string') return []
    return [`${field} is not valid${typeof reason === 'string' ? ` (${reason})` : ''}`]
  })
}
