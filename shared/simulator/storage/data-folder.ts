import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readFile, readdir, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { KubeObject } from '../object.ts'
import type { ServerIdentity } from '../tls/identity.ts'
import { createIdentity } from '../tls/identity.ts'
import { lockFolder } from './folder-lock.ts'
import { Journal, lineOf, parseLine } from './journal.ts'
import type { JournalEntry } from './journal.ts'
import { MemoryStore } from './memory-store.ts'
import { tableName } from './store.ts'
import type { ResourceKey, StoreState } from './store.ts'

/** A server's state and identity in a folder of its own. */
export interface DataFolder {
  readonly store: MemoryStore
  readonly identity: ServerIdentity
  /** Forces everything to disk and lets the folder go. */
  close(): Promise<void>
}

/** A log longer than this is folded into a new snapshot. */
const snapshotBytes = 16 * 1024 * 1024

/**
 * Opens (or makes) a folder that keeps a state: `snapshot-<version>.ndjson` and the logs that follow it. A torn last
 * line, as a crash leaves it, is dropped.
 *
 * @throws FolderInUseError where another live process has the folder.
 * @throws DamagedDataError where more than the end of the last file cannot be read.
 */
export async function openDataFolder(path: string): Promise<DataFolder> {
  await mkdir(path, { recursive: true, mode: 0o700 })
  const unlock = await lockFolder(path)
  try {
    const store = new MemoryStore(await readState(path))
    const writer = new FolderWriter(path, store)
    const identity = await identityIn(path)
    return {
      store,
      identity,
      async close() {
        await writer.close()
        await unlock()
      },
    }
  } catch (error) {
    await unlock()
    throw error
  }
}

class FolderWriter {
  readonly #path: string
  readonly #store: MemoryStore
  readonly #unsubscribe: () => void
  #journal: Journal
  #snapshot: Promise<void> | undefined

  constructor(path: string, store: MemoryStore) {
    this.#path = path
    this.#store = store
    this.#journal = this.#openJournal()
    this.#unsubscribe = store.subscribe({
      event: (event) => {
        this.#journal.add(event)
        if (this.#journal.bytes > snapshotBytes) this.#startSnapshot()
      },
      replaced: () => this.#startSnapshot(),
    })
  }

  async close(): Promise<void> {
    this.#unsubscribe()
    await this.#snapshot
    this.#journal.close()
  }

  #openJournal(): Journal {
    return new Journal(join(this.#path, `log-${numbered(this.#store.resourceVersion)}.ndjson`))
  }

  /** Writes go to a new log at once; the snapshot of what was before is written beside them. */
  #startSnapshot(): void {
    if (this.#snapshot !== undefined) return
    const state = this.#store.state()
    this.#journal.close()
    this.#journal = this.#openJournal()
    // Without a new snapshot the old one and all logs stay, and the next long log tries again.
    this.#snapshot = writeSnapshot(this.#path, state)
      .catch(() => undefined)
      .finally(() => (this.#snapshot = undefined))
  }
}

async function writeSnapshot(path: string, state: StoreState): Promise<void> {
  const name = `snapshot-${numbered(state.resourceVersion)}.ndjson`
  const file = await open(join(path, `${name}.new`), 'w', 0o600)
  try {
    let lines: string[] = []
    for (const [resource, object] of state.objects) {
      lines.push(lineOf({ ...entryOf(resource, object), resourceVersion: state.resourceVersion }))
      if (lines.length < 500) continue
      await file.write(lines.join(''))
      lines = []
    }
    await file.write(lines.join(''))
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(join(path, `${name}.new`), join(path, name))
  await syncFolder(path)
  for (const old of await readdir(path)) {
    const version = versionOf(old)
    if (version !== undefined && version < state.resourceVersion) await rm(join(path, old), { force: true })
  }
}

function entryOf(resource: ResourceKey, object: KubeObject): JournalEntry {
  const { namespace = '', name = '' } = object.metadata
  return { resourceVersion: 0, resource, object, namespace, name }
}

async function readState(path: string): Promise<StoreState> {
  const files = (await readdir(path)).filter((name) => name.endsWith('.ndjson'))
  const snapshots = files.filter((name) => name.startsWith('snapshot-')).sort()
  const latest = snapshots.at(-1)
  const from = latest === undefined ? 0 : (versionOf(latest) ?? 0)
  const logs = files.filter((name) => name.startsWith('log-') && (versionOf(name) ?? 0) >= from).sort()
  const objects = new Map<string, readonly [ResourceKey, KubeObject]>()
  const names = [...(latest === undefined ? [] : [latest]), ...logs]
  let resourceVersion = from
  for (const [i, name] of names.entries()) {
    const { entries, damagedAt } = await readEntries(join(path, name))
    for (const entry of entries) {
      const key = `${tableName(entry.resource)} ${entry.namespace}/${entry.name}`
      resourceVersion = Math.max(resourceVersion, entry.resourceVersion)
      if (entry.object === undefined) objects.delete(key)
      else objects.set(key, [entry.resource, entry.object])
    }
    if (damagedAt === undefined) continue
    // Only what was written last can be torn; damage elsewhere would leave a hole in the history.
    if (i < names.length - 1) throw new DamagedDataError(join(path, name))
    await truncate(join(path, name), damagedAt)
  }
  return { resourceVersion, objects: objects.values() }
}

/** A file of the folder cannot be read to its end, and others build on it. */
export class DamagedDataError extends Error {
  override readonly name = 'DamagedDataError'
  readonly reason = 'damaged' as const

  constructor(file: string) {
    super(`${file} is damaged`)
  }

  static is(error: unknown): error is DamagedDataError {
    return error instanceof DamagedDataError
  }
}

interface ReadEntries {
  readonly entries: readonly JournalEntry[]
  /** Where the first line starts that cannot be read. */
  readonly damagedAt: number | undefined
}

async function readEntries(file: string): Promise<ReadEntries> {
  const entries: JournalEntry[] = []
  const { size } = await stat(file)
  let at = 0
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    const end = at + Buffer.byteLength(line) + 1
    const entry = end > size ? undefined : parseLine(line)
    if (entry === undefined) return { entries, damagedAt: at }
    entries.push(entry)
    at = end
  }
  return { entries, damagedAt: undefined }
}

/** Names sort as their versions do. */
function numbered(version: number): string {
  return String(version).padStart(16, '0')
}

function versionOf(name: string): number | undefined {
  const match = /^(?:snapshot|log)-(\d{16})\.ndjson/u.exec(name)
  return match === null ? undefined : Number(match[1])
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } catch {
    // Some systems cannot sync a folder.
  } finally {
    await folder.close()
  }
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
