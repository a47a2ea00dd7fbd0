import type { FieldDrift } from './drift.ts'
import type { ResourceId } from './kubernetes.ts'

/** What a sync would do to one object, with the exact state that it was planned on. */
export type Step = {
  readonly id: ResourceId
  readonly apiVersion: string
  readonly action: StepAction
  /** Why the step is there, in one line. */
  readonly reason: string
  /** The state that the step was planned on; the server refuses the step (409) if it has moved. */
  readonly uid?: string
  readonly resourceVersion?: string
  readonly fields: readonly FieldDrift[]
  /** Rank of the step: a step starts when all of lower rank have ended. Phases and waves come before kind order here. */
  readonly rank: number
  readonly readiness: StepReadiness
}

export type StepAction = 'create' | 'update' | 'prune' | 'none'

/** `held` waits for another step; `refused` will not run, and says which rule or server's word forbids it. */
export type StepReadiness =
  | { readonly kind: 'ready' }
  | { readonly kind: 'held'; readonly reason: string }
  | { readonly kind: 'refused'; readonly rule: string; readonly reason: string }

/** All that a sync would do, in order, before its first step. */
export type Plan = {
  readonly application: string
  readonly revision: string
  readonly steps: readonly Step[]
}
