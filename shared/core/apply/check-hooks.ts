import type { StepOutcome } from '../../model/outcome.ts'
import { FIELD_MANAGER } from '../drift/trust.ts'
import { messageAbout } from '../drift/mask.ts'
import type { HookTask } from '../hooks/hook-tasks.ts'
import type { Pending } from '../pending.ts'
import { groupKindKey } from '../../model/kubernetes.ts'
import type { ApplyContext } from './apply-plan.ts'

/**
 * Whether the server would take the hooks, by dry runs before the first write of a sync, so that none is found wrong after
 * half of it. Those that wait for a namespace or a definition of the same sync, or for an earlier run to go, are not tried.
 */
export async function checkHooks(context: ApplyContext, pending: Pending): Promise<readonly StepOutcome[]> {
  const tried = context.hooks.filter(
    ({ state, live, desired }) =>
      state === 'due' &&
      live === undefined &&
      desired.kind !== undefined &&
      !pending.namespaces.has(desired.id.namespace) &&
      !pending.kinds.has(groupKindKey(desired.gvk)),
  )
  return (await Promise.all(tried.map(async (hook) => refusalOf(hook, context)))).flat()
}

async function refusalOf({ desired, phase }: HookTask, context: ApplyContext): Promise<readonly StepOutcome[]> {
  try {
    const request = {
      object: desired.object,
      fieldManager: FIELD_MANAGER,
      force: true,
      fieldValidation: 'Strict',
    } as const
    await context.cluster.dryRunApply(request, context.cancel)
    return []
  } catch (error) {
    const reason = (error as { readonly reason?: unknown } | null)?.reason
    if (reason !== 'invalid' && reason !== 'bad-request' && reason !== 'forbidden') throw error
    const message = messageAbout(desired.id, error)
    const about = { id: desired.id, apiVersion: desired.object.apiVersion, action: 'create', phase } as const
    return [{ ...about, result: 'SyncFailed', message, moved: false, hookPhase: 'Failed' }]
  }
}
