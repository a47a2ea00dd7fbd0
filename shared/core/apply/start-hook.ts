import type { LiveObject } from '../../model/live.ts'
import type { Step } from '../../model/plan.ts'
import { FIELD_MANAGER } from '../drift/trust.ts'
import type { HookTask } from '../hooks/hook-tasks.ts'
import type { ApplyContext } from './apply-plan.ts'

const POLL_MS = 100
/** Pods of the old run may take their time to end. */
const PATIENCE_MS = 120_000

/** Starts one run of a hook. @throws ClusterError, Error where the run of an earlier sync will not go away */
export async function startHook(step: Step, context: ApplyContext): Promise<void> {
  const hook = context.hooks.find(({ phase, desired }) => phase === step.phase && sameObject(desired.id, step.id))
  if (hook === undefined) throw new Error('the step has no hook')
  try {
    await start(step, hook, context)
  } catch (error) {
    // It never ran; without this it would be tried again for ever.
    if (context.cancel.signal?.aborted !== true) {
      context.log.hook(hook.key, { state: 'Failed', message: 'it could not be started' })
    }
    throw error
  }
}

async function start(step: Step, hook: HookTask, context: ApplyContext): Promise<void> {
  const { live, policies, desired } = hook
  if (live !== undefined && policies.includes('BeforeHookCreation')) await removeOld(step, hook, live, context)
  const fieldValidation = step.manner.validate ? 'Strict' : 'Ignore'
  const request = { object: desired.object, fieldManager: FIELD_MANAGER, force: true, fieldValidation } as const
  const { uid } = await context.cluster.apply(request, context.cancel)
  context.log.hook(hook.key, { state: 'Running', uid })
}

async function removeOld(step: Step, { desired }: HookTask, live: LiveObject, context: ApplyContext): Promise<void> {
  const { cluster, clock, cancel, report, plan } = context
  const { gvk, id } = desired
  await cluster.delete({ gvk, id, uid: live.uid, propagation: step.manner.propagation }, cancel)
  const deadline = clock.now() + PATIENCE_MS
  while (clock.now() < deadline) {
    const left = await cluster.read(gvk, id, cancel)
    if (left?.uid !== live.uid) return
    const { wave, waves } = plan.progress
    report({ kind: 'waiting', reason: `the earlier ${id.kind} ${id.name} to be gone`, wave, waves })
    await clock.sleep(POLL_MS, cancel)
  }
  throw new Error(`the ${id.kind} of an earlier sync is not gone after ${PATIENCE_MS / 1000} s`)
}

function sameObject(a: Step['id'], b: Step['id']): boolean {
  return a.name === b.name && a.namespace === b.namespace && a.kind === b.kind && a.group === b.group
}
