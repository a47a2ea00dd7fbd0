import type { Outcome, SyncEvent } from '../../../shared/model/outcome.ts'
import type { Plan } from '../../../shared/model/plan.ts'
import type { ApplicationSnapshot } from '../../../shared/model/status.ts'
import type { KeyedDiff } from '../../../shared/view/host.ts'

export type Recorded = {
  readonly snapshots: readonly ApplicationSnapshot[]
  readonly plan: Plan
  readonly diffs: readonly KeyedDiff[]
  readonly events: readonly { readonly at: string; readonly event: SyncEvent }[]
  readonly outcome: Outcome | undefined
}
