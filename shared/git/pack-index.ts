import { GitError } from './git-error.ts'
import { idBytes } from './object-id.ts'
import type { ObjectFormat } from './object-id.ts'

const fanoutAt = 8
const namesAt = fanoutAt + 256 * 4

/** Where each object of a pack lies: a version 2 index (gitformat-pack(5)), searched in its bytes and never unpacked. */
export class PackIndex {
  private readonly bytes: Buffer
  private readonly width: number
  private readonly count: number
  private sorted: Float64Array | undefined

  /** @throws GitError unsupported, corrupt */
  constructor(bytes: Buffer, format: ObjectFormat, file: string) {
    if (bytes.length < namesAt || bytes.readUInt32BE(0) !== 0xff744f63 || bytes.readUInt32BE(4) !== 2) {
      throw new GitError('unsupported', `${file} is no pack index of version 2`)
    }
    this.bytes = bytes
    this.width = idBytes(format)
    this.count = bytes.readUInt32BE(namesAt - 4)
    if (bytes.length < namesAt + this.count * (this.width + 8)) throw new GitError('corrupt', `${file} is cut off`)
  }

  /** @returns the offset of an object in the pack. */
  find(id: Buffer): number | undefined {
    const { low, high } = this.bucket(id[0] ?? 0)
    const at = this.lowerBound(id, low, high)
    return at < high && this.nameAt(at).equals(id) ? this.offsetAt(at) : undefined
  }

  /** All ids that begin with some hex digits. */
  expand(prefix: string): readonly string[] {
    const first = Buffer.from(prefix.padEnd(this.width * 2, '0'), 'hex')
    const found: string[] = []
    for (let at = this.lowerBound(first, 0, this.count); at < this.count; at += 1) {
      const id = this.nameAt(at).toString('hex')
      if (!id.startsWith(prefix)) break
      found.push(id)
    }
    return found
  }

  /** @returns the offset of the object that follows one in the pack, undefined after the last. */
  following(offset: number): number | undefined {
    this.sorted ??= Float64Array.from({ length: this.count }, (_, index) => this.offsetAt(index)).sort()
    let low = 0
    let high = this.count
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.sorted[middle] ?? 0) <= offset) low = middle + 1
      else high = middle
    }
    return this.sorted[low]
  }

  private bucket(byte: number): { readonly low: number; readonly high: number } {
    const low = byte === 0 ? 0 : this.bytes.readUInt32BE(fanoutAt + (byte - 1) * 4)
    const high = this.bytes.readUInt32BE(fanoutAt + byte * 4)
    return { low: Math.min(low, this.count), high: Math.min(high, this.count) }
  }

  private lowerBound(id: Buffer, from: number, to: number): number {
    let low = from
    let high = to
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.nameAt(middle).compare(id) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  private nameAt(index: number): Buffer {
    const start = namesAt + index * this.width
    return this.bytes.subarray(start, start + this.width)
  }

  private offsetAt(index: number): number {
    // After the names stand the checksums, then the offsets; one with the top bit points into a table of long ones.
    const offsets = namesAt + this.count * (this.width + 4)
    const offset = this.bytes.readUInt32BE(offsets + index * 4)
    if (offset < 0x8000_0000) return offset
    return Number(this.bytes.readBigUInt64BE(offsets + this.count * 4 + (offset - 0x8000_0000) * 8))
  }
}
