import { rmSync } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sha256 } from '../base/digest.ts'
import type { Credentials, RemoteAccess } from '../git/credentials.ts'
import { remoteKey } from '../git/remote-url.ts'

/** What is shown to a repository, and to those that lie below its address. */
export type RemoteCredential = {
  readonly url: string
  readonly username: string
  /** A password or a token; empty where a key is used. */
  readonly secret: string
  /** For ssh: a private key's text, or the file that has it; empty where there is none. */
  readonly sshKey: string
}

/** The credentials that fronts have handed over, for all sessions of this agent. They are kept in memory. */
export class RemoteCredentials implements RemoteAccess {
  #all: readonly { readonly key: string; readonly credential: RemoteCredential }[] = []
  /** Where keys that have no file of their own are put while ssh needs them. */
  #folder: Promise<string> | undefined

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
    const found = fitting.find(({ credential }) => (credential.sshKey !== '') === isSsh(url))?.credential
    if (found === undefined) return undefined
    if (found.sshKey !== '') return { kind: 'ssh-key', keyFile: await this.#keyFile(found.sshKey) }
    // Forges take a token in the password's place, whatever the user is called.
    return { kind: 'basic', username: found.username === '' ? 'git' : found.username, password: found.secret }
  }

  /** ssh reads keys from files only: one of its own, in a folder of this process alone, gone with the process. */
  async #keyFile(key: string): Promise<string> {
    if (!key.startsWith('-----BEGIN')) return key
    this.#folder ??= privateFolder()
    const file = path.join(await this.#folder, sha256(key).slice(0, 16))
    await writeFile(file, `${key.trim()}\n`, { mode: 0o600 })
    return file
  }
}

/** In memory where the platform has such a place. */
async function privateFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(process.env['XDG_RUNTIME_DIR'] || tmpdir(), 'plumbline-keys-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function isSsh(url: string): boolean {
  return url.startsWith('ssh:') || !/^[a-z][a-z0-9+.-]*:\/\//i.test(url)
}

function keyOf(url: string): string | undefined {
  try {
    return remoteKey(url)
  } catch {
    return undefined
  }
}
