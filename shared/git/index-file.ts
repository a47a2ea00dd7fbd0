import { GitError } from './git-error.ts'
import { idBytes } from './object-id.ts'
import type { ObjectFormat } from './object-id.ts'

/** One staged path. */
export interface IndexEntry {
  readonly path: string
  /** As in a tree, in octal. */
  readonly mode: string
  readonly id: string
}

const fixedBytes = 40

/**
 * Reads the staged paths of an index file, versions 2 to 4 (gitformat-index(5)); extensions are not read.
 * @throws GitError unsupported for a split or sparse index, corrupt
 */
export function parseIndex(bytes: Buffer, format: ObjectFormat): readonly IndexEntry[] {
  if (bytes.length < 12 || bytes.toString('latin1', 0, 4) !== 'DIRC')
    throw new GitError('corrupt', 'the index is cut off')
  const version = bytes.readUInt32BE(4)
  if (version < 2 || version > 4) throw new GitError('unsupported', `the index has version ${version}`)
  const entries = new Map<string, IndexEntry>()
  let at = 12
  let previous = Buffer.alloc(0)
  for (let left = bytes.readUInt32BE(8); left > 0; left -= 1) {
    const entry = readEntry(bytes, at, version, previous, format)
    if (entry.mode === '40000') throw new GitError('unsupported', 'the index is sparse; reading it needs git')
    entries.set(entry.path, { path: entry.path, mode: entry.mode, id: entry.id })
    previous = entry.name
    at = entry.end
  }
  refuseSplit(bytes, at, format)
  return [...entries.values()]
}

interface Parsed extends IndexEntry {
  readonly name: Buffer<ArrayBuffer>
  readonly end: number
}

function readEntry(bytes: Buffer, at: number, version: number, previous: Buffer, format: ObjectFormat): Parsed {
  const flagsAt = at + fixedBytes + idBytes(format)
  if (flagsAt + 2 > bytes.length) throw new GitError('corrupt', 'the index is cut off')
  const mode = bytes.readUInt32BE(at + 24).toString(8)
  const id = bytes.toString('hex', at + fixedBytes, flagsAt)
  const extended = (bytes.readUInt16BE(flagsAt) & 0x4000) !== 0
  let start = flagsAt + (extended ? 4 : 2)
  let prefix = Buffer.alloc(0)
  if (version === 4) {
    // Each name is given as how much to cut from the one before, and what to add.
    const { value, end } = readOffset(bytes, start)
    prefix = Buffer.from(previous.subarray(0, previous.length - value))
    start = end
  }
  const nul = bytes.indexOf(0, start)
  if (nul === -1) throw new GitError('corrupt', 'the index is cut off')
  const name = Buffer.concat([prefix, bytes.subarray(start, nul)])
  const length = nul - at + 1
  // Versions 2 and 3 pad each entry to a multiple of eight with at least one NUL.
  const end = version === 4 ? nul + 1 : at + Math.ceil(length / 8) * 8
  return { path: name.toString('utf8'), mode, id, name, end }
}

/** git's varint (varint.c): seven bits a byte, each continued one counting one more. */
function readOffset(bytes: Buffer, start: number): { readonly value: number; readonly end: number } {
  let at = start
  let byte = bytes[at] ?? 0
  let value = byte & 0x7f
  while ((byte & 0x80) !== 0 && at - start < 8) {
    at += 1
    byte = bytes[at] ?? 0
    value = (value + 1) * 128 + (byte & 0x7f)
  }
  return { value, end: at + 1 }
}

function refuseSplit(bytes: Buffer, start: number, format: ObjectFormat): void {
  let at = start
  while (at + 8 <= bytes.length - idBytes(format)) {
    const name = bytes.toString('latin1', at, at + 4)
    if (name === 'link') throw new GitError('unsupported', 'the index is split; reading it needs git')
    at += 8 + bytes.readUInt32BE(at + 4)
  }
}
