import type { Cluster } from '../kube/cluster.ts'

/** Which clusters do not answer, told once for each, however many applications go to it. */
export class ClusterNews {
  readonly #tell: (cluster: Cluster) => void
  readonly #followed = new Map<Cluster, { readonly end: () => void; staleSince: number | undefined }>()

  constructor(tell: (cluster: Cluster) => void) {
    this.#tell = tell
  }

  follow(cluster: Cluster): void {
    if (this.#followed.has(cluster)) return
    const end = cluster.onChange((change) => {
      const followed = this.#followed.get(cluster)
      if (change.kind !== 'connection' || followed === undefined) return
      followed.staleSince = change.staleSince
      this.#tell(cluster)
    })
    this.#followed.set(cluster, { end, staleSince: undefined })
  }

  /** Why what is known of a cluster may be old; undefined while it answers. */
  trouble(cluster: Cluster | undefined): string | undefined {
    const since = cluster === undefined ? undefined : this.#followed.get(cluster)?.staleSince
    if (cluster === undefined || since === undefined) return undefined
    const time = new Date(since).toISOString()
    return `${cluster.context} does not answer since ${time}; what is shown was true then`
  }

  dispose(): void {
    for (const { end } of this.#followed.values()) end()
    this.#followed.clear()
  }
}
