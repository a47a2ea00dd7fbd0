/** The parts of a kubeconfig that connecting needs; paths are absolute or as written where they are names on PATH. */
export type Kubeconfig = {
  readonly currentContext: string
  readonly contexts: ReadonlyMap<string, KubeContext>
  readonly clusters: ReadonlyMap<string, KubeCluster>
  readonly users: ReadonlyMap<string, KubeUser>
}

/** Which file an entry came from. */
type FromFile = { readonly file: string }

export type KubeContext = FromFile & {
  readonly cluster: string
  readonly user: string
  /** Empty means `default`. */
  readonly namespace: string
}

export type KubeCluster = FromFile & {
  readonly server: string
  readonly caFile: string
  /** Base64 of PEM; wins over `caFile`. */
  readonly caData: string
  readonly insecure: boolean
  readonly tlsServerName: string
  readonly proxyUrl: string
  readonly disableCompression: boolean
  /** What exec plugins get as `cluster.config`. */
  readonly execConfig: unknown
}

export type KubeUser = FromFile & {
  readonly certFile: string
  readonly certData: string
  readonly keyFile: string
  readonly keyData: string
  readonly token: string
  readonly tokenFile: string
  readonly username: string
  readonly password: string
  readonly impersonate: Impersonation | undefined
  readonly exec: ExecPlugin | undefined
  readonly authProvider: AuthProvider | undefined
}

export type Impersonation = {
  readonly user: string
  readonly uid: string
  readonly groups: readonly string[]
  readonly extra: Readonly<Record<string, readonly string[]>>
}

export type ExecPlugin = {
  readonly apiVersion: string
  readonly command: string
  readonly args: readonly string[]
  readonly env: readonly { readonly name: string; readonly value: string }[]
  readonly installHint: string
  readonly provideClusterInfo: boolean
  readonly interactiveMode: string
}

export type AuthProvider = { readonly name: string; readonly config: Readonly<Record<string, string>> }

/** One context as a person picks it. */
export type ContextSummary = {
  readonly name: string
  readonly cluster: string
  readonly user: string
  readonly namespace: string
  readonly server: string
  readonly auth: AuthKind
  /** The kubeconfig file that holds the context; empty for the in-cluster one. */
  readonly file: string
  readonly current: boolean
}

export type AuthKind = 'exec' | 'auth-provider' | 'client-certificate' | 'token' | 'token-file' | 'basic' | 'none'

/** @returns all contexts, sorted by name. */
export function listContexts(config: Kubeconfig): readonly ContextSummary[] {
  return [...config.contexts]
    .map(([name, context]) => ({
      name,
      cluster: context.cluster,
      user: context.user,
      namespace: context.namespace,
      server: config.clusters.get(context.cluster)?.server ?? '',
      auth: authKind(config.users.get(context.user)),
      file: context.file,
      current: name === config.currentContext,
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** How a user proves itself; where several are written, the one that client-go takes (a token spares the plugin). */
export function authKind(user: KubeUser | undefined): AuthKind {
  if (user === undefined) return 'none'
  if (user.tokenFile !== '') return 'token-file'
  if (user.token !== '') return 'token'
  if (user.username !== '') return 'basic'
  if (user.exec !== undefined) return 'exec'
  if (user.authProvider !== undefined) return 'auth-provider'
  return user.certData !== '' || user.certFile !== '' ? 'client-certificate' : 'none'
}
