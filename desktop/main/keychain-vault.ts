import type { SafeStorage } from 'electron'
import { HostError } from '../host/host-error.ts'
import { JsonFile } from '../host/json-file.ts'
import type { Credential, Vault } from '../host/vault.ts'

/** A credential as the file has it: all but the address is sealed by the platform's keychain. */
type Sealed = { readonly url: string; readonly sealed: string }

export type KeychainOptions = {
  readonly file: string
  readonly safeStorage: Pick<
    SafeStorage,
    'isAsyncEncryptionAvailable' | 'encryptStringAsync' | 'decryptStringAsync' | 'getSelectedStorageBackend'
  >
  readonly platform: NodeJS.Platform
  /** Whether the person consented to what is no protection. */
  readonly isWeakAllowed: () => Promise<boolean>
}

/** Credentials sealed by Keychain, DPAPI, libsecret or kwallet. Where there is none of these, nothing is kept unasked. */
export class KeychainVault implements Vault {
  readonly #options: KeychainOptions
  readonly #file: JsonFile<readonly Sealed[]>

  constructor(options: KeychainOptions) {
    this.#options = options
    this.#file = new JsonFile(options.file, sealedOf)
  }

  get place(): string {
    return this.#isWeak() ? 'without protection' : 'in the keychain'
  }

  async list(): Promise<readonly Credential[]> {
    const { safeStorage } = this.#options
    const all = await this.#file.get()
    if (all.length === 0 || !(await safeStorage.isAsyncEncryptionAvailable())) return []
    const opened = all.map(async ({ url, sealed }): Promise<readonly Credential[]> => {
      try {
        const { result } = await safeStorage.decryptStringAsync(Buffer.from(sealed, 'base64'))
        return [{ ...(JSON.parse(result) as Omit<Credential, 'url'>), url }]
      } catch {
        // Sealed by another keychain: it is as if it were not there.
        return []
      }
    })
    return (await Promise.all(opened)).flat()
  }

  async put({ url, ...rest }: Credential): Promise<void> {
    const { safeStorage, isWeakAllowed } = this.#options
    if (!(await safeStorage.isAsyncEncryptionAvailable()) || (this.#isWeak() && !(await isWeakAllowed()))) {
      const message =
        'this machine has no keychain that credentials could be kept in; unlock or install one (libsecret, kwallet), or allow it in Settings under "Keep credentials without a keychain"'
      throw new HostError('refused', message)
    }
    const sealed = (await safeStorage.encryptStringAsync(JSON.stringify(rest))).toString('base64')
    await this.#file.change((all) => [...all.filter((one) => one.url !== url), { url, sealed }])
  }

  async remove(url: string): Promise<boolean> {
    let found = false
    await this.#file.change((all) => {
      found = all.some((one) => one.url === url)
      return all.filter((one) => one.url !== url)
    })
    return found
  }

  /** On Linux Chromium falls back to a password that is the same everywhere (electron docs/api/safe-storage.md). */
  #isWeak(): boolean {
    const { safeStorage, platform } = this.#options
    if (platform !== 'linux') return false
    const backend = safeStorage.getSelectedStorageBackend()
    return backend === 'basic_text' || backend === 'unknown'
  }
}

function sealedOf(value: unknown): readonly Sealed[] {
  if (!Array.isArray(value)) return []
  return value.filter((one): one is Sealed => {
    const { url, sealed } = (one ?? {}) as Partial<Sealed>
    return typeof url === 'string' && typeof sealed === 'string'
  })
}
