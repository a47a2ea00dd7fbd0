import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs'
import { inflateSync } from 'node:zlib'
import { Lru } from '../base/lru.ts'
import { applyDelta, deltaSizes } from './delta.ts'
import { GitError } from './git-error.ts'
import { idBytes } from './object-id.ts'
import type { ObjectFormat, ObjectType } from './object-id.ts'
import type { Found } from './objects.ts'
import { PackIndex } from './pack-index.ts'

interface Plain {
  readonly type: ObjectType
  readonly bytes: Buffer
}

interface Entry {
  /** 1 to 4 are whole objects, 6 and 7 deltas (gitformat-pack(5), Object types). */
  readonly code: number
  readonly size: number
  /** Offset of the base, for a delta. */
  readonly base: number | undefined
  readonly compressed: Buffer
}

const types: readonly (ObjectType | undefined)[] = [undefined, 'commit', 'tree', 'blob', 'tag']
const maxChain = 5000
const maxStepBytes = 512 * 1024 * 1024
const keptBytes = 32 * 1024 * 1024

/** One pack, read where it lies. What is wrong with it is a `corrupt` error. */
export class PackFile {
  readonly index: PackIndex
  private readonly file: string
  private readonly descriptor: number
  private readonly end: number
  private readonly width: number
  /** Bases serve many deltas. */
  private readonly kept = new Lru<number, Plain>(keptBytes)

  constructor(file: string, format: ObjectFormat) {
    this.file = file
    this.width = idBytes(format)
    this.index = new PackIndex(readFileSync(file.replace(/\.pack$/, '.idx')), format, file)
    this.descriptor = openSync(file, 'r')
    this.end = fstatSync(this.descriptor).size - this.width
  }

  close(): void {
    closeSync(this.descriptor)
  }

  read(offset: number, limit: number): Exclude<Found, { readonly kind: 'missing' }> {
    const deltas: { readonly offset: number; readonly bytes: Buffer }[] = []
    let size: number | undefined
    let current: Plain | undefined
    for (let at = offset; current === undefined;) {
      current = this.kept.get(at)
      if (current !== undefined) break
      if (deltas.length > maxChain) throw this.corrupt()
      const entry = this.entry(at)
      if (entry.base === undefined) {
        const type = types[entry.code]
        if (type === undefined) throw this.corrupt()
        if (deltas.length === 0 && entry.size > limit) return { kind: 'too-large', type, size: entry.size }
        current = this.keep(at, { type, bytes: this.inflated(entry) })
      } else {
        const bytes = this.inflated(entry)
        size ??= deltaSizes(bytes).result
        deltas.push({ offset: at, bytes })
        at = entry.base
      }
    }
    size ??= current.bytes.length
    if (size > limit) return { kind: 'too-large', type: current.type, size }
    for (const delta of deltas.toReversed()) {
      if (deltaSizes(delta.bytes).result > maxStepBytes) throw this.corrupt()
      current = this.keep(delta.offset, { type: current.type, bytes: applyDelta(current.bytes, delta.bytes) })
    }
    return { kind: 'object', ...current }
  }

  private keep(offset: number, plain: Plain): Plain {
    this.kept.set(offset, plain, plain.bytes.length + 200)
    return plain
  }

  private entry(offset: number): Entry {
    const next = this.index.following(offset) ?? this.end
    if (next <= offset || next > this.end) throw this.corrupt()
    const bytes = Buffer.allocUnsafe(next - offset)
    if (readSync(this.descriptor, bytes, 0, bytes.length, offset) !== bytes.length) throw this.corrupt()
    let at = 0
    let byte = bytes[at++] ?? 0
    const code = (byte >> 4) & 7
    let size = byte & 15
    for (let shift = 4; (byte & 0x80) !== 0 && shift < 50; shift += 7) {
      byte = bytes[at++] ?? 0
      size += (byte & 0x7f) * 2 ** shift
    }
    if (size > maxStepBytes && code > 4) throw this.corrupt()
    if (code === 6) {
      // How far back the base begins; each continued byte counts one more.
      byte = bytes[at++] ?? 0
      let back = byte & 0x7f
      while ((byte & 0x80) !== 0 && at < bytes.length) {
        byte = bytes[at++] ?? 0
        back = (back + 1) * 128 + (byte & 0x7f)
      }
      if (back <= 0 || back > offset) throw this.corrupt()
      return { code, size, base: offset - back, compressed: bytes.subarray(at) }
    }
    if (code !== 7) return { code, size, base: undefined, compressed: bytes.subarray(at) }
    const base = this.index.find(bytes.subarray(at, at + this.width))
    if (base === undefined) throw this.corrupt()
    return { code, size, base, compressed: bytes.subarray(at + this.width) }
  }

  private inflated({ compressed, size }: Entry): Buffer {
    if (size > maxStepBytes) throw new GitError('too-large', `an object of ${size} bytes is more than is read`)
    try {
      const bytes = inflateSync(compressed, { maxOutputLength: Math.max(size, 1) })
      if (bytes.length === size) return bytes
    } catch (error) {
      throw this.corrupt(error)
    }
    throw this.corrupt()
  }

  private corrupt(cause?: unknown): GitError {
    return new GitError('corrupt', `${this.file} is damaged`, cause)
  }
}
