import { readFile } from 'node:fs/promises'
import { assertNever } from '../base/assert-never.ts'
import type { Cancellable } from '../model/ports.ts'
import { ClusterError } from './cluster-error.ts'
import type { ConnectionConfig } from './config.ts'
import { runExecPlugin } from './exec-plugin.ts'
import { authKind } from './kubeconfig.ts'
import type { Impersonation, KubeUser } from './kubeconfig.ts'
import { openAuthProvider } from './auth-provider.ts'

/** What proves who we are, and for how long. */
export type Credentials = {
  readonly headers: Readonly<Record<string, string | string[]>>
  /** PEM. */
  readonly cert?: string | Buffer
  readonly key?: string | Buffer
  /** Milliseconds since 1970; good for ever when absent. */
  readonly expiresAt?: number
}

/** Gets credentials anew whenever they are wanted; what is still good is kept. */
export class CredentialSource {
  private readonly fetch: (options: Cancellable) => Promise<Credentials>
  private current: Credentials | undefined
  private pending: Promise<Credentials> | undefined

  constructor(fetch: (options: Cancellable) => Promise<Credentials>) {
    this.fetch = fetch
  }

  /** What is at hand and still good. */
  get valid(): Credentials | undefined {
    const { current } = this
    if (current?.expiresAt !== undefined && current.expiresAt <= Date.now()) return undefined
    return current
  }

  /** @param rejected the ones that the server did not accept: they are not given again. */
  async get({ rejected }: { readonly rejected?: Credentials | undefined } = {}): Promise<Credentials> {
    const valid = this.valid
    if (valid !== undefined && valid !== rejected) return valid
    // One caller's cancel must not take the login away from the others.
    this.pending ??= this.fetch({}).finally(() => {
      this.pending = undefined
    })
    this.current = await this.pending
    return this.current
  }
}

/** client-go re-reads token files once a minute. */
const tokenFileMs = 60_000

/** How the context's user logs in. Nothing is run or read before the first `get`. */
export function credentialSource(config: ConnectionConfig): CredentialSource {
  const { user } = config
  const fetch = fetcher(config)
  return new CredentialSource(async (options) => {
    const [login, client] = await Promise.all([fetch(options), clientCertificate(user)])
    return { ...client, ...login, headers: { ...login.headers, ...impersonation(user.impersonate) } }
  })
}

function fetcher(config: ConnectionConfig): (options: Cancellable) => Promise<Credentials> {
  const { user } = config
  const kind = authKind(user)
  switch (kind) {
    case 'token-file':
      return async () => ({
        headers: bearer((await textOf(user.tokenFile)).trim()),
        expiresAt: Date.now() + tokenFileMs,
      })
    case 'token':
      return async () => ({ headers: bearer(user.token) })
    case 'exec': {
      const { exec } = user
      return exec === undefined ? nobody : (options) => runExecPlugin(exec, config.cluster, options)
    }
    case 'auth-provider':
      return openAuthProvider(config)
    case 'basic': {
      const pair = Buffer.from(`${user.username}:${user.password}`).toString('base64')
      return async () => ({ headers: { authorization: `Basic ${pair}` } })
    }
    case 'client-certificate':
    case 'none':
      return nobody
    default:
      return assertNever(kind)
  }
}

async function nobody(): Promise<Credentials> {
  return { headers: {} }
}

function bearer(token: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${token}` }
}

async function clientCertificate(user: KubeUser): Promise<{ readonly cert?: Buffer; readonly key?: Buffer }> {
  const [cert, key] = await Promise.all([
    dataOrFile(user.certData, user.certFile),
    dataOrFile(user.keyData, user.keyFile),
  ])
  if (cert === undefined || key === undefined) return {}
  return { cert, key }
}

/** Inline base64 wins over a file, as in client-go. @throws ClusterError `config` */
export async function dataOrFile(data: string, file: string): Promise<Buffer | undefined> {
  if (data !== '') return Buffer.from(data, 'base64')
  return file === '' ? undefined : Buffer.from(await textOf(file))
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ClusterError('config', `a file that the kubeconfig names cannot be read: ${reason}`, { cause: error })
  }
}

function impersonation(as: Impersonation | undefined): Record<string, string | string[]> {
  if (as === undefined) return {}
  const headers: Record<string, string | string[]> = {}
  if (as.user !== '') headers['impersonate-user'] = as.user
  if (as.uid !== '') headers['impersonate-uid'] = as.uid
  if (as.groups.length > 0) headers['impersonate-group'] = [...as.groups]
  for (const [key, values] of Object.entries(as.extra)) {
    headers[`impersonate-extra-${encodeURIComponent(key).toLowerCase()}`] = [...values]
  }
  return headers
}
