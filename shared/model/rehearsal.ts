import type { FieldDrift } from './drift.ts'
import type { HealthCode } from './health.ts'
import type { GroupKind, ResourceId } from './kubernetes.ts'
import type { OperationPhase } from './outcome.ts'
import type { SyncPhase } from './plan.ts'
import type { Revision } from './revision.ts'
import type { SyncCode } from './status.ts'

/** Raised whenever an older reader would misread a report. */
export const REHEARSAL_FORMAT = 1

/** Where the sync was rehearsed. */
export type RehearsalPlace =
  | { readonly kind: 'embedded' }
  /** Another cluster, by its context; `provider` where Plumbline made it for this. */
  | { readonly kind: 'cluster'; readonly context: string; readonly provider?: string }

/** What the place was filled from. */
export type RehearsalFill =
  | { readonly kind: 'live'; readonly context: string; readonly objects: number; readonly readAt: string }
  | {
      readonly kind: 'recording'
      readonly file: string
      readonly context: string
      readonly objects: number
      readonly readAt: string
    }

/** A failure that was asked for. */
export type Fault =
  /** Pods with an image that fits the glob cannot pull it. */
  | { readonly kind: 'image'; readonly pattern: string }
  /** Hooks of that name or phase end with an error. */
  | { readonly kind: 'hook'; readonly name: string }
  /** The namespace has no room for one more pod. */
  | { readonly kind: 'quota'; readonly namespace: string }
  /** Admission webhooks whose name fits the glob do not answer. */
  | { readonly kind: 'webhook'; readonly pattern: string }
  /** Pods of the workload start and never become ready, or end again and again. */
  | { readonly kind: 'not-ready' | 'crash'; readonly name: string }

/**
 * What one step came to.
 * - `kept`: a prune that was not allowed
 * - `refused`: a rule or the server forbade it before it was tried
 * - `failed`: it was tried, and the server said no
 * - `not-reached`: the sync ended before it
 */
export type StepResult =
  | { readonly kind: 'created' | 'changed' | 'replaced' | 'pruned' | 'unchanged' }
  | { readonly kind: 'kept' | 'refused' | 'failed' | 'not-reached'; readonly reason: string }
  | { readonly kind: 'hook-succeeded' }
  | { readonly kind: 'hook-failed'; readonly reason: string }

/** One step as it happened. Times are milliseconds from the sync's start, as the rehearsal's clock counts them. */
export type RehearsedStep = {
  /** By phase and object. */
  readonly key: string
  readonly id: ResourceId
  readonly apiVersion: string
  readonly phase: SyncPhase
  readonly wave: number
  /** Counts from 1 over phases and waves together; 0 where it never came to it. */
  readonly stage: number
  readonly hook: boolean
  readonly result: StepResult
  /** Why the step was there. */
  readonly reason: string
  readonly fields: readonly FieldDrift[]
  /** Absent where it never began. */
  readonly startMs?: number
  /** When the write was done, or the hook had ended. */
  readonly endMs?: number
  /** When the object had become healthy for good; absent where health means nothing for it or it never did. */
  readonly healthyMs?: number
  /** How often it was written, where more than once. */
  readonly tries?: number
}

/** How something stood from a moment on; of the application as a whole where `key` is empty. */
export type HealthMark = {
  readonly atMs: number
  /** `resourceKey` of the object. */
  readonly key: string
  readonly health: HealthCode
  readonly message?: string
}

/** How many pods of a workload were ready from a moment on. */
export type ReadyMark = {
  readonly atMs: number
  readonly key: string
  readonly ready: number
  readonly wanted: number
}

/** What the sync did to others than its own objects, or to the data in them: counted in the rehearsal, not guessed. */
export type RehearsedEffect =
  /** Pods that were there before and are not any more, new ones in their place. */
  | { readonly kind: 'pods-restarted'; readonly id: ResourceId; readonly pods: number }
  /** Fewer pods were ready than the budget allows, or than one. `toMs` is absent where it did not end. */
  | {
      readonly kind: 'downtime'
      readonly id: ResourceId
      readonly fromMs: number
      readonly toMs?: number
      readonly ready: number
      readonly needed: number
      /** The PodDisruptionBudget that says how many are needed. */
      readonly budget?: ResourceId
    }
  | { readonly kind: 'endpoints-lost'; readonly id: ResourceId; readonly endpoints: number }
  | { readonly kind: 'data-lost'; readonly id: ResourceId; readonly what: string }
  /** The object was deleted and made anew, because the fields cannot be changed. */
  | { readonly kind: 'replaced'; readonly id: ResourceId; readonly fields: readonly string[] }
  /** Objects of others that went with what was pruned. */
  | { readonly kind: 'taken-along'; readonly id: ResourceId; readonly objects: readonly ResourceId[] }
  | { readonly kind: 'quota-overrun'; readonly id: ResourceId; readonly message: string }
  /** What whoever syncs may not do on the real cluster. */
  | {
      readonly kind: 'permission-lacking'
      readonly verb: string
      readonly resource: string
      readonly group: string
      readonly namespace: string
    }

