import type { Application, RetryPolicy } from '../../model/application.ts'
import type { Cancellable } from '../../model/ports.ts'
import type { SyncRequest } from '../guards.ts'
import type { Ports, ReconcileOptions } from '../pass-context.ts'
import { reconcile } from '../reconcile.ts'
import type { Pass } from '../status.ts'
import { milliseconds } from './duration.ts'
import type { OperationSlot } from './operation-log.ts'

export type RunOptions = Omit<ReconcileOptions, 'sync' | 'slot'> & { readonly sync: SyncRequest }

/** Between two looks at a sync that waits; each look that finds nothing new waits longer. */
const SHORTEST_POLL_MS = 100
const LONGEST_POLL_MS = 1000

/**
 * A sync from its first pass to its end: each pass applies what may run, the next one sees what became of it. One pass is
 * enough where there are neither waves nor hooks.
 */
export async function runOperation(application: Application, ports: Ports, options: RunOptions): Promise<Pass> {
  const { retry } = options.sync
  let slot: OperationSlot = {}
  for (let attempt = 1; ; attempt++) {
    const pass = await runOnce(application, ports, options, slot)
    const { outcome } = pass
    if (outcome?.phase !== 'Failed' || retry === undefined || !maySucceed(pass)) return withRetries(pass, attempt - 1)
    // A negative limit is none (Argo CD `docs/operator-manual/application.yaml`).
    if (retry.limit >= 0 && attempt > retry.limit) return withRetries(pass, attempt - 1)
    const afterMs = backoff(retry, attempt)
    options.report?.({ kind: 'retrying', attempt, reason: outcome.message, afterMs })
    await ports.clock.sleep(afterMs, cancelOf(options))
    // Without `refresh` a retry is one of the same commit (Argo CD `docs/operator-manual/application.yaml`).
    const begun = slot.log?.operation.revisions ?? slot.pinned
    slot = retry.refresh === true || begun === undefined ? {} : { pinned: begun }
  }
}

async function runOnce(
  application: Application,
  ports: Ports,
  options: RunOptions,
  slot: OperationSlot,
): Promise<Pass> {
  let waitMs = SHORTEST_POLL_MS
  try {
    for (let before = -1; ;) {
      const pass = await reconcile(application, ports, { ...options, slot })
      if (pass.outcome?.phase !== 'Running' || slot.log === undefined) return pass
      // While there is progress the next look comes soon.
      waitMs = slot.log.done === before ? Math.min(waitMs * 1.5, LONGEST_POLL_MS) : SHORTEST_POLL_MS
      before = slot.log.done
      await ports.clock.sleep(waitMs, cancelOf(options))
      await slot.log.heed(cancelOf(options))
    }
  } finally {
    if (slot.log?.begun === true) ports.store.release(slot.log.operation.id)
  }
}

/** What was terminated, or refused before anything was written, would be refused again. */
function maySucceed({ outcome }: Pass): boolean {
  return outcome !== undefined && !outcome.message.startsWith('the sync was terminated')
}

function withRetries(pass: Pass, retries: number): Pass {
  return retries === 0 || pass.outcome === undefined ? pass : { ...pass, outcome: { ...pass.outcome, retries } }
}

/** 5 s, 10 s, 20 s ... to the longest, as the policy says. */
export function backoff({ backoff: { duration, factor, maxDuration } }: RetryPolicy, attempt: number): number {
  return Math.min(milliseconds(duration) * factor ** (attempt - 1), milliseconds(maxDuration))
}

function cancelOf({ signal }: RunOptions): Cancellable {
  return signal === undefined ? {} : { signal }
}
