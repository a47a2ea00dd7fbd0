import type { GroupKind } from './kubernetes.ts'

/** An Argo CD AppProject (`docs/operator-manual/project.yaml`). Patterns are globs; those that begin with `!` deny. */
export type Project = {
  readonly name: string
  readonly description: string
  readonly sourceRepos: readonly string[]
  /** Namespaces beside Argo CD's own from which applications may name this project. */
  readonly sourceNamespaces: readonly string[]
  readonly destinations: readonly ProjectDestination[]
  readonly clusterResourceWhitelist: readonly ResourcePattern[]
  readonly clusterResourceBlacklist: readonly ResourcePattern[]
  /** Undefined allows every kind; an empty list none. */
  readonly namespaceResourceWhitelist: readonly ResourcePattern[] | undefined
  readonly namespaceResourceBlacklist: readonly ResourcePattern[]
  /** Undefined where orphans are nobody's business. */
  readonly orphanedResources: OrphanedResources | undefined
  readonly syncWindows: readonly SyncWindow[]
  /** Read and shown; who may do what is the cluster's business here. */
  readonly roles: readonly {
    readonly name: string
    readonly description: string
    readonly policies: readonly string[]
  }[]
}

/** Whether orphans are warned of, and which are none. An empty pattern fits everything, but for the group. */
export type OrphanedResources = { readonly warn: boolean; readonly ignore: readonly ResourcePattern[] }

export type ProjectDestination = { readonly server: string; readonly name: string; readonly namespace: string }

export type ResourcePattern = GroupKind & { readonly name?: string }

export type SyncWindow = {
  readonly kind: 'allow' | 'deny'
  /** Cron, five fields or a word as `@daily`. */
  readonly schedule: string
  /** A Go duration. */
  readonly duration: string
  readonly applications: readonly string[]
  readonly namespaces: readonly string[]
  readonly clusters: readonly string[]
  readonly manualSync: boolean
  /** A sync that began before goes on. */
  readonly syncOverrun: boolean
  /** IANA name; UTC when empty. */
  readonly timeZone: string
  /** All of the lists that are given must match, instead of any. */
  readonly andOperator: boolean
}
