import { createHash } from 'node:crypto'
import { type CryptoCheck, leftPad } from './crypto-check.ts'
import type { Reason } from './reason.ts'
import { type SshKey, coordinateSize } from './ssh-key.ts'
import { WireReader } from './ssh-wire.ts'

/** What is left to ask of a signature blob: nothing more, or one check of its numbers. */
export type RawSignature =
  | {
      readonly kind: 'refused'
      readonly reason: Extract<Reason, 'bad-signature' | 'weak-algorithm' | 'unsupported-algorithm'>
    }
  | { readonly kind: 'check'; readonly check: CryptoCheck; readonly flags?: number }

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

const bad: RawSignature = { kind: 'refused', reason: 'bad-signature' }

/**
 * Reads one SSH signature blob over a message (RFC 4253 section 6.6, RFC 8332, RFC 5656, RFC 8709, OpenSSH PROTOCOL.u2f).
 * @throws WireError where the blob is malformed
 */
export function readRawSignature(key: SshKey, blob: Buffer, message: Buffer): RawSignature {
  const reader = new WireReader(blob)
  const algorithm = reader.text()
  if (algorithm === 'ssh-dss' || (key.type === 'ssh-rsa' && algorithm === 'ssh-rsa')) {
    return { kind: 'refused', reason: 'weak-algorithm' }
  }
  if (algorithm.startsWith('webauthn-')) return { kind: 'refused', reason: 'unsupported-algorithm' }
  const expected = key.type === 'ssh-rsa' ? ['rsa-sha2-256', 'rsa-sha2-512'] : [key.type]
  if (!expected.includes(algorithm)) return bad
  const signature = reader.string()
  const sk = key.application === undefined ? undefined : { flags: reader.u8(), counter: reader.u32() }
  reader.finish()
  const data = sk === undefined ? message : securityKeyMessage(key.application ?? '', sk.flags, sk.counter, message)
  const check = checkOf(key, algorithm, signature, data)
  return check === undefined ? bad : { kind: 'check', check, ...(sk !== undefined && { flags: sk.flags }) }
}

/** What a security key signs instead of the message. */
function securityKeyMessage(application: string, flags: number, counter: number, message: Buffer): Buffer {
  const middle = Buffer.alloc(5)
  middle.writeUInt8(flags)
  middle.writeUInt32BE(counter, 1)
  return Buffer.concat([digest(Buffer.from(application)), middle, digest(message)])
}

/** Undefined where the numbers do not fit the key. */
function checkOf(key: SshKey, algorithm: string, blob: Buffer, data: Buffer): CryptoCheck | undefined {
  if (key.type === 'ssh-rsa') {
    const signature = leftPad(blob, Math.ceil(key.bits / 8))
    const hash = hashes[algorithm]
    return signature && hash !== undefined ? { hash, data, key: key.crypto, signature } : undefined
  }
  const size = coordinateSize(key.type)
  if (size === undefined) return blob.length === 64 ? { data, key: key.crypto, signature: blob } : undefined
  const reader = new WireReader(blob)
  const [r, s] = [leftPad(reader.mpint(), size), leftPad(reader.mpint(), size)]
  reader.finish()
  if (r === undefined || s === undefined) return undefined
  const hash = hashes[key.type] ?? 'sha256'
  return { hash, data, key: key.crypto, signature: Buffer.concat([r, s]) }
}

function digest(data: Buffer): Buffer {
  return createHash('sha256').update(data).digest()
}
