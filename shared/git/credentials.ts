/** What a remote is shown. It never stands in an argument list, a file or an error. */
export type Credentials =
  | { readonly kind: 'basic'; readonly username: string; readonly password: string }
  | { readonly kind: 'bearer'; readonly token: string }
  /** A private key's file, for ssh. */
  | { readonly kind: 'ssh-key'; readonly keyFile: string; readonly knownHostsFile?: string | undefined }

/** How remotes are reached. */
export interface RemoteAccess {
  /** Asked once per fetch, with the URL without user and password. */
  readonly credentialsFor?: ((url: string) => Promise<Credentials | undefined>) | undefined
  /** PEM of certificate authorities that are trusted for the URL, in place of the system's. */
  readonly certificatesFor?: ((url: string) => Promise<string | undefined>) | undefined
  /** Proxy for http and https; else the environment's HTTPS_PROXY, HTTP_PROXY and NO_PROXY. */
  readonly proxy?: string | undefined
  /** Milliseconds for one fetch; ten minutes when absent. */
  readonly timeoutMs?: number | undefined
}

/** @returns the value of an Authorization header. */
export function authorization(credentials: Credentials | undefined): string | undefined {
  switch (credentials?.kind) {
    case 'basic':
      return `Basic ${Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64')}`
    case 'bearer':
      return `Bearer ${credentials.token}`
    default:
      return undefined
  }
}

/** @returns every text that must not be printed. */
export function secretsOf(credentials: Credentials | undefined): readonly string[] {
  switch (credentials?.kind) {
    case 'basic':
      return [credentials.password]
    case 'bearer':
      return [credentials.token]
    default:
      return []
  }
}
