import type { Schema } from '../../fields/schema.ts'
import type { GroupVersionKind, ResourceId } from '../../model/kubernetes.ts'
import type { LiveObject } from '../../model/live.ts'
import type { Cancellable, ClusterPort } from '../../model/ports.ts'
import { isSameState } from '../drift/same-state.ts'
import type { TrustedManagers } from '../drift/trust.ts'

/** What is written to, and what may move under the write without making it another plan's. */
export type PinnedTarget = {
  readonly gvk: GroupVersionKind
  readonly id: ResourceId
  readonly schema: Schema | undefined
  readonly trusted: TrustedManagers
}

/** Controllers write a status many times a second while a rollout runs. */
const MOST_TRIES = 10

/**
 * A write to exactly the state that was planned on. When the server says that the object has moved, it is read again: where
 * only its status and what controllers keep there moved it is still that state, and the write is tried again on it; everything else is a conflict.
 * @throws ClusterError
 */
export async function pinnedWrite<T>(
  planned: LiveObject,
  { gvk, id, schema, trusted }: PinnedTarget,
  write: (state: LiveObject) => Promise<T>,
  { cluster, cancel }: { readonly cluster: ClusterPort; readonly cancel: Cancellable },
): Promise<T> {
  let state = planned
  for (let tries = 1; ; tries++) {
    try {
      return await write(state)
    } catch (error) {
      if (!isConflict(error) || tries === MOST_TRIES) throw error
      const now = await cluster.read(gvk, id, cancel)
      if (now === undefined || !isSameState(planned, now, schema, trusted)) throw error
      state = now
    }
  }
}

/** Whether an error says that the object is not in the state that the write was meant for. */
export function isConflict(error: unknown): boolean {
  return (error as { readonly reason?: unknown } | null)?.reason === 'conflict'
}
