import type { ClusterEvent, ClusterProvider, ClusterSpec, ClusterState, ProviderRow } from '../model/cluster.ts'
import type { Cancellable } from '../model/ports.ts'

/** What of this machine the providers work with. */
export type Host = {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Where clusters and records of them are kept. */
  readonly state: string
  /** Where downloaded tools are kept. */
  readonly cache: string
}

export type WorkOptions = Cancellable & { readonly onEvent: (event: ClusterEvent) => void }

/** A cluster as its tool knows it. */
export type FoundCluster = {
  readonly name: string
  readonly state: Extract<ClusterState, 'running' | 'stopped' | 'unknown' | 'failed'>
  readonly context: string
  readonly kubeconfig?: string
  readonly version: string
  readonly nodes: number
  readonly createdAt?: string
  readonly detail: string
}

/** One way to have a cluster on this machine. Every verb throws ClustersError, or CancelledError when its signal fires. */
export interface Provider {
  readonly provider: ClusterProvider
  /** What it needs, what is there and what is missing. Starts nothing. */
  describe(options: Cancellable): Promise<ProviderRow>
  /** All clusters of this kind, whoever made them; none where the tool is not installed. */
  list(options: Cancellable): Promise<readonly FoundCluster[]>
  /** Refuses what cannot be before anything is made. */
  check(spec: ClusterSpec, options: Cancellable): Promise<void>
  /** Makes it and waits until it answers. */
  create(spec: ClusterSpec, options: WorkOptions): Promise<FoundCluster>
  start(name: string, options: WorkOptions): Promise<FoundCluster>
  stop(name: string, options: WorkOptions): Promise<FoundCluster>
  /** Deletes it, or what a broken creation left of it; absence is no error. */
  delete(name: string, options: WorkOptions): Promise<void>
  loadImage?(name: string, image: string, options: WorkOptions): Promise<void>
  exportLogs?(name: string, folder: string, options: WorkOptions): Promise<void>
}
