import { GitError } from './git-error.ts'

/** The sizes in front of a delta, and where its instructions start. */
export interface DeltaSizes {
  readonly base: number
  readonly result: number
  readonly start: number
}

/** @throws GitError corrupt */
export function deltaSizes(delta: Buffer): DeltaSizes {
  const base = readSize(delta, 0)
  const result = readSize(delta, base.end)
  return { base: base.value, result: result.value, start: result.end }
}

/**
 * Rebuilds content from its base (gitformat-pack(5), Deltified representation): a byte with the top bit copies from
 * the base, another inserts that many bytes of the delta.
 * @throws GitError corrupt
 */
export function applyDelta(base: Buffer, delta: Buffer): Buffer {
  const sizes = deltaSizes(delta)
  if (sizes.base !== base.length) throw broken()
  const result = Buffer.allocUnsafeSlow(sizes.result)
  let filled = 0
  for (let at = sizes.start; at < delta.length;) {
    const code = delta[at] ?? 0
    at += 1
    if (code === 0) throw broken()
    if ((code & 0x80) === 0) {
      if (at + code > delta.length || filled + code > result.length) throw broken()
      delta.copy(result, filled, at, at + code)
      filled += code
      at += code
      continue
    }
    let offset = 0
    let size = 0
    for (let bit = 0; bit < 4; bit += 1) if ((code & (1 << bit)) !== 0) offset += (delta[at++] ?? 0) * 2 ** (8 * bit)
    for (let bit = 0; bit < 3; bit += 1) if ((code & (0x10 << bit)) !== 0) size += (delta[at++] ?? 0) * 2 ** (8 * bit)
    if (size === 0) size = 0x10000
    if (offset + size > base.length || filled + size > result.length) throw broken()
    base.copy(result, filled, offset, offset + size)
    filled += size
  }
  if (filled !== result.length) throw broken()
  return result
}

function readSize(bytes: Buffer, start: number): { readonly value: number; readonly end: number } {
  let value = 0
  let at = start
  for (let shift = 0; shift < 50; shift += 7) {
    const byte = bytes[at]
    if (byte === undefined) break
    at += 1
    value += (byte & 0x7f) * 2 ** shift
    if ((byte & 0x80) === 0) return { value, end: at }
  }
  throw broken()
}

function broken(): GitError {
  return new GitError('corrupt', 'a pack holds a delta that does not fit its base')
}
