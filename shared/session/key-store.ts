import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { sha256 } from '../base/digest.ts'
import { keySourceOf } from '../signature/key-sources.ts'
import { listKeys, type KeyInfo } from '../signature/key-list.ts'
import { readKeyring, type KeyProblem } from '../signature/keyring.ts'
import { keyFilesAt } from './keyring.ts'

/** The keys in one file of the person's keyring. */
export type StoredKeys = {
  readonly file: string
  readonly keys: readonly KeyInfo[]
  readonly problems: readonly KeyProblem[]
}

/** What a file of keys holds, before it is trusted. Undefined where it holds none. */
export async function inspectKeys(file: string): Promise<StoredKeys | undefined> {
  return storedKeys(path.basename(file), await readFile(file))
}

/** Every file of the keyring. */
export async function storedKeyFiles(folder: string): Promise<readonly StoredKeys[]> {
  const files = await keyFilesAt(folder)
  const stored = await Promise.all(files.map(async ({ name, bytes }) => storedKeys(name, bytes)))
  return stored.filter((keys) => keys !== undefined)
}

/** Copies a file into the keyring. @returns its name there */
export async function addKeys(file: string, folder: string): Promise<string> {
  return storeKeys(file, await readFile(file), folder)
}

/** Adds the keys of a text that somebody pasted or dropped. @returns what its file is called, or why it was not taken */
export async function addKeyText(
  text: string,
  name: string,
  folder: string,
): Promise<
  { readonly kind: 'added'; readonly file: string } | { readonly kind: 'private' | 'no-key'; readonly problem: string }
> {
  if (/-----BEGIN [A-Z ]*PRIVATE KEY/.test(text)) {
    const problem = 'this is a private key, which nobody but its owner should have; its public half is what is trusted'
    return { kind: 'private', problem }
  }
  const bytes = Buffer.from(`${text.trim()}\n`)
  const file = path.basename(name) || (text.includes('-----BEGIN PGP') ? 'key.asc' : 'key.pub')
  if (((await storedKeys(file, bytes))?.keys.length ?? 0) > 0)
    return { kind: 'added', file: await storeKeys(file, bytes, folder) }
  const problem =
    'this holds no public key: it takes `gpg --armor --export`, a line of an SSH .pub file, or allowed_signers'
  return { kind: 'no-key', problem }
}

async function storeKeys(file: string, bytes: Buffer, folder: string): Promise<string> {
  const { name, ext } = path.parse(file)
  // The name decides whether plain SSH keys are trusted or revoked; the digest keeps two files of one name apart.
  const stored = `${name.replaceAll(/[^\w.-]/g, '_')}-${sha256(bytes.toString('base64')).slice(0, 8)}${ext}`
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeFile(path.join(folder, stored), bytes, { mode: 0o600 })
  return stored
}

/** Takes the file with a key of that fingerprint, key id or file name out. @returns what was removed, or undefined */
export async function removeKeys(id: string, folder: string): Promise<StoredKeys | undefined> {
  const wanted = id.toLowerCase()
  const found = (await storedKeyFiles(folder)).find(
    ({ file, keys }) =>
      file === id ||
      keys.some(({ fingerprint, keyId }) => [fingerprint, keyId].some((name) => name.toLowerCase() === wanted)),
  )
  if (found !== undefined) await rm(path.join(folder, found.file))
  return found
}

async function storedKeys(name: string, bytes: Uint8Array): Promise<StoredKeys | undefined> {
  const source = keySourceOf({ name, bytes })
  if (source === undefined) return undefined
  const keyring = await readKeyring([source])
  return { file: name, keys: listKeys(keyring), problems: keyring.problems }
}
