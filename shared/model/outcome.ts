import type { Json } from './json.ts'
import type { ResourceId } from './kubernetes.ts'
import type { StepAction, SyncPhase } from './plan.ts'

/** What one step of a sync did. Result codes are Argo CD's (`gitops-engine/pkg/sync/common/types.go`). */
export type StepOutcome = {
  readonly id: ResourceId
  readonly apiVersion: string
  readonly action: StepAction
  readonly result: 'Synced' | 'SyncFailed' | 'Pruned' | 'PruneSkipped'
  readonly message: string
  /** True when the object had moved since it was planned, so that nothing was written and a new plan is due. */
  readonly moved: boolean
  /** `Sync` when absent. */
  readonly phase?: SyncPhase
  /** How a hook fared; absent for objects that are no hooks. */
  readonly hookPhase?: HookState
}

export type OperationPhase = 'Running' | 'Terminating' | 'Failed' | 'Error' | 'Succeeded'

export type Outcome = {
  readonly phase: OperationPhase
  readonly message: string
  readonly startedAt: string
  readonly finishedAt: string
  readonly revision: string
  readonly steps: readonly StepOutcome[]
  readonly initiatedBy?: Initiator
  /** The application's sources as they were then, and what each was resolved to; `WORKTREE` for files on disk. */
  readonly sources?: readonly Json[]
  readonly revisions?: readonly string[]
  /** Which self-heal of one revision this was, from 1; absent for others. */
  readonly healAttempt?: number
  /** Times that the sync was tried anew after it failed. */
  readonly retries?: number
}

/** Who asked for a sync. */
export type Initiator = { readonly username: string; readonly automated: boolean }

export type HookState = 'Running' | 'Succeeded' | 'Failed'

/** One run of one hook in one operation. The uid is known once the server has the object. */
export type HookRun = { readonly state: HookState; readonly uid?: string; readonly message?: string }

/**
 * A sync that is under way, kept on the cluster so that whoever comes after a kill goes on where it stood. Only what the
 * cluster's objects cannot say is in it.
 */
export type Operation = {
  /** Marks the hooks that this operation made. */
  readonly id: string
  readonly revision: string
  /** What was asked for; only the same request goes on with it. */
  readonly request: string
  /** RFC 3339. */
  readonly startedAt: string
  readonly initiatedBy: Initiator
  readonly sources: readonly Json[]
  readonly revisions: readonly string[]
  readonly healAttempt?: number
  /** By phase and object. */
  readonly hooks: Readonly<Record<string, HookRun>>
  /** Why it has failed already; its SyncFail hooks may still run. */
  readonly failure?: string
  /** Somebody asked for its end. */
  readonly terminate: boolean
  readonly steps: readonly StepOutcome[]
}

/** What a running sync tells those who watch. */
export type SyncEvent =
  | {
      readonly kind: 'planned'
      readonly application: string
      readonly total: number
      readonly wave: number
      readonly waves: number
    }
  | { readonly kind: 'step-started'; readonly id: ResourceId; readonly action: StepAction; readonly rank: number }
  | {
      readonly kind: 'step-ended'
      readonly outcome: StepOutcome
      readonly done: number
      readonly total: number
      readonly wave: number
      readonly waves: number
    }
  | { readonly kind: 'waiting'; readonly reason: string; readonly wave: number; readonly waves: number }
  | { readonly kind: 'retrying'; readonly attempt: number; readonly reason: string; readonly afterMs: number }
  | { readonly kind: 'ended'; readonly outcome: Outcome }
