import type { PathElement } from '../../fields/path.ts'

export const LAST_APPLIED_ANNOTATION = 'kubectl.kubernetes.io/last-applied-configuration'

const SYSTEM_METADATA: ReadonlySet<string> = new Set([
  'f:creationTimestamp',
  'f:deletionTimestamp',
  'f:deletionGracePeriodSeconds',
  'f:generation',
  'f:managedFields',
  'f:resourceVersion',
  'f:selfLink',
  'f:uid',
])

/** Fields that only the server writes, and kubectl's copy of the last configuration: never drift. */
export function isSystemField(fields: readonly PathElement[]): boolean {
  const [head, second, third] = fields
  if (head === 'f:status' || head === 'f:apiVersion' || head === 'f:kind') return true
  if (head !== 'f:metadata' || second === undefined) return false
  return SYSTEM_METADATA.has(second) || (second === 'f:annotations' && third === `f:${LAST_APPLIED_ANNOTATION}`)
}
