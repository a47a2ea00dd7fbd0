import type { PassContext } from '../pass-context.ts'
import type { ApplyContext } from './apply-plan.ts'

/**
 * Why a sync has waited too long: a hook that does not end, an object that does not become healthy. Hooks that are over
 * their time count as failed; undefined while there is time.
 */
export function overdue({ request }: PassContext, { plan, log, hooks, deadlineMs }: ApplyContext): string | undefined {
  const { wave, waitsFor } = plan.progress
  const [first] = waitsFor
  if (first === undefined || request.dryRun) return undefined
  if (log.wait(`${wave}|${log.operation.failure === undefined}`) < deadlineMs) return undefined
  const after = `after ${Math.round(deadlineMs / 1000)} s`
  for (const { key, phase, state, live } of hooks) {
    if (state !== 'Running' || (phase === 'SyncFail') !== (log.operation.failure !== undefined)) continue
    log.hook(key, {
      state: 'Failed',
      message: `it had not ended ${after}`,
      ...(live === undefined ? {} : { uid: live.uid }),
    })
  }
  return `the sync still waits for ${first} ${after}`
}
