/** Who can make a cluster on this machine. Contexts of kubeconfigs that nobody of these made are rows of their own. */
export const CLUSTER_PROVIDERS = ['embedded', 'control-plane', 'kind', 'minikube'] as const
export type ClusterProvider = (typeof CLUSTER_PROVIDERS)[number]

/**
 * `failed`: made in part, or its making was cut off; it can be deleted or created again.
 * `unknown`: its tool or engine does not answer, `detail` says why.
 */
export type ClusterState =
  | 'running'
  | 'stopped'
  | 'creating'
  | 'starting'
  | 'stopping'
  | 'deleting'
  | 'failed'
  | 'unknown'

export type ClusterAction = 'start' | 'stop' | 'delete' | 'create' | 'cancel' | 'load-image' | 'logs'

/** What names a cluster. */
export type ClusterRef = { readonly provider: ClusterProvider; readonly name: string }

/** One local cluster as every front shows it. */
export type ClusterRow = ClusterRef & {
  /** `kind/dev`. */
  readonly id: string
  readonly state: ClusterState
  /** The kubeconfig context that reaches it. */
  readonly context: string
  /** The kubeconfig file that has the context, where it is a file of the cluster's own. */
  readonly kubeconfig?: string
  /** `v1.36.2`; empty where it is not known. */
  readonly version: string
  /** Nodes that it has; 0 for clusters without any. */
  readonly nodes: number
  /** RFC 3339. */
  readonly createdAt?: string
  /** Made by Plumbline: it may be deleted without its name being typed. */
  readonly owned: boolean
  /** Nothing runs in it: pods are simulated. */
  readonly simulated: boolean
  /** In one line: what is wrong, or what is worth knowing. */
  readonly detail: string
  readonly actions: readonly ClusterAction[]
}

/** A program that a provider needs, and whether this machine has it. */
export type ToolFinding = {
  readonly tool: string
  /** `downloadable`: not here, and `clusters/download` fetches it against a checksum. */
  readonly state: 'found' | 'missing' | 'broken' | 'downloadable'
  readonly version: string
  /** Where it is; empty where it is not. */
  readonly path: string
  /** What is wrong and what to do, in one sentence; empty where all is well. */
  readonly next: string
}

/** Which parts of a `ClusterSpec` a provider takes. */
export type SpecField =
  | 'version'
  | 'nodes'
  | 'registryMirrors'
  | 'ports'
  | 'config'
  | 'driver'
  | 'cpus'
  | 'memory'
  | 'disk'
  | 'image'

/** A provider as the choice of a new cluster shows it. */
export type ProviderRow = {
  readonly provider: ClusterProvider
  readonly title: string
  /** One sentence: what it is good for. */
  readonly summary: string
  readonly simulated: boolean
  /** `missing` means that `tools` names what to install first. */
  readonly state: 'ready' | 'missing' | 'broken'
  readonly tools: readonly ToolFinding[]
  readonly fields: readonly SpecField[]
  /** Kubernetes versions that can be had without a download, newest first; empty where the tool decides. */
  readonly versions: readonly string[]
  /** The name that a first cluster gets. */
  readonly suggestedName: string
}

export type PortMapping = {
  /** 0 lets the engine choose. */
  readonly host: number
  readonly container: number
  readonly protocol: 'TCP' | 'UDP' | 'SCTP'
  /** Address on this machine; loopback when absent. */
  readonly address?: string
}

/** What a new cluster should be. What is absent is the provider's choice. */
export type ClusterSpec = ClusterRef & {
  /** `v1.36.2` or `1.36.2`. */
  readonly version?: string
  /** All nodes, the control plane's one included. */
  readonly nodes?: number
  readonly registryMirrors?: readonly { readonly registry: string; readonly mirror: string }[]
  readonly ports?: readonly PortMapping[]
  /** Text of a kind configuration; what else is asked for is laid over it. */
  readonly config?: string
  /** minikube's: docker, podman, kvm2... */
  readonly driver?: string
  readonly cpus?: number
  /** `4g`, `4096m`. */
  readonly memory?: string
  /** `20g`. */
  readonly disk?: string
  /** Node image of kind. */
  readonly image?: string
  /** Milliseconds until it must be ready; five minutes when absent. */
  readonly waitMs?: number
  /** Whether the kubeconfig's current context becomes this one. */
  readonly setCurrent?: boolean
}

/** What happens while a cluster is worked on. */
export type ClusterEvent =
  | {
      readonly kind: 'step'
      readonly title: string
      readonly state: 'running' | 'done' | 'failed'
      /** Counts from 1; absent where the tool does not say. */
      readonly index?: number
      readonly total?: number
    }
  /** A line of the tool's own. */
  | { readonly kind: 'line'; readonly text: string }
  /** Bytes; `total` is 0 where it is not known. */
  | { readonly kind: 'download'; readonly what: string; readonly received: number; readonly total: number }

export type ClusterOperation = 'create' | 'start' | 'stop' | 'delete' | 'load-image' | 'logs' | 'download'

export function clusterId({ provider, name }: ClusterRef): string {
  return `${provider}/${name}`
}
