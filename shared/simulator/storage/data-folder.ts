import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ServerIdentity } from '../tls/identity.ts'
import { createIdentity } from '../tls/identity.ts'
import { MemoryStore } from './memory-store.ts'

/** A server's state and identity in a folder of its own. */
export interface DataFolder {
  readonly store: MemoryStore
  readonly identity: ServerIdentity
  close(): Promise<void>
}

export async function openDataFolder(path: string): Promise<DataFolder> {
  await mkdir(path, { recursive: true, mode: 0o700 })
  return { store: new MemoryStore(), identity: await identityIn(path), close: async () => undefined }
}

async function identityIn(path: string): Promise<ServerIdentity> {
  const file = join(path, 'identity.json')
  try {
    return JSON.parse(await readFile(file, 'utf8')) as ServerIdentity
  } catch {
    const identity = createIdentity(randomBytes(24).toString('base64url'))
    await writeFile(`${file}.new`, JSON.stringify(identity), { mode: 0o600 })
    await rename(`${file}.new`, file)
    return identity
  }
}
