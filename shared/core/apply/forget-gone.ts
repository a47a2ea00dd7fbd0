import type { ResourceId } from '../../model/kubernetes.ts'
import type { InventoryEntry } from '../../model/ports.ts'
import { isGoing } from '../pair.ts'
import type { ApplyContext } from './apply-plan.ts'

/**
 * Forgets what the inventory names and the cluster no longer has: a sync that was killed after a delete and before its
 * record left such entries. Each is looked for once more; where the cluster will not say, the entry stays (invariant 5).
 */
export async function forgetGone(context: ApplyContext): Promise<void> {
  const { store, plan, pairs, hooks, cancel } = context
  const inventory = await store.inventory(plan.application, cancel)
  const hooked = new Set(hooks.map(({ desired }) => desired.key))
  const gone: ResourceId[] = []
  for (const [key, entry] of inventory) {
    const pair = pairs.get(key)
    // What is being deleted has been let go of; its dependants only go first.
    const going = pair?.kind === 'extra' && isGoing(pair.live)
    if (going || (pair === undefined && !hooked.has(key) && (await isGone(entry, context)))) gone.push(entry.id)
  }
  if (gone.length > 0) await store.forget(plan.application, gone, cancel)
}

async function isGone({ id, version }: InventoryEntry, { cluster, cancel }: ApplyContext): Promise<boolean> {
  try {
    return (await cluster.read({ group: id.group, version, kind: id.kind }, id, cancel)) === undefined
  } catch (error) {
    cancel.signal?.throwIfAborted()
    // A kind that is not served any more has no objects.
    return (error as { readonly reason?: unknown } | null)?.reason === 'not-found'
  }
}
