import type { Credentials, RemoteAccess } from '../git/credentials.ts'
import { remoteKey } from '../git/remote-url.ts'

/** What is shown to a repository, and to those that lie below its address. */
export type RemoteCredential = {
  readonly url: string
  readonly username: string
  /** A password or a token; empty where a key is used. */
  readonly secret: string
  /** File of a private key, for ssh; empty where there is none. */
  readonly keyFile: string
}

/** The credentials that fronts have handed over, for all sessions of this agent. They are written nowhere. */
export class RemoteCredentials implements RemoteAccess {
  #all: readonly { readonly key: string; readonly credential: RemoteCredential }[] = []

  /** Takes these in place of what was there. A URL that is none reaches nothing. */
  replace(credentials: readonly RemoteCredential[]): void {
    this.#all = credentials.flatMap((credential) => {
      const key = keyOf(credential.url)
      return key === undefined ? [] : [{ key, credential }]
    })
  }

  /** The credential of the repository itself, else of the folder, owner or host that it lies below: the longest that fits. */
  readonly credentialsFor = async (url: string): Promise<Credentials | undefined> => {
    const wanted = keyOf(url)
    if (wanted === undefined) return undefined
    const fitting = this.#all
      .filter(({ key }) => wanted === key || wanted.startsWith(key.endsWith('/') ? key : `${key}/`))
      .toSorted((a, b) => b.key.length - a.key.length)
    const ssh = /^ssh:|^[^/:]+@?[^/]*:(?!\/\/)/.test(url)
    const found = fitting.find(({ credential }) => (credential.keyFile !== '') === ssh)?.credential
    return found === undefined ? undefined : shown(found)
  }
}

function shown({ username, secret, keyFile }: RemoteCredential): Credentials {
  if (keyFile !== '') return { kind: 'ssh-key', keyFile }
  // Forges take a token in the password's place, whatever the user is called.
  return { kind: 'basic', username: username === '' ? 'git' : username, password: secret }
}

function keyOf(url: string): string | undefined {
  try {
    return remoteKey(url)
  } catch {
    return undefined
  }
}
