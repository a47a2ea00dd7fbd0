import type { KubeObject } from '../object.ts'
import type { FieldError } from './field-error.ts'

/** A path of plain field names from the root: `['status']`, `['spec', 'replicas']`. */
export type FieldPath = readonly string[]

/** What a strategy may ask of the server while it prepares or checks an object. */
export interface StrategyContext {
  /** RFC 3339, whole seconds. */
  readonly now: string
  readonly dryRun: boolean
  /** The user who asks, for kinds that record it. */
  readonly user?: string
  readonly userUid?: string
  readonly groups?: readonly string[]
  /** Whether pods get a service account and its token, as they do where a controller makes the accounts. */
  readonly serviceAccounts?: boolean
  /** A fresh random (version 4) UUID. */
  uid(): string
  /** A random whole number in [0, below). */
  random(below: number): number
  /** The stored object; namespace `''` for cluster-scoped ones. Resources are named `<plural>` or `<plural>.<group>`. */
  lookup(resource: string, namespace: string, name: string): KubeObject | undefined
  /** Every stored object of the resource, or those of one namespace. */
  list(resource: string, namespace?: string): Iterable<KubeObject>
}

/** How one part of an object is written by a subresource of its own, such as `/approval`. */
export interface PartStrategy {
  /** Keeps everything but the part. */
  prepareForUpdate(next: KubeObject, live: KubeObject, context: StrategyContext): void
  validateUpdate(next: KubeObject, live: KubeObject, context: StrategyContext): FieldError[]
  /** What a write of the part never owns in managedFields. */
  readonly resetFields: readonly FieldPath[]
}

/**
 * What kube-apiserver does with one kind beside storing it: a registry strategy (`pkg/registry/<group>/<kind>/strategy.go`), its
 * defaults (`pkg/apis/<group>/<version>/defaults.go`) and its validation (`pkg/apis/<group>/validation`).
 *
 * Every function gets objects that it may change where it says so; `live` is never changed. Prepared and validated objects are
 * in canonical form (see `codec.ts`) and defaulted.
 */
export interface KindStrategy {
  /** Fills defaults in place. Runs on every decoded body and on the result of every patch. */
  setDefaults?(o: KubeObject): void
  /** Clears what a creator may not set, sets generation, allocates; after mutating admission. */
  prepareForCreate?(o: KubeObject, context: StrategyContext): void
  /** Keeps what the main endpoint may not change, bumps generation. */
  prepareForUpdate?(next: KubeObject, live: KubeObject, context: StrategyContext): void
  prepareForStatusUpdate?(next: KubeObject, live: KubeObject, context: StrategyContext): void
  /** All errors, those of `metadata` included. */
  validateCreate?(o: KubeObject, context: StrategyContext): FieldError[]
  validateUpdate?(next: KubeObject, live: KubeObject, context: StrategyContext): FieldError[]
  validateStatus?(next: KubeObject, live: KubeObject, context: StrategyContext): FieldError[]
  /** Last touch after validation. */
  canonicalize?(o: KubeObject): void
  /** What a write through the endpoint never owns in managedFields, beside what no write ever owns. */
  readonly resetFields?: { readonly main: readonly FieldPath[]; readonly status: readonly FieldPath[] }
  /** Subresources that write a part of the object, beside `status`. */
  readonly parts?: Readonly<Record<string, PartStrategy>>
  /** What a DELETE without propagationPolicy does with dependents; absent means Background. */
  readonly deletePolicyDefault?: 'Orphan' | 'Background'
  /** Seconds that a DELETE waits; undefined for kinds that go at once. `requested` is the caller's gracePeriodSeconds. */
  gracePeriodSeconds?(o: KubeObject, requested: number | undefined): number | undefined
  /** Whether a PUT without resourceVersion is taken. */
  readonly allowUnconditionalUpdate: boolean
  /** Whether a PUT to an absent name creates. */
  readonly allowCreateOnUpdate: boolean
  /** Texts for `Warning` headers of a create or update; `live` is undefined on create. */
  warnings?(o: KubeObject, live: KubeObject | undefined): string[]
  /** Field selectors beside metadata.name and metadata.namespace. */
  readonly fieldSelectors?: Readonly<Record<string, (o: KubeObject) => string>>
}
