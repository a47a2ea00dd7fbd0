/** One context of the kubeconfig files, or the embedded cluster, as every front lists it. */
export type KubeContextRow = {
  readonly name: string
  readonly cluster: string
  readonly server: string
  /** Empty means `default`. */
  readonly namespace: string
  readonly user: string
  /** How the user proves itself: `exec`, `token`, `client-certificate`... */
  readonly auth: string
  /** The program that connecting runs; empty where it runs none. */
  readonly execCommand: string
  /** The kubeconfig file that holds the context; empty for the embedded cluster and inside a pod. */
  readonly file: string
  /** The kubeconfig's own current context. */
  readonly current: boolean
  readonly simulated: boolean
  /** Marked by the person, or by a pattern: prune and delete ask for the context's name. */
  readonly production: boolean
  /** `kind/dev` where it leads to a local cluster that is known. */
  readonly clusterId?: string
  /** Why it cannot be used as it stands: a user or a cluster that is not there. */
  readonly problem?: string
}

/** What a look at a context's server found; made on demand only. */
export type ContextProbe = {
  readonly context: string
  readonly state: 'reachable' | 'unreachable' | 'unauthorized' | 'certificate' | 'refused'
  /** `v1.36.2`; empty where it did not answer. */
  readonly version: string
  /** Milliseconds until the answer. */
  readonly tookMs: number
  /** Why not, in the server's words where it said something. */
  readonly message: string
}

/** An edit of kubeconfig files that was made. `undo` takes it back while nobody else has written since; empty where nothing had to be written. */
export type KubeconfigEdit = { readonly undo: string; readonly files: readonly string[]; readonly summary: string }
