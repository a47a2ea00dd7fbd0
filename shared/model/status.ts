import type { Application } from './application.ts'
import type { ObjectDrift } from './drift.ts'
import type { Failure } from './failure.ts'
import type { Health, HealthCode } from './health.ts'
import type { Json } from './json.ts'
import type { ResourceId } from './kubernetes.ts'
import type { Outcome } from './outcome.ts'
import type { Revision } from './revision.ts'
import type { Verdict } from './verdict.ts'

export type SyncCode = 'Synced' | 'OutOfSync' | 'Unknown'

/** An Argo CD condition: `type` from its list (`ComparisonError`, `SyncError`, `OrphanedResourceWarning`...). */
export type Condition = { readonly type: string; readonly message: string; readonly lastTransitionTime: string }

/** One managed object. */
export type ResourceStatus = {
  readonly id: ResourceId
  readonly version: string
  readonly sync: SyncCode
  /** Absent where no rule says what health means for the kind. */
  readonly health?: Health
  /** What the object counts as for its application, where that is not its health's own word. */
  readonly aggregateAs?: HealthCode
  readonly requiresPruning: boolean
  /** Its sync wave as written; absent where nothing is. */
  readonly wave?: number
  readonly drift: ObjectDrift
}

/** One object of the tree below the managed ones: a ReplicaSet, a Pod... */
export type TreeNode = {
  readonly id: ResourceId
  readonly uid: string
  readonly version: string
  readonly health?: Health
  /** `4/4`, `Bound`, a host: one short detail. */
  readonly info: string
  readonly createdAt: string
  readonly parents: readonly string[]
  /** True for what runs at a point of a sync and is no part of the lasting state. */
  readonly hook?: boolean
}

/** Everything that a front shows of one application; made anew by every pass. */
export type ApplicationSnapshot = {
  readonly application: Application
  readonly context: string
  readonly sync: SyncCode
  readonly health: Health
  readonly revision?: Revision
  readonly verdict?: Verdict
  readonly resources: readonly ResourceStatus[]
  /** Live descendants and the managed objects themselves, parents by uid. */
  readonly tree: readonly TreeNode[]
  /** What is in the destination's namespace and belongs to no application; absent unless the project asks for it. */
  readonly orphans?: readonly TreeNode[]
  readonly conditions: readonly Condition[]
  readonly failure?: Failure
  readonly operation?: Outcome
  readonly history: readonly HistoryEntry[]
  readonly sourceType: string
  /** RFC 3339. */
  readonly observedAt: string
}

export type HistoryEntry = {
  readonly id: number
  readonly revision: string
  readonly deployedAt: string
  readonly deployStartedAt: string
  readonly initiatedBy: string
  readonly automated: boolean
  /** The application's sources as they were then, and what each was resolved to. */
  readonly sources?: readonly Json[]
  readonly revisions?: readonly string[]
  /** True once the application was seen healthy after it. */
  readonly healthy?: boolean
}
