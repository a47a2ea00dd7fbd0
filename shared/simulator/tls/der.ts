/** The few pieces of ASN.1 DER (ITU-T X.690) that a certificate is made of. */

function encode(tag: number, content: Uint8Array): Buffer {
  const { length } = content
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content])
  const bytes: number[] = []
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256)
  return Buffer.concat([Buffer.from([tag, 0x80 | bytes.length, ...bytes]), content])
}

export function sequence(...parts: readonly Uint8Array[]): Buffer {
  return encode(0x30, Buffer.concat(parts))
}

export function set(...parts: readonly Uint8Array[]): Buffer {
  return encode(0x31, Buffer.concat(parts))
}

/** A non-negative integer from its big-endian bytes. */
export function integer(bytes: Uint8Array): Buffer {
  const padded = ((bytes[0] ?? 0) & 0x80) === 0 ? bytes : Buffer.concat([Buffer.from([0]), bytes])
  return encode(0x02, padded)
}

export function bool(value: boolean): Buffer {
  return encode(0x01, Buffer.from([value ? 0xff : 0]))
}

export function bitString(bytes: Uint8Array, unusedBits = 0): Buffer {
  return encode(0x03, Buffer.concat([Buffer.from([unusedBits]), bytes]))
}

export function octetString(bytes: Uint8Array): Buffer {
  return encode(0x04, bytes)
}

export function utf8String(text: string): Buffer {
  return encode(0x0c, Buffer.from(text, 'utf8'))
}

/** A context-specific tag; constructed where it wraps whole values. */
export function context(number: number, content: Uint8Array, constructed: boolean): Buffer {
  return encode((constructed ? 0xa0 : 0x80) | number, content)
}

/** `2.5.29.17` and the like. */
export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  const bytes = [first * 40 + second]
  for (const part of rest) {
    const septets = [part & 0x7f]
    for (let left = part >>> 7; left > 0; left >>>= 7) septets.unshift((left & 0x7f) | 0x80)
    bytes.push(...septets)
  }
  return encode(0x06, Buffer.from(bytes))
}

/** A time before 2050 as UTCTime, later ones as GeneralizedTime (RFC 5280, 4.1.2.5). */
export function time(date: Date): Buffer {
  const digits = date.toISOString().replaceAll(/[-:T]/gu, '').slice(0, 14)
  return date.getUTCFullYear() < 2050
    ? encode(0x17, Buffer.from(`${digits.slice(2)}Z`))
    : encode(0x18, Buffer.from(`${digits}Z`))
}
