import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { stateFolder } from '../base/folders.ts'
import { keySourcesOf, type KeyFile } from '../signature/key-sources.ts'
import { readKeyring, type Keyring } from '../signature/keyring.ts'

/** Where the person's trusted keys are kept: never in a repository, which is what they are to judge. */
export function keyFolder(env: Readonly<Record<string, string | undefined>> = process.env): string {
  return env['PLUMBLINE_KEYS'] ?? path.join(stateFolder(env), 'keys')
}

const LARGEST_KEY_FILE = 16 * 1024 * 1024

/** The keys of a folder, or of one file; an absent folder trusts nobody. */
export async function keyFilesAt(place: string): Promise<readonly KeyFile[]> {
  const found = await stat(place).catch(() => undefined)
  if (found === undefined) return []
  const files = found.isDirectory() ? (await readdir(place)).map((name) => path.join(place, name)) : [place]
  const read = await Promise.all(files.map(readKeyFile))
  return read.filter((file) => file !== undefined)
}

async function readKeyFile(file: string): Promise<KeyFile | undefined> {
  const { size, isFile } = await stat(file).then((info) => ({ size: info.size, isFile: info.isFile() }))
  return isFile && size <= LARGEST_KEY_FILE ? { name: path.basename(file), bytes: await readFile(file) } : undefined
}

/** A keyring that is read anew when its files change. */
export class FolderKeyring {
  readonly #folder: string
  #known: { readonly state: string; readonly keyring: Promise<Keyring> } | undefined

  constructor(folder: string) {
    this.#folder = folder
  }

  /** @throws KeyringError where a revocation list cannot be read */
  async get(): Promise<Keyring> {
    const state = await this.#state()
    if (this.#known?.state !== state) {
      const keyring = keyFilesAt(this.#folder).then((files) => readKeyring(keySourcesOf(files)))
      this.#known = { state, keyring }
    }
    return this.#known.keyring
  }

  async #state(): Promise<string> {
    const names = await readdir(this.#folder).catch(() => [])
    const infos = await Promise.all(
      names.map(async (name) => stat(path.join(this.#folder, name)).catch(() => undefined)),
    )
    return names.map((name, index) => `${name}:${infos[index]?.mtimeMs}:${infos[index]?.size}`).join('\n')
  }
}
