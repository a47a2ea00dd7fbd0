import type { Inventory, LiveView } from '../model/ports.ts'
import type { DesiredState } from './desired.ts'
import { kindsToObserve, namespacesToObserve } from './pair.ts'
import type { PassContext } from './pass-context.ts'
import { supportKinds } from './support.ts'
import { descendantsOf } from './tree.ts'

/** Looks at the kinds that are wanted, that were applied before, and that descend from them: at nothing else. */
export async function observeLive(pass: PassContext, desired: DesiredState, inventory: Inventory): Promise<LiveView> {
  const scope = pass.memory.scopeOf(desired, inventory, () => {
    const kinds = kindsToObserve(desired, inventory)
    const namespaces = namespacesToObserve(pass.application, desired, inventory)
    return { kinds: [...kinds, ...descendantsOf(kinds), ...supportKinds(pass.application)], namespaces }
  })
  return pass.ports.cluster.observe(scope, pass.cancel)
}
