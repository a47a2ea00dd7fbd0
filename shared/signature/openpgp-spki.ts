import { type KeyObject, createPublicKey } from 'node:crypto'
import { enums } from 'openpgp'

/** The public numbers of a key packet as openpgp.js keeps them. */
export type PublicNumbers = {
  readonly n?: Uint8Array
  readonly e?: Uint8Array
  readonly p?: Uint8Array
  readonly q?: Uint8Array
  readonly g?: Uint8Array
  readonly y?: Uint8Array
  readonly oid?: { readonly oid: Uint8Array }
  readonly Q?: Uint8Array
  readonly A?: Uint8Array
}

const identifiers = {
  rsa: Buffer.from('2a864886f70d010101', 'hex'),
  dsa: Buffer.from('2a8648ce380401', 'hex'),
  ec: Buffer.from('2a8648ce3d0201', 'hex'),
  ed25519: Buffer.from('2b6570', 'hex'),
  ed448: Buffer.from('2b6571', 'hex'),
} as const

/**
 * The same key for node:crypto, by way of a SubjectPublicKeyInfo (RFC 5280, 3279, 5480, 8410): the only form that OpenSSL
 * reads for every algorithm here. openpgp.js itself verifies brainpool and secp256k1 only with an optional package.
 * Undefined for algorithms that do not sign and for numbers that are no key.
 */
export function keyObjectOf(algorithm: enums.publicKey, numbers: PublicNumbers): KeyObject | undefined {
  const der = spkiOf(algorithm, numbers)
  if (der === undefined) return undefined
  try {
    return createPublicKey({ key: der, format: 'der', type: 'spki' })
  } catch {
    return undefined
  }
}

function spkiOf(algorithm: enums.publicKey, numbers: PublicNumbers): Buffer | undefined {
  const { n, e, p, q, g, y, oid, Q, A } = numbers
  switch (algorithm) {
    case enums.publicKey.rsaEncryptSign:
    case enums.publicKey.rsaSign:
      if (n === undefined || e === undefined) return undefined
      return spki(sequence(objectId(identifiers.rsa), tlv(0x05, Buffer.alloc(0))), sequence(integer(n), integer(e)))
    case enums.publicKey.dsa:
      if (p === undefined || q === undefined || g === undefined || y === undefined) return undefined
      return spki(sequence(objectId(identifiers.dsa), sequence(integer(p), integer(q), integer(g))), integer(y))
    case enums.publicKey.ecdsa:
      if (oid === undefined || Q === undefined) return undefined
      // OpenPGP writes the curve as the content octets of the very identifier that X.509 uses.
      return spki(sequence(objectId(identifiers.ec), objectId(oid.oid)), Q)
    case enums.publicKey.eddsaLegacy:
      // A native point has the prefix 0x40 (RFC 9580 section 11.2.1).
      return Q?.length === 33 && Q[0] === 0x40
        ? spki(sequence(objectId(identifiers.ed25519)), Q.subarray(1))
        : undefined
    case enums.publicKey.ed25519:
      return A === undefined ? undefined : spki(sequence(objectId(identifiers.ed25519)), A)
    case enums.publicKey.ed448:
      return A === undefined ? undefined : spki(sequence(objectId(identifiers.ed448)), A)
    default:
      return undefined
  }
}

function spki(algorithm: Buffer, key: Uint8Array): Buffer {
  return sequence(algorithm, tlv(0x03, Buffer.concat([Buffer.alloc(1), key])))
}

function sequence(...parts: readonly Uint8Array[]): Buffer {
  return tlv(0x30, Buffer.concat(parts))
}

function objectId(content: Uint8Array): Buffer {
  return tlv(0x06, content)
}

function integer(value: Uint8Array): Buffer {
  const start = value.findIndex((byte) => byte !== 0)
  const digits = start === -1 ? Buffer.alloc(1) : value.subarray(start)
  const [first = 0] = digits
  return tlv(0x02, (first & 0x80) === 0 ? digits : Buffer.concat([Buffer.alloc(1), digits]))
}

function tlv(tag: number, content: Uint8Array): Buffer {
  const { length } = content
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content])
  const size = length < 0x100 ? 1 : length < 0x10000 ? 2 : 3
  const head = Buffer.alloc(2 + size)
  head.writeUInt8(tag)
  head.writeUInt8(0x80 | size, 1)
  head.writeUIntBE(length, 2, size)
  return Buffer.concat([head, content])
}
