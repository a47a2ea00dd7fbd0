import { limits } from './limits.ts'

export type Armor =
  | {
      readonly kind: 'data'
      readonly label: string
      readonly data: Buffer
      /** A checksum or base64 padding tells that nothing was cut off; gpg wants one of them. */
      readonly isComplete: boolean
    }
  | { readonly kind: 'bad'; readonly why: 'malformed' | 'too-large' | 'several' }

const malformed: Armor = { kind: 'bad', why: 'malformed' }

/**
 * Reads exactly one ASCII armor that fills the whole input (RFC 9580 section 6.2; SSHSIG has neither headers nor
 * checksum). Stricter than gpg on purpose: nothing before, nothing after, nothing nested.
 */
export function readArmor(input: Uint8Array, maxBytes: number = limits.signature): Armor {
  if (input.length > maxBytes) return { kind: 'bad', why: 'too-large' }
  const written = Buffer.from(input.buffer, input.byteOffset, input.byteLength).toString('latin1').split('\n')
  const lines = written.map(withoutTrailingBlanks)
  while (lines.at(-1) === '') lines.pop()
  const label = /^-----BEGIN ([A-Z0-9 ]{1,40})-----$/.exec(lines[0] ?? '')?.[1]
  if (label === undefined) return malformed
  // ssh-keygen, unlike gpg, takes no blank or carriage return behind the first line.
  if (label.startsWith('SSH ') && written[0] !== lines[0]) return malformed
  const ends = lines.indexOf(`-----END ${label}-----`)
  if (ends === -1) return malformed
  if (ends !== lines.length - 1) {
    return lines.slice(ends + 1).some((line) => line.startsWith('-----BEGIN '))
      ? { kind: 'bad', why: 'several' }
      : malformed
  }
  const body = label.startsWith('PGP ')
    ? pgpBody(lines.slice(1, -1))
    : { text: lines.slice(1, -1), checksum: undefined }
  return body === undefined ? malformed : decode(label, body.text, body.checksum)
}

type Body = { readonly text: readonly string[]; readonly checksum: string | undefined }

/** Armor headers, a blank line, base64, and perhaps a checksum. */
function pgpBody(lines: readonly string[]): Body | undefined {
  const blank = lines.indexOf('')
  if (blank === -1) return undefined
  if (!lines.slice(0, blank).every((line) => /^[A-Za-z]{1,20}: /.test(line) || /^[A-Za-z]{1,20}:$/.test(line))) {
    return undefined
  }
  const text = lines.slice(blank + 1)
  const last = text.at(-1)
  return last !== undefined && /^=[A-Za-z0-9+/]{4}$/.test(last)
    ? { text: text.slice(0, -1), checksum: last.slice(1) }
    : { text, checksum: undefined }
}

function decode(label: string, lines: readonly string[], checksum: string | undefined): Armor {
  const text = lines.join('')
  if (text === '' || text.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return malformed
  const data = Buffer.from(text, 'base64')
  if (checksum !== undefined && crc24(data) !== Buffer.from(checksum, 'base64').readUIntBE(0, 3)) return malformed
  return { kind: 'data', label, data, isComplete: checksum !== undefined || text.endsWith('=') }
}

/** Not a regular expression: those are quadratic on a long run of blanks that is followed by something. */
function withoutTrailingBlanks(line: string): string {
  let end = line.length
  while (end > 0 && ' \t\r'.includes(line.charAt(end - 1))) end--
  return line.slice(0, end)
}

/** The checksum of RFC 9580 section 6.1.1. */
export function crc24(data: Uint8Array): number {
  let crc = 0xb704ce
  for (const byte of data) {
    crc ^= byte << 16
    for (let bit = 0; bit < 8; bit++) {
      crc <<= 1
      if (crc & 0x1000000) crc ^= 0x1864cfb
    }
  }
  return crc & 0xffffff
}
