import type { ResourceId } from './kubernetes.ts'
import type { StepAction } from './plan.ts'

/** What one step of a sync did. Result codes are Argo CD's (`gitops-engine/pkg/sync/common/types.go`). */
export type StepOutcome = {
  readonly id: ResourceId
  readonly apiVersion: string
  readonly action: StepAction
  readonly result: 'Synced' | 'SyncFailed' | 'Pruned' | 'PruneSkipped'
  readonly message: string
  /** True when the object had moved since it was planned, so that nothing was written and a new plan is due. */
  readonly moved: boolean
}

export type OperationPhase = 'Running' | 'Terminating' | 'Failed' | 'Error' | 'Succeeded'

export type Outcome = {
  readonly phase: OperationPhase
  readonly message: string
  readonly startedAt: string
  readonly finishedAt: string
  readonly revision: string
  readonly steps: readonly StepOutcome[]
}

/** What a running sync tells those who watch. */
export type SyncEvent =
  | { readonly kind: 'planned'; readonly application: string; readonly total: number }
  | { readonly kind: 'step-started'; readonly id: ResourceId; readonly action: StepAction; readonly rank: number }
  | { readonly kind: 'step-ended'; readonly outcome: StepOutcome; readonly done: number; readonly total: number }
  | { readonly kind: 'waiting'; readonly reason: string }
  | { readonly kind: 'ended'; readonly outcome: Outcome }
