import type { Json } from './json.ts'
import type { ResourceId } from './kubernetes.ts'
import type { Failure } from './failure.ts'
import type { Origin, Place } from './manifest.ts'

/** A value of one field on one side. A Secret's value never stands here: it is `hidden`. */
export type FieldValue =
  | { readonly kind: 'absent' }
  | { readonly kind: 'hidden' }
  | { readonly kind: 'value'; readonly value: Json }

/**
 * - `changed`: Git and cluster have different values, or only one of them has the field since Git last changed
 * - `removed`: a sync put it there, it is gone
 * - `added-foreign`: somebody put it into the cluster, Git does not have it
 * - `conflict`: as changed, and another applier owns the field
 * - `controller-owned`, `admission-rewritten`, `defaulted`, `ownership-only`: shown on request, not drift
 */
export type FieldDriftKind =
  | 'changed'
  | 'removed'
  | 'added-foreign'
  | 'conflict'
  | 'controller-owned'
  | 'admission-rewritten'
  | 'defaulted'
  | 'ownership-only'

export const DRIFT_KINDS: ReadonlySet<FieldDriftKind> = new Set<FieldDriftKind>([
  'changed',
  'removed',
  'added-foreign',
  'conflict',
])

/** Who set a field. `manager` is what the client called itself, not a user's identity. */
export type Blame = {
  readonly manager: string
  readonly operation: 'Apply' | 'Update'
  readonly subresource: string
  /** RFC 3339; the latest moment at which it can have happened. */
  readonly time: string
  /** RFC 3339; the earliest moment, where known. */
  readonly since?: string
}

export type FieldDrift = {
  /** JSON pointer in the live object, or in the desired one where the live one lacks the field. */
  readonly path: string
  readonly kind: FieldDriftKind
  readonly desired: FieldValue
  readonly live: FieldValue
  readonly blame?: Blame
  readonly place?: Place
}

/** How an object's state was found: `proof` and `memory` cost no call, `server` asked, `local` is a guess until it did. */
export type Evidence = 'proof' | 'memory' | 'server' | 'local'

export type ObjectDrift = {
  readonly id: ResourceId
  readonly apiVersion: string
  /** `unknown` when the server's answer could not be had; `failure` says why. */
  readonly state: 'synced' | 'changed' | 'missing' | 'extra' | 'unknown'
  /** Differences that a sync would change. Empty unless `changed`. */
  readonly fields: readonly FieldDrift[]
  /** Differences that are not drift, shown on request. */
  readonly notes: readonly FieldDrift[]
  readonly evidence: Evidence
  /** Only where it is `missing`: the object is still there and being deleted; it can be made again when it has gone. */
  readonly going?: true
  readonly uid?: string
  readonly resourceVersion?: string
  readonly origin?: Origin
  readonly failure?: Failure
}