/** What the rehearsal could not know. */
export type Unknown =
  | {
      readonly kind: 'webhook'
      readonly name: string
      readonly configuration: string
      readonly mutating: boolean
      readonly failurePolicy: string
      readonly objects: readonly ResourceId[]
    }
  | { readonly kind: 'policy'; readonly name: string; readonly objects: readonly ResourceId[] }
  /** Nothing in the place acts on these objects as on the real cluster. */
  | { readonly kind: 'controller'; readonly of: GroupKind; readonly objects: readonly ResourceId[] }
  /** The embedded server has not been held against a real one for the kind. */
  | { readonly kind: 'kind'; readonly of: GroupKind; readonly objects: readonly ResourceId[] }
  /** No ready pod of the cluster runs the image: that it starts was assumed. */
  | { readonly kind: 'image'; readonly image: string; readonly workloads: readonly ResourceId[] }
  /** Something could not be read, or was gone when it was. */
  | { readonly kind: 'not-read'; readonly what: string; readonly reason: string }
  /** The embedded server does as another version than the cluster's does. */
  | { readonly kind: 'version'; readonly real: string; readonly here: string }
  /** The place has no nodes: what waits for pods waits for ever. */
  | { readonly kind: 'no-nodes'; readonly objects: readonly ResourceId[] }
  /** A recording without its key does not say whether a Secret differs. */
  | { readonly kind: 'secret'; readonly id: ResourceId }
  /** The place would do something else with an object than the real cluster's own dry run said. */
  | { readonly kind: 'plan-differs'; readonly id: ResourceId; readonly real: string; readonly here: string }
  /** How long pods take was assumed, or measured on so many of the cluster's own. */
  | { readonly kind: 'pod-times'; readonly startMs: number; readonly measuredOn: number }

/** On how many of the objects that the sync touches the embedded server is proven against a real one. */
export type Proven = {
  readonly proven: number
  readonly total: number
  readonly unproven: readonly GroupKind[]
}

/** Where the application stood when all had come to rest. */
export type RehearsalEnd = {
  readonly sync: SyncCode
  readonly health: HealthCode
  /** Objects that are not as Git wants them, or not well. */
  readonly off: readonly {
    readonly id: ResourceId
    readonly sync: SyncCode
    readonly health?: HealthCode
    readonly message?: string
  }[]
}

/** A sync that was run on a throw-away cluster, and what it means. */
export type Rehearsal = {
  readonly format: typeof REHEARSAL_FORMAT
  readonly application: string
  /** The context that the sync is meant for. */
  readonly context: string
  readonly place: RehearsalPlace
  readonly fill: RehearsalFill
  readonly revision: Revision
  /** Digest of the plan that was rehearsed; empty where the real cluster was not there to plan on. */
  readonly plan: string
  readonly passed: boolean
  /** Why it has not passed; empty where it has. */
  readonly failures: readonly string[]
  readonly operation: { readonly phase: OperationPhase; readonly message: string; readonly retries: number }
  /** Where the sync came out degraded and a rollback was asked for: the revision that it went back to. */
  readonly rolledBackTo?: string
  readonly faults: readonly Fault[]
  readonly stages: number
  readonly steps: readonly RehearsedStep[]
  readonly health: readonly HealthMark[]
  readonly ready: readonly ReadyMark[]
  readonly end: RehearsalEnd
  readonly effects: readonly RehearsedEffect[]
  readonly unknowns: readonly Unknown[]
  readonly proven: Proven
  /** RFC 3339. */
  readonly rehearsedAt: string
  /** Milliseconds of simulated time until all had come to rest. */
  readonly simulatedMs: number
  /** Milliseconds that the rehearsal took. */
  readonly tookMs: number
}

/** What two rehearsals do not have in common. */
export type RehearsalComparison = {
  /** Steps of one of them, or that came to something else; a side is absent where it has no such step. */
  readonly steps: readonly {
    readonly key: string
    readonly id: ResourceId
    readonly one?: RehearsedStep
    readonly other?: RehearsedStep
  }[]
  readonly effects: { readonly one: readonly RehearsedEffect[]; readonly other: readonly RehearsedEffect[] }
  readonly passed: { readonly one: boolean; readonly other: boolean }
  readonly end: { readonly one: RehearsalEnd; readonly other: RehearsalEnd }
}

/** What a rehearsal tells while it runs. */
export type RehearsalEvent =
  | { readonly kind: 'filling'; readonly what: string }
  | { readonly kind: 'filled'; readonly objects: number }
  | { readonly kind: 'running'; readonly atMs: number; readonly stage: number; readonly stages: number }
  | { readonly kind: 'step'; readonly atMs: number; readonly step: RehearsedStep }
  | { readonly kind: 'health'; readonly mark: HealthMark }
  | { readonly kind: 'ready'; readonly mark: ReadyMark }
  | { readonly kind: 'ended'; readonly rehearsal: Rehearsal }
