import type { SecretStorage } from 'vscode'
import { METHODS } from '../shared/agent/contract.ts'
import type { Connection } from './agent/connection.ts'

/** What remotes are shown. Kept in the editor's SecretStorage alone; the agent holds it in memory. */
export type StoredCredential = {
  readonly url: string
  readonly username: string
  /** A password or token; empty where a key is used. */
  readonly secret: string
  /** File of a private key, for ssh; empty where there is none. */
  readonly sshKey: string
}

const KEY = 'plumbline.credentials'

/** The credentials of remotes, written to the SecretStorage and told to each agent that starts. */
export class Credentials {
  readonly #secrets: SecretStorage
  readonly #connection: Connection

  constructor(secrets: SecretStorage, connection: Connection) {
    this.#secrets = secrets
    this.#connection = connection
  }

  async all(): Promise<readonly StoredCredential[]> {
    return readCredentials(await this.#secrets.get(KEY))
  }

  /** Takes the place of what the same address had. */
  async add(credential: StoredCredential): Promise<void> {
    await this.#write([...(await this.all()).filter(({ url }) => url !== credential.url), credential])
  }

  async remove(url: string): Promise<void> {
    await this.#write((await this.all()).filter((each) => each.url !== url))
  }

  /** Tells an agent that has just started. */
  async tell(): Promise<void> {
    const credentials = await this.all()
    if (credentials.length > 0) await this.#connection.ask(METHODS.setCredentials, { credentials })
  }

  async #write(credentials: readonly StoredCredential[]): Promise<void> {
    if (credentials.length === 0) await this.#secrets.delete(KEY)
    else await this.#secrets.store(KEY, JSON.stringify(credentials))
    await this.#connection.ask(METHODS.setCredentials, { credentials })
  }
}

/** What cannot be read counts for nothing. */
export function readCredentials(text: string | undefined): readonly StoredCredential[] {
  if (text === undefined) return []
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value.filter(isCredential) : []
  } catch {
    return []
  }
}

function isCredential(value: unknown): value is StoredCredential {
  const { url, username, secret, sshKey } = (value ?? {}) as Partial<Record<keyof StoredCredential, unknown>>
  return [url, username, secret, sshKey].every((part) => typeof part === 'string')
}
