import { createHash, randomBytes } from 'node:crypto'
import { StatusError } from '../errors.ts'
import type { KubeObject } from '../object.ts'
import type { ApiRequest, UserInfo } from './api-types.ts'

/** The person who holds the server's own token. */
export const adminUser: UserInfo = { name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] }

interface Issued {
  readonly user: UserInfo
  readonly expiresMs: number
}

/** Bearer tokens: the server's own, those given at start, and those issued to service accounts. */
export class TokenAuthenticator {
  readonly #digests = new Map<string, Issued>()
  readonly #now: () => number

  constructor(tokens: Readonly<Record<string, UserInfo>>, now: () => number) {
    this.#now = now
    for (const [token, user] of Object.entries(tokens)) {
      this.#digests.set(digest(token), { user, expiresMs: Number.POSITIVE_INFINITY })
    }
  }

  /** Looks tokens up by their digest, so that the time it takes tells nothing of their text. */
  lookup(token: string): UserInfo | undefined {
    const issued = this.#digests.get(digest(token))
    return issued === undefined || issued.expiresMs < this.#now() ? undefined : issued.user
  }

  issue(account: KubeObject, expiresMs: number): string {
    const { name = '', namespace = '', uid } = account.metadata
    const token = randomBytes(32).toString('base64url')
    const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated']
    const user = { name: `system:serviceaccount:${namespace}:${name}`, groups, ...(uid === undefined ? {} : { uid }) }
    this.#digests.set(digest(token), { user, expiresMs })
    return token
  }

  /**
   * Who sends a request: what the caller vouches for (in process, or a client certificate), else the bearer token.
   *
   * @throws StatusError 401
   */
  authenticate({ user, headers }: ApiRequest): UserInfo {
    if (user !== undefined) return user
    const found = /^Bearer +(\S+)$/iu.exec(headers?.['authorization'] ?? '')?.[1]
    const known = found === undefined ? undefined : this.lookup(found)
    if (known === undefined) throw new StatusError(401, 'Unauthorized', 'Unauthorized')
    return known
  }
}

function digest(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
