import { resourceKey } from '../../model/kubernetes.ts'
import type { StepOutcome } from '../../model/outcome.ts'
import type { Step } from '../../model/plan.ts'
import type { InventoryEntry } from '../../model/ports.ts'
import type { ApplyContext } from './apply-plan.ts'

/** Before the writes: what is going to be owned (invariant 5). */
export async function recordOwned(todo: readonly Step[], context: ApplyContext): Promise<void> {
  const { plan, store, cancel } = context
  const known = await store.inventory(plan.application, cancel)
  const fresh = todo.flatMap((step): readonly InventoryEntry[] => {
    const owned = step.action !== 'prune' && isTracked(step, context) && !known.has(resourceKey(step.id))
    return owned ? [{ id: step.id, version: versionOf(step), digest: '' }] : []
  })
  if (fresh.length > 0) await store.record(plan.application, fresh, cancel)
}

/** A namespace that is only made to have somewhere to sync to does not belong to the application. */
function isTracked(step: Step, context: ApplyContext): boolean {
  if (step.hook !== undefined) return true
  const pair = context.pairs.get(resourceKey(step.id))
  return pair !== undefined && !(pair.kind !== 'extra' && pair.desired.support)
}

/** After the writes: what was applied, by its digest, and what is no longer there. */
export async function settleStore(outcomes: readonly StepOutcome[], context: ApplyContext): Promise<void> {
  const { plan, store, cancel } = context
  const applied: InventoryEntry[] = []
  for (const { id, result, hookPhase } of outcomes) {
    const pair = context.pairs.get(resourceKey(id))
    if (result !== 'Synced' || hookPhase !== undefined || pair === undefined || pair.kind === 'extra') continue
    const { desired } = pair
    if (!desired.support) applied.push({ id, version: desired.gvk.version, digest: desired.digest })
  }
  const gone = outcomes.filter((outcome) => outcome.result === 'Pruned').map((outcome) => outcome.id)
  if (applied.length > 0) await store.record(plan.application, applied, cancel)
  if (gone.length > 0) await store.forget(plan.application, gone, cancel)
}

function versionOf(step: Step): string {
  return step.apiVersion.split('/').at(-1) ?? ''
}
