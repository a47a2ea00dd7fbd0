/** What is kept to reach a repository. */
export type Credential = {
  readonly url: string
  readonly username: string
  /** A password or a token; empty where a key is used. */
  readonly secret: string
  /** A private key's text, or the file that has it; empty where a secret is used. */
  readonly sshKey: string
}

/** Where credentials are kept. Nothing of theirs is ever shown again. */
export interface Vault {
  /** `in the keychain`, `until serve ends`: where they are, for the person. */
  readonly place: string
  list(): Promise<readonly Credential[]>
  /** @throws HostError `refused` where they could only be kept in plain text and nobody consented */
  put(credential: Credential): Promise<void>
  /** @returns false where there was none */
  remove(url: string): Promise<boolean>
}

/** Keeps credentials for as long as the process lives: a server has no keychain of the person's to put them into. */
export class MemoryVault implements Vault {
  readonly place = 'until serve ends'
  #all: readonly Credential[] = []

  async list(): Promise<readonly Credential[]> {
    return this.#all
  }

  async put(credential: Credential): Promise<void> {
    this.#all = [...this.#all.filter(({ url }) => url !== credential.url), credential]
  }

  async remove(url: string): Promise<boolean> {
    const before = this.#all.length
    this.#all = this.#all.filter((one) => one.url !== url)
    return this.#all.length < before
  }
}
