import { systemClock } from '../base/clock.ts'
import type { Cluster } from '../kube/cluster.ts'
import { STORE_NAMESPACE } from '../store/cluster-store.ts'
import { thisHolder } from '../store/holder.ts'
import { Lease, type LeaseOptions } from '../store/lease.ts'
import { storeClient } from './store-access.ts'

/**
 * Asks for the right to act on a cluster by itself: one agent has it, the others watch. Its `acting` is what
 * `Session.watch` wants to know. The caller disposes it.
 */
export function agentLease(
  cluster: Cluster,
  options: Pick<LeaseOptions, 'onChange' | 'onError' | 'durationSeconds' | 'renewMs'>,
): Lease {
  const { host, pid, run } = thisHolder
  const identity = `${host}_${pid}_${run.slice(0, 8)}`
  const client = storeClient(cluster)
  return new Lease({ ...options, client, clock: systemClock, namespace: STORE_NAMESPACE, name: 'agent', identity })
}
