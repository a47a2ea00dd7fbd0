/** Where an agent in a cluster reads Application files. */
export type AgentApplications =
  /** The files that were found at the installation, kept in a ConfigMap. */
  | { readonly kind: 'files'; readonly files: Readonly<Record<string, string>> }
  /** A folder of a Git repository, read anew while the agent runs. */
  | { readonly kind: 'git'; readonly repoURL: string; readonly revision: string; readonly path: string }
  /** Application objects of the cluster itself, of one namespace; it needs Argo CD's definitions there. */
  | { readonly kind: 'cluster'; readonly namespace: string }

/** Something that an agent has to be allowed. */
export type AccessRule = {
  /** Empty for what is not in a namespace, and for all of them. */
  readonly namespace: string
  readonly group: string
  readonly resource: string
  readonly verbs: readonly string[]
  /** Only these; all when absent. */
  readonly names?: readonly string[]
}

export type AgentInstallOptions = {
  readonly image: string
  readonly pullPolicy: 'IfNotPresent' | 'Always' | 'Never'
  readonly replicas: number
  readonly applications: AgentApplications
  /** Namespaces that roles are needed in and that are not there yet: RBAC has no place for them otherwise. */
  readonly missingNamespaces: readonly string[]
  /**
   * `least`: what the applications need and nothing else. `everything`: all of the cluster, for applications that are not
   * known yet. `namespaces`: Roles in those namespaces and no right beyond them.
   */
  readonly access:
    | { readonly kind: 'least'; readonly rules: readonly AccessRule[] }
    | { readonly kind: 'everything' }
    | {
        readonly kind: 'namespaces'
        readonly namespaces: readonly string[]
        readonly rules: readonly AccessRule[] | undefined
      }
}

/** What one agent last wrote of itself. */
export type AgentReport = {
  /** The pod's name, or a host's. */
  readonly name: string
  readonly version: string
  /** RFC 3339. */
  readonly startedAt: string
  readonly lastPass: string
  readonly applications: readonly {
    readonly name: string
    readonly sync: string
    readonly health: string
    readonly revision: string
    readonly message: string
  }[]
}

export type AgentStatus = {
  readonly installed: boolean
  readonly image: string
  readonly wanted: number
  readonly ready: number
  /** Who holds the Lease and may act; empty where nobody does. */
  readonly leader: string
  /** RFC 3339; empty where nobody holds it. */
  readonly renewedAt: string
  readonly agents: readonly AgentReport[]
  /** What keeps it from running, in the cluster's own words. */
  readonly problems: readonly string[]
}
