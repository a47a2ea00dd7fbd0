import { type KeyObject, createHash } from 'node:crypto'
import { type SignaturePacket, enums } from 'openpgp'
import { type CryptoCheck, leftPad, passes } from './crypto-check.ts'

/** Names of node:crypto for OpenPGP's hashes (RFC 9580 section 9.5). */
const hashNames: { readonly [id: number]: string } = {
  [enums.hash.sha1]: 'sha1',
  [enums.hash.ripemd]: 'ripemd160',
  [enums.hash.sha224]: 'sha224',
  [enums.hash.sha256]: 'sha256',
  [enums.hash.sha384]: 'sha384',
  [enums.hash.sha512]: 'sha512',
  [enums.hash.sha3_256]: 'sha3-256',
  [enums.hash.sha3_512]: 'sha3-512',
}

/** The salt that a v6 signature must carry, in bytes, by hash (RFC 9580, table 23). */
const saltSizes: { readonly [id: number]: number } = {
  [enums.hash.sha224]: 16,
  [enums.hash.sha256]: 16,
  [enums.hash.sha384]: 24,
  [enums.hash.sha512]: 32,
  [enums.hash.sha3_256]: 16,
  [enums.hash.sha3_512]: 32,
}

/** Parts of a signature packet that openpgp.js keeps outside of its public types. */
type Inner = {
  readonly salt?: Uint8Array | null
  readonly params?: { readonly s?: Uint8Array; readonly r?: Uint8Array; readonly RS?: Uint8Array }
}

export type SigningKey = { readonly algorithm: enums.publicKey; readonly crypto: KeyObject }

/**
 * Whether a signature packet over a document is sound: its numbers, nothing of time or trust. False too for a critical
 * subpacket that nobody here understands, as RFC 9580 section 5.2.3.7 asks.
 */
export async function isSoundSignature(
  packet: SignaturePacket,
  document: readonly Uint8Array[],
  key: SigningKey,
): Promise<boolean> {
  if (packet.publicKeyAlgorithm !== key.algorithm) return false
  if (packet.unknownSubpackets.some((subpacket) => subpacket.critical)) return false
  if (packet.rawNotations.some((notation) => notation.critical)) return false
  const hash = hashNames[packet.hashAlgorithm ?? 0]
  const signed = signedBytes(packet, document)
  if (hash === undefined || signed === undefined) return false
  const digest = createHash(hash).update(signed).digest()
  const [first, second] = packet.signedHashValue ?? []
  if (digest[0] !== first || digest[1] !== second) return false
  const check = checkOf(packet, hash, signed, digest, key)
  return check !== undefined && passes(check)
}

/** Salt, document, the hashed part of the packet, and its length (RFC 9580 section 5.2.4). */
function signedBytes(packet: SignaturePacket, document: readonly Uint8Array[]): Buffer | undefined {
  const { signatureData, version, hashAlgorithm } = packet
  if (signatureData === null) return undefined
  const trailer = Buffer.alloc(6)
  trailer.writeUInt8(version)
  trailer.writeUInt8(0xff, 1)
  trailer.writeUInt32BE(signatureData.length, 2)
  if (version !== 6) return Buffer.concat([...document, signatureData, trailer])
  const salt = (packet as Inner).salt ?? Buffer.alloc(0)
  if (salt.length !== saltSizes[hashAlgorithm ?? 0]) return undefined
  return Buffer.concat([salt, ...document, signatureData, trailer])
}

/** Undefined where the numbers do not fit the key. */
function checkOf(
  packet: SignaturePacket,
  hash: string,
  signed: Buffer,
  digest: Buffer,
  { algorithm, crypto: key }: SigningKey,
): CryptoCheck | undefined {
  const { s, r, RS } = (packet as Inner).params ?? {}
  switch (algorithm) {
    case enums.publicKey.rsaEncryptSign:
    case enums.publicKey.rsaSign: {
      const signature = leftPad(s, Math.ceil((key.asymmetricKeyDetails?.modulusLength ?? 0) / 8))
      return signature && { hash, data: signed, key, signature }
    }
    case enums.publicKey.dsa:
    case enums.publicKey.ecdsa: {
      const signature = pair(r, s, groupBytes(key))
      return signature && { hash, data: signed, key, signature }
    }
    case enums.publicKey.eddsaLegacy: {
      const signature = pair(r, s, 32)
      return signature && { data: digest, key, signature }
    }
    case enums.publicKey.ed25519:
    case enums.publicKey.ed448:
      return RS && { data: digest, key, signature: RS }
    default:
      return undefined
  }
}

function pair(r: Uint8Array | undefined, s: Uint8Array | undefined, size: number): Buffer | undefined {
  const [left, right] = [leftPad(r, size), leftPad(s, size)]
  return left === undefined || right === undefined ? undefined : Buffer.concat([left, right])
}

/** Bytes of one half of a signature: of the subgroup for DSA, of the curve's order for ECDSA. */
function groupBytes(key: KeyObject): number {
  const { divisorLength, namedCurve } = key.asymmetricKeyDetails ?? {}
  if (divisorLength !== undefined) return Math.ceil(divisorLength / 8)
  const bits = Number(/\d{3}/.exec(namedCurve ?? '')?.[0] ?? namedCurveBits[namedCurve ?? ''] ?? 0)
  return Math.ceil(bits / 8)
}

const namedCurveBits: { readonly [name: string]: number } = { prime256v1: 256 }

const cr = 0x0d
const lf = 0x0a

/** A text document as gpg hashes it: every line without its trailing carriage returns, ended by CR LF. Linear. */
export function canonicalText(document: Uint8Array): Buffer {
  const bytes = Buffer.from(document.buffer, document.byteOffset, document.byteLength)
  const parts: Buffer[] = []
  let at = 0
  while (at < bytes.length) {
    const found = bytes.indexOf(lf, at)
    let end = found === -1 ? bytes.length : found
    const next = found === -1 ? bytes.length : found + 1
    while (end > at && bytes[end - 1] === cr) end--
    parts.push(bytes.subarray(at, end))
    if (found !== -1) parts.push(crlf)
    at = next
  }
  return Buffer.concat(parts)
}

const crlf = Buffer.from('\r\n')
