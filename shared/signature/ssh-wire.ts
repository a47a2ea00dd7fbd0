/** Thrown where bytes end early or say what they may not; caught by every reader of this folder. */
export class WireError extends Error {
  override readonly name = 'WireError'

  static is(value: unknown): value is WireError {
    return value instanceof WireError
  }
}

/** Reads the types of RFC 4251 section 5 in order, never past the end. */
export class WireReader {
  private readonly bytes: Buffer
  private at = 0

  constructor(bytes: Uint8Array) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  get offset(): number {
    return this.at
  }

  get left(): number {
    return this.bytes.length - this.at
  }

  get done(): boolean {
    return this.at === this.bytes.length
  }

  raw(length: number): Buffer {
    const end = this.at + length
    if (end > this.bytes.length) throw new WireError('ends early')
    const value = this.bytes.subarray(this.at, end)
    this.at = end
    return value
  }

  u8(): number {
    return this.raw(1).readUInt8()
  }

  u32(): number {
    return this.raw(4).readUInt32BE()
  }

  u64(): bigint {
    return this.raw(8).readBigUInt64BE()
  }

  string(): Buffer {
    return this.raw(this.u32())
  }

  /** A string that is text: no NUL, as OpenSSH's cstrings. */
  text(): string {
    const value = this.string()
    if (value.includes(0)) throw new WireError('NUL in text')
    return value.toString('utf8')
  }

  /** A positive integer in its shortest form, without the sign byte. */
  mpint(): Buffer {
    const value = this.string()
    const [first = 0, second = 0] = value
    if (value.length > 0 && (first & 0x80) !== 0) throw new WireError('negative integer')
    if (value.length > 1 && first === 0 && (second & 0x80) === 0) throw new WireError('integer with padding')
    return first === 0 ? value.subarray(1) : value
  }

  /** All strings to the end. */
  strings(): readonly Buffer[] {
    const values: Buffer[] = []
    while (!this.done) values.push(this.string())
    return values
  }

  /** @throws WireError where something is left */
  finish(): void {
    if (!this.done) throw new WireError('trailing bytes')
  }
}

/** A string as RFC 4251 writes it: its length, then its bytes. */
export function wireString(value: Uint8Array | string): Buffer {
  const bytes = typeof value === 'string' ? Buffer.from(value) : value
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}
