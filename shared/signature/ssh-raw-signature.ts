import { createHash, verify } from 'node:crypto'
import type { Reason } from './reason.ts'
import { type SshKey, coordinateSize } from './ssh-key.ts'
import { WireReader } from './ssh-wire.ts'

export type RawCheck = {
  readonly reason: Extract<Reason, 'good' | 'bad-signature' | 'weak-algorithm' | 'unsupported-algorithm'>
  readonly flags?: number
}

/** The hash of each plain algorithm; ed25519 has its own. Algorithms by name so that a key cannot be used with another's. */
const hashes: { readonly [algorithm: string]: string } = {
  'rsa-sha2-256': 'sha256',
  'rsa-sha2-512': 'sha512',
  'ecdsa-sha2-nistp256': 'sha256',
  'ecdsa-sha2-nistp384': 'sha384',
  'ecdsa-sha2-nistp521': 'sha512',
}

/** Bits of a security key's flags (PROTOCOL.u2f): the person touched it, and proved who they are. */
export const skFlags = { userPresent: 0x01, userVerified: 0x04 } as const

const bad: RawCheck = { reason: 'bad-signature' }

/**
 * Checks one SSH signature blob (RFC 4253 section 6.6, RFC 8332, RFC 5656, RFC 8709, OpenSSH PROTOCOL.u2f).
 * @throws WireError where the blob is malformed
 */
export function checkRawSignature(key: SshKey, blob: Buffer, message: Buffer): RawCheck {
  const reader = new WireReader(blob)
  const algorithm = reader.text()
  if (algorithm === 'ssh-dss' || (key.type === 'ssh-rsa' && algorithm === 'ssh-rsa'))
    return { reason: 'weak-algorithm' }
  if (algorithm.startsWith('webauthn-')) return { reason: 'unsupported-algorithm' }
  const expected = key.type === 'ssh-rsa' ? ['rsa-sha2-256', 'rsa-sha2-512'] : [key.type]
  if (!expected.includes(algorithm)) return bad
  const signature = reader.string()
  const sk = key.application === undefined ? undefined : { flags: reader.u8(), counter: reader.u32() }
  reader.finish()
  const signed = sk === undefined ? message : securityKeyMessage(key.application ?? '', sk.flags, sk.counter, message)
  const sound = isSound(key, algorithm, signature, signed)
  return { reason: sound ? 'good' : 'bad-signature', ...(sk !== undefined && { flags: sk.flags }) }
}

/** What a security key signs instead of the message. */
function securityKeyMessage(application: string, flags: number, counter: number, message: Buffer): Buffer {
  const middle = Buffer.alloc(5)
  middle.writeUInt8(flags)
  middle.writeUInt32BE(counter, 1)
  return Buffer.concat([digest(Buffer.from(application)), middle, digest(message)])
}

function isSound(key: SshKey, algorithm: string, signature: Buffer, signed: Buffer): boolean {
  if (key.type === 'ssh-rsa') {
    const padded = leftPad(signature, Math.ceil(key.bits / 8))
    return padded !== undefined && verify(hashes[algorithm], signed, key.crypto, padded)
  }
  const size = coordinateSize(key.type)
  if (size === undefined) return signature.length === 64 && verify(null, signed, key.crypto, signature)
  const reader = new WireReader(signature)
  const [r, s] = [leftPad(reader.mpint(), size), leftPad(reader.mpint(), size)]
  reader.finish()
  if (r === undefined || s === undefined) return false
  const hash = key.application === undefined ? hashes[key.type] : 'sha256'
  return verify(hash, signed, { key: key.crypto, dsaEncoding: 'ieee-p1363' }, Buffer.concat([r, s]))
}

/** Undefined where the value does not fit. */
function leftPad(value: Buffer, size: number): Buffer | undefined {
  if (value.length > size) return undefined
  return value.length === size ? value : Buffer.concat([Buffer.alloc(size - value.length), value])
}

function digest(data: Buffer): Buffer {
  return createHash('sha256').update(data).digest()
}
