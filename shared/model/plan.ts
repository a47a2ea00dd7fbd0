import type { FieldDrift } from './drift.ts'
import type { ResourceId } from './kubernetes.ts'

/** Argo CD's phases of a sync, and the two of a deletion (`gitops-engine/pkg/sync/common/types.go`). */
export type SyncPhase = 'PreDelete' | 'PreSync' | 'Sync' | 'PostSync' | 'PostDelete' | 'SyncFail'

/** When a hook is deleted (`argocd.argoproj.io/hook-delete-policy`); `Never` keeps it. */
export type HookDeletePolicy = 'BeforeHookCreation' | 'HookSucceeded' | 'HookFailed' | 'Never'

/** What makes a step a hook: it runs at this point of each sync and is no part of the application's lasting state. */
export type StepHook = { readonly deletePolicies: readonly HookDeletePolicy[] }

/** How the object is written. */
export type StepManner = {
  /**
   * - `apply`: server-side apply
   * - `client-side`: three-way merge with the last applied configuration, as `kubectl apply` does
   * - `replace`: the whole object, as `kubectl replace` does
   * - `recreate`: deleted and made anew
   */
  readonly method: 'apply' | 'client-side' | 'replace' | 'recreate'
  readonly validate: boolean
  readonly propagation: 'Foreground' | 'Background' | 'Orphan'
  /** Fields that ignoreDifferences covers keep the value that the cluster has. */
  readonly respectIgnored: boolean
  /** The client-side managers whose fields become ours; none where the migration is switched off. */
  readonly migrateFrom: readonly string[]
}

/** What a step does to others than its own object, or to the data in it. */
export type Effect =
  | { readonly kind: 'pods-restart'; readonly pods: number }
  | { readonly kind: 'replacement'; readonly fields: readonly string[] }
  | { readonly kind: 'data-loss'; readonly what: string }
  | { readonly kind: 'endpoints-lost'; readonly service: ResourceId; readonly endpoints: number }

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
  readonly phase: SyncPhase
  /** As written, or where what depends on the object needs it to be. */
  readonly wave: number
  readonly hook?: StepHook
  readonly manner: StepManner
  readonly effects: readonly Effect[]
  /** A step starts when all of lower rank have ended: phase, wave, prunes first, then kind. */
  readonly rank: number
  readonly readiness: StepReadiness
}

export type StepAction = 'create' | 'update' | 'prune' | 'none'

/** `held` waits for another step; `refused` will not run, and says which rule or server's word forbids it. */
export type StepReadiness =
  | { readonly kind: 'ready' }
  | { readonly kind: 'held'; readonly reason: string }
  | { readonly kind: 'refused'; readonly rule: string; readonly reason: string }

/** Where a sync stands among its waves. */
export type PlanProgress = {
  /** Counts from 1 over phases and waves together; 0 where nothing is left. */
  readonly wave: number
  readonly waves: number
  /** Steps that are still to run, in this wave and later ones; what runs only after a failure does not count. */
  readonly due: number
  /** What the current wave waits for before the next one may start, in words. */
  readonly waitsFor: readonly string[]
  /** Why the sync has failed: a hook that failed, an object that came out degraded. */
  readonly failure?: string
}

/** All that a sync would do, in order, before its first step. */
export type Plan = {
  readonly application: string
  readonly revision: string
  readonly steps: readonly Step[]
  readonly progress: PlanProgress
}
