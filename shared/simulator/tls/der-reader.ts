/** A piece of ASN.1 DER that is not what it should be; the message names what. */
export class DerError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'DerError'
  }

  static is(error: unknown): error is DerError {
    return error instanceof DerError
  }
}

/** One value: its tag, all its bytes and those of its content. */
export interface DerValue {
  readonly tag: number
  readonly whole: Buffer
  readonly content: Buffer
}

/** The one value that the bytes hold. @throws DerError */
export function readDer(bytes: Buffer): DerValue {
  const [value, ...more] = readAll(bytes)
  if (value === undefined || more.length > 0) throw new DerError('asn1: syntax error: trailing data')
  return value
}

/** The values within a constructed one, one after the other. @throws DerError */
export function readAll(bytes: Buffer): readonly DerValue[] {
  const values: DerValue[] = []
  for (let at = 0; at < bytes.length;) {
    const value = readAt(bytes, at)
    values.push(value)
    at += value.whole.length
  }
  return values
}

function readAt(bytes: Buffer, at: number): DerValue {
  const tag = bytes[at]
  const first = bytes[at + 1]
  if (tag === undefined || first === undefined) throw new DerError('asn1: syntax error: truncated tag or length')
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f
  if (lengthBytes > 4) throw new DerError('asn1: structure error: length too large')
  const start = at + 2 + lengthBytes
  const length = lengthBytes === 0 ? first : bytes.subarray(at + 2, start).reduce((sum, byte) => sum * 256 + byte, 0)
  if (start + length > bytes.length) throw new DerError('asn1: syntax error: data truncated')
  return { tag, whole: bytes.subarray(at, start + length), content: bytes.subarray(start, start + length) }
}

/** An object identifier in dotted form. */
export function oidText({ content }: DerValue): string {
  const parts: number[] = []
  let part = 0
  for (const byte of content) {
    part = part * 128 + (byte & 0x7f)
    if (byte >= 0x80) continue
    if (parts.length === 0) {
      const first = Math.min(2, Math.floor(part / 40))
      parts.push(first, part - first * 40)
    } else parts.push(part)
    part = 0
  }
  return parts.join('.')
}
