import { isUtf8 } from 'node:buffer'

/** Bytes that Go's protobuf decoder refuses; the message is the decoder's. */
export class ProtobufError extends Error {
  readonly reason: 'end' | 'overflow' | 'length' | 'group' | 'tag' | 'wireType' | 'value' | 'depth'

  constructor(reason: ProtobufError['reason'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ProtobufError'
    this.reason = reason
  }

  static is(error: unknown): error is ProtobufError {
    return error instanceof ProtobufError
  }
}

export const wireTypes = { varint: 0, fixed64: 1, bytes: 2, startGroup: 3, endGroup: 4, fixed32: 5 }

/**
 * Reads a stretch of protobuf the way the decoders generated for k8s.io/api do, refusals included: no length is believed
 * beyond the end of the message.
 */
export class WireReader {
  readonly bytes: Buffer
  readonly end: number
  position: number
  /** The last varint, in halves of 32 bits: a number of JavaScript does not hold 64. */
  low = 0
  high = 0

  constructor(bytes: Buffer, start: number, end: number) {
    this.bytes = bytes
    this.position = start
    this.end = end
  }

  get done(): boolean {
    return this.position >= this.end
  }

  /** Reads a varint into `low` and `high`; bits beyond 64 are lost, as in Go. */
  varint(): void {
    let low = 0
    let high = 0
    for (let shift = 0; ; shift += 7) {
      if (shift >= 64) throw new ProtobufError('overflow', 'proto: integer overflow')
      if (this.position >= this.end) throw truncated()
      const byte = this.bytes[this.position++] ?? 0
      const bits = byte & 0x7f
      if (shift < 28) low |= bits << shift
      else if (shift === 28) {
        low |= bits << 28
        high |= bits >>> 4
      } else high |= bits << (shift - 32)
      if (byte < 0x80) break
    }
    this.low = low >>> 0
    this.high = high >>> 0
  }

  int32(): number {
    this.varint()
    return this.low | 0
  }

  /** Exact up to 2^53, like the numbers of JSON. */
  int64(): number {
    this.varint()
    return (this.high | 0) * 2 ** 32 + this.low
  }

  bool(): boolean {
    this.varint()
    return (this.low | this.high) !== 0
  }

  double(): number {
    if (this.position + 8 > this.end) throw truncated()
    const value = this.bytes.readDoubleLE(this.position)
    this.position += 8
    return value
  }

  /** Reads a length; gives the place where what it measures ends. */
  lengthEnd(): number {
    this.varint()
    if (this.high >>> 31 === 1) throw negativeLength()
    const end = this.position + this.high * 2 ** 32 + this.low
    if (end > this.end) throw truncated()
    return end
  }

  /** The stretch that a length measures, as a view; the reader goes on behind it. */
  stretch(): Buffer {
    const end = this.lengthEnd()
    const view = this.bytes.subarray(this.position, end)
    this.position = end
    return view
  }

  text(): string {
    return goText(this.stretch())
  }

  /** Goes over the field that begins at `start`, groups included. */
  skip(start: number): void {
    this.position = start
    let depth = 0
    do {
      if (this.done) throw truncated()
      this.varint()
      const wireType = this.low & 7
      if (wireType === wireTypes.startGroup) depth++
      else if (wireType === wireTypes.endGroup) {
        if (depth === 0) throw new ProtobufError('group', 'proto: unexpected end of group')
        depth--
      } else this.skipValue(wireType)
    } while (depth > 0)
    if (this.position > this.end) throw truncated()
  }

  private skipValue(wireType: number): void {
    switch (wireType) {
      case wireTypes.varint:
        this.varint()
        return
      case wireTypes.fixed64:
        this.position += 8
        return
      case wireTypes.fixed32:
        this.position += 4
        return
      case wireTypes.bytes:
        this.varint()
        if (this.high >>> 31 === 1) throw negativeLength()
        this.position += this.high * 2 ** 32 + this.low
        return
      default:
        throw new ProtobufError('wireType', `proto: illegal wireType ${wireType}`)
    }
  }
}

function truncated(): ProtobufError {
  return new ProtobufError('end', 'unexpected EOF')
}

function negativeLength(): ProtobufError {
  return new ProtobufError('length', 'proto: negative length found during unmarshaling')
}

/** Bytes as text; each byte that is no UTF-8 becomes U+FFFD, as Go writes such text in JSON. */
function goText(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8')
  const parts: string[] = []
  for (let at = 0; at < bytes.length;) {
    const length = characterLength(bytes, at)
    parts.push(length === 0 ? '\ufffd' : bytes.toString('utf8', at, at + length))
    at += Math.max(length, 1)
  }
  return parts.join('')
}

/** The length of the character that begins here; 0 where none does. */
function characterLength(bytes: Buffer, at: number): number {
  const first = bytes[at] ?? 0
  if (first < 0x80) return 1
  if (first < 0xc2 || first > 0xf4) return 0
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
  return at + length <= bytes.length && isUtf8(bytes.subarray(at, at + length)) ? length : 0
}
