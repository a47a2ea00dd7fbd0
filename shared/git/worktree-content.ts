import { constants } from 'node:fs'
import type { BigIntStats } from 'node:fs'
import { lstat, open, readlink } from 'node:fs/promises'
import { Lru } from '../base/lru.ts'
import { GitError } from './git-error.ts'
import { objectId } from './object-id.ts'
import type { ObjectFormat } from './object-id.ts'
import type { EntryKind } from './tree-parser.ts'

/** What lies at a path on the disk, and the blob id that git would give to it. */
export interface DiskEntry {
  readonly kind: EntryKind
  readonly id: string
  readonly size: number
}

interface Known {
  readonly stamp: string
  readonly id: string
}

const keptBytes = 64 * 1024 * 1024
/** Above this a file is named by its stat, since nobody will be let to read it. */
const hashedBytes = 64 * 1024 * 1024
/** A file that changed this shortly before its hash may change again under the same time stamp (git's racy entries). */
const racyNs = 2_000_000_000n

/**
 * Names files on the disk as git names blobs, reading each only when its stat has changed, and keeps what it read, so
 * that whoever asks by id gets the bytes of that id although the file may have moved on.
 */
export class WorktreeContent {
  private readonly format: ObjectFormat
  private readonly known = new Map<string, Known>()
  private readonly kept = new Lru<string, Buffer>(keptBytes)

  constructor(format: ObjectFormat) {
    this.format = format
  }

  /** @returns undefined where there is nothing, or something that is no content (a socket, a pipe). */
  async entry(file: string): Promise<DiskEntry | undefined> {
    const stat = await lstat(file, { bigint: true }).catch(absent)
    if (stat === undefined) return undefined
    if (stat.isDirectory()) return { kind: 'folder', id: '', size: 0 }
    if (stat.isSymbolicLink()) return this.linkEntry(file)
    if (!stat.isFile()) return undefined
    const executable = process.platform !== 'win32' && (stat.mode & 0o100n) !== 0n
    const id = await this.fileId(file, stat)
    return id === undefined ? undefined : { kind: executable ? 'executable' : 'file', id, size: Number(stat.size) }
  }

  /** Names content that is not on the disk, and keeps it. */
  keep(bytes: Buffer): string {
    const id = objectId('blob', bytes, this.format)
    this.kept.set(id, bytes, bytes.length + 100)
    return id
  }

  /** @throws GitError too-large, and path-missing when the file no longer has the content of the id */
  async bytes(file: string, id: string, maxBytes: number): Promise<Buffer> {
    const kept = this.kept.get(id)
    const bytes = kept ?? (await readBounded(file, maxBytes))
    if (bytes === undefined) throw new GitError('path-missing', `${file} went away while it was read`)
    if (bytes.length > maxBytes) throw tooLarge(file, bytes.length, maxBytes)
    if (kept === undefined && this.keep(bytes) !== id) {
      throw new GitError('path-missing', `${file} was changed while it was read`)
    }
    return bytes
  }

  private async linkEntry(file: string): Promise<DiskEntry | undefined> {
    const target = await readlink(file).catch(absent)
    if (target === undefined) return undefined
    const bytes = Buffer.from(target.replaceAll('\\', process.platform === 'win32' ? '/' : '\\'))
    return { kind: 'link', id: this.keep(bytes), size: bytes.length }
  }

  private async fileId(file: string, stat: BigIntStats): Promise<string | undefined> {
    const stamp = `${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}`
    if (stat.size > hashedBytes) return `large:${stamp}`
    const known = this.known.get(file)
    if (known?.stamp === stamp) return known.id
    const bytes = await readBounded(file, hashedBytes)
    if (bytes === undefined) return undefined
    const id = this.keep(bytes)
    const settled = BigInt(Date.now()) * 1_000_000n - stat.mtimeNs > racyNs
    if (settled) this.known.set(file, { stamp, id })
    return id
  }
}

/** Follows no link at the end and waits on no pipe: what was a file a moment ago may be anything now. */
async function readBounded(file: string, maxBytes: number): Promise<Buffer | undefined> {
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
  const handle = await open(file, flags).catch(absent)
  if (handle === undefined) return undefined
  try {
    const stat = await handle.stat()
    if (!stat.isFile()) return undefined
    if (stat.size > maxBytes) throw tooLarge(file, stat.size, maxBytes)
    return await handle.readFile()
  } finally {
    await handle.close()
  }
}

function tooLarge(file: string, size: number, limit: number): GitError {
  return new GitError('too-large', `${file} has ${size} bytes; at most ${limit} are read`)
}

function absent(error: unknown): undefined {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP') return undefined
  throw new GitError('unusable', 'a file of the working tree cannot be read', error)
}
