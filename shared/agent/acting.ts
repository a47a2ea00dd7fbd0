import type { Cluster } from '../kube/cluster.ts'
import type { Application } from '../model/application.ts'
import type { Session } from '../session.ts'
import { agentLease } from '../session/agent-lease.ts'

type Lease = ReturnType<typeof agentLease>

/** Sessions of this process that hold a server's lease together: one process is one agent. */
const sharers = new Map<string, number>()

/**
 * Whether a session may sync by itself what is automated: of all agents on a cluster, the one that holds its lease may. The
 * lease is only asked for where something is automated.
 */
export class Acting {
  readonly #session: Session
  readonly #onChange: () => void
  readonly #leases = new Map<string, Lease>()
  #disposed = false

  /** @param onChange told when this agent begins to act, or no longer may */
  constructor(session: Session, onChange: () => void) {
    this.#session = session
    this.#onChange = onChange
  }

  /** @throws ClusterError */
  async for(application: Application): Promise<() => boolean> {
    if (application.syncPolicy.automated?.enabled !== true) return never
    const cluster = await this.#session.clusterOf(application)
    if (this.#disposed) return never
    const lease = this.#leases.get(cluster.server) ?? this.#ask(cluster)
    return () => !this.#disposed && lease.acting
  }

  #ask(cluster: Cluster): Lease {
    // An agent that may not write leases only watches.
    const lease = agentLease(cluster, { onChange: this.#onChange, onError: () => undefined })
    this.#leases.set(cluster.server, lease)
    sharers.set(cluster.server, (sharers.get(cluster.server) ?? 0) + 1)
    return lease
  }

  /** Gives the leases back, but for those that another session of this agent acts by. */
  async dispose(): Promise<void> {
    this.#disposed = true
    for (const [server, lease] of this.#leases) {
      const others = (sharers.get(server) ?? 1) - 1
      sharers.set(server, others)
      if (others > 0) await lease.abandon()
      else await lease.dispose()
    }
    this.#leases.clear()
  }
}

function never(): boolean {
  return false
}
