import type { Inventory, LiveView } from '../model/ports.ts'
import { groupKindKey } from '../model/kubernetes.ts'
import type { DesiredState } from './desired.ts'
import { orphanKinds } from './orphans.ts'
import { kindsToObserve, namespacesToObserve } from './pair.ts'
import type { PassContext } from './pass-context.ts'
import { supportKinds } from './support.ts'
import { descendantsOf } from './tree.ts'

/**
 * Looks at the kinds that are wanted, that were applied before, and that descend from them: at nothing else, unless the
 * project asks for orphans.
 */
export async function observeLive(pass: PassContext, desired: DesiredState, inventory: Inventory): Promise<LiveView> {
  const others = await orphanKinds(pass)
  const scope = pass.memory.scopeOf(desired, inventory, others.map(groupKindKey).join(), () => {
    const kinds = kindsToObserve(desired, inventory)
    const namespaces = namespacesToObserve(pass.application, desired, inventory)
    return { kinds: [...kinds, ...descendantsOf(kinds), ...supportKinds(pass.application), ...others], namespaces }
  })
  return pass.ports.cluster.observe(scope, pass.cancel)
}
