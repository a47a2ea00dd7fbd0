import type { KeyObject } from 'node:crypto'
import {
  type PublicKey,
  type PublicKeyPacket,
  type PublicSubkeyPacket,
  type SignaturePacket,
  enums,
  readKey,
} from 'openpgp'
import { limits } from './limits.ts'
import { openPgpConfig } from './openpgp-config.ts'
import {
  type Issuer,
  type Revocation,
  aboutKeys,
  aboutUser,
  isSoundAbout,
  firstRevocation,
  newestSound,
  revocationOf,
  findRevocation,
  timeOf,
} from './openpgp-self-signature.ts'
import { type PublicNumbers, keyObjectOf } from './openpgp-spki.ts'

/** One key packet that could have signed, with everything that its owner says of it, already verified. */
export type OpenPgpKey = {
  readonly keyId: string
  readonly fingerprint: string
  readonly primaryFingerprint: string
  /** The primary one first. */
  readonly userIds: readonly string[]
  /** For people: `rsa 4096`, `ed25519`. */
  readonly label: string
  readonly isPrimary: boolean
  /** Milliseconds since 1970. */
  readonly createdAt: number
  /** The earliest of its own and its primary key's expiry, milliseconds since 1970. */
  readonly expiresAt?: number
  readonly revoked?: Revocation
  /** When the owner last stated all this, to choose between two copies of a key. */
  readonly statedAt: number
  readonly canSign: boolean
  readonly algorithm: enums.publicKey
  readonly crypto: KeyObject
}

/** openpgp.js keeps direct-key signatures outside of its public types. */
type WithDirectSignatures = { readonly directSignatures: readonly SignaturePacket[] }
type Packet = PublicKeyPacket | PublicSubkeyPacket
type Standing = {
  readonly userIds: readonly string[]
  readonly flags: SignaturePacket
  readonly expiresAt: number
  readonly revoked: Revocation | undefined
}
type Reading = { readonly packet: Packet; readonly version: number; readonly body: Uint8Array; readonly issuer: Issuer }

const certifications = [
  enums.signature.certGeneric,
  enums.signature.certPersona,
  enums.signature.certCasual,
  enums.signature.certPositive,
]

/**
 * Reads one transferable public key and judges it as gpg does (g10/getkey.c, merge_selfsigs): expiry and flags come from
 * the newest valid self-signature, subkeys inherit their primary key's expiry and revocation, a signing subkey must have
 * certified the primary key back.
 * @throws Error where the packets cannot be read, where no self-signature holds, or where the parameters are absurd
 */
export async function readOpenPgpKey(binary: Uint8Array): Promise<readonly OpenPgpKey[]> {
  const key: PublicKey = (await readKey({ binaryKey: binary, config: openPgpConfig })).toPublic()
  const primary = readPacket(key.keyPacket as PublicKeyPacket)
  const standing = await primaryStanding(key, primary)
  const common = { primaryFingerprint: hex(primary.packet.getFingerprint()), userIds: standing.userIds }
  const keys = [entry(primary, { ...common, isPrimary: true }, standing, maySign(standing.flags))]
  for (const subkey of key.subkeys) {
    const packet = subkey.keyPacket as PublicSubkeyPacket
    if (!signingAlgorithms.has(packet.algorithm)) continue
    const reading = readPacket(packet)
    const document = aboutKeys(primary, reading)
    const binding = await newestSound(
      subkey.bindingSignatures,
      [enums.signature.subkeyBinding],
      document,
      primary.issuer,
    )
    if (binding === undefined) continue
    const own = await findRevocation(
      subkey.revocationSignatures,
      enums.signature.subkeyRevocation,
      document,
      primary.issuer,
    )
    const merged = {
      userIds: standing.userIds,
      flags: binding,
      expiresAt: Math.min(keyExpiry(packet, binding), standing.expiresAt),
      revoked: firstRevocation(own, standing.revoked),
    }
    const back = binding.embeddedSignature
    const certifiedBack =
      back !== null && (await isSoundAbout(back, [enums.signature.keyBinding], document, reading.issuer))
    keys.push(entry(reading, { ...common, isPrimary: false }, merged, certifiedBack && maySign(binding)))
  }
  return keys
}

const signingAlgorithms: ReadonlySet<enums.publicKey> = new Set([
  enums.publicKey.rsaEncryptSign,
  enums.publicKey.rsaSign,
  enums.publicKey.dsa,
  enums.publicKey.ecdsa,
  enums.publicKey.eddsaLegacy,
  enums.publicKey.ed25519,
  enums.publicKey.ed448,
])

/** @throws Error for sizes that only make a verification dear or the key worthless, and for numbers that are no key */
function readPacket(packet: Packet): Reading {
  const { bits = 0 } = packet.getAlgorithmInfo()
  const numbers = packet.publicParams as PublicNumbers
  const isRsa = packet.algorithm === enums.publicKey.rsaEncryptSign || packet.algorithm === enums.publicKey.rsaSign
  const most = isRsa ? limits.rsaBits : limits.dsaBits
  if (isRsa || packet.algorithm === enums.publicKey.dsa) {
    if (bits < limits.rsaMinBits || bits > most) throw new Error(`key of ${bits} bits`)
  }
  if (isRsa && (numbers.e?.length ?? 0) * 8 > limits.rsaExponentBits)
    throw new Error('RSA key with an oversized exponent')
  const crypto = keyObjectOf(packet.algorithm, numbers)
  if (crypto === undefined) throw new Error('unsupported or impossible public key')
  const issuer = { algorithm: packet.algorithm, crypto, keyIdHex: packet.getKeyID().toHex() }
  return { packet, version: packet.version, body: packet.write(), issuer }
}

async function primaryStanding(key: PublicKey, primary: Reading): Promise<Standing> {
  const found: SignaturePacket[] = []
  const users: { readonly text: string; readonly certification: SignaturePacket }[] = []
  for (const user of key.users) {
    if (user.userID === null) continue
    const document = aboutUser(primary, user.userID)
    const certification = await newestSound(user.selfCertifications, certifications, document, primary.issuer)
    if (certification === undefined) continue
    const revoked = await findRevocation(
      user.revocationSignatures,
      enums.signature.certRevocation,
      document,
      primary.issuer,
    )
    if (revoked !== undefined && revoked.at >= timeOf(certification)) continue
    found.push(certification)
    users.push({ text: user.userID.userID, certification })
  }
  const { directSignatures } = key as unknown as WithDirectSignatures
  const direct = await newestSound(directSignatures, [enums.signature.key], aboutKeys(primary), primary.issuer)
  if (direct !== undefined) found.push(direct)
  const newest = found.sort((a, b) => timeOf(b) - timeOf(a))[0]
  if (newest === undefined) throw new Error('no valid self-signature')
  const own = await findRevocation(
    key.revocationSignatures,
    enums.signature.keyRevocation,
    aboutKeys(primary),
    primary.issuer,
  )
  return {
    userIds: users.sort((a, b) => rank(b.certification) - rank(a.certification)).map((user) => user.text),
    flags: newest,
    expiresAt: keyExpiry(primary.packet, newest),
    revoked: firstRevocation(own, ...designatedRevocations(key, directSignatures)),
  }
}

/** The primary user id first, then the newest. */
function rank(certification: SignaturePacket): number {
  return (certification.isPrimaryUserID === true ? 1e15 : 0) + timeOf(certification)
}

/** We cannot check a revocation by a designated revoker, so its presence alone revokes. */
function designatedRevocations(key: PublicKey, direct: readonly SignaturePacket[]): readonly Revocation[] {
  if (!direct.some((signature) => signature.revocationKeyClass !== null)) return []
  return key.revocationSignatures.filter((signature) => !signature.issuerKeyID.equals(key.getKeyID())).map(revocationOf)
}

/** Old keys carry no flags; gpg then lets the algorithm decide. */
function maySign(signature: SignaturePacket): boolean {
  const flags = signature.keyFlags?.[0]
  return flags === undefined || (flags & enums.keyFlags.signData) !== 0
}

function entry(
  { packet, issuer }: Reading,
  common: Pick<OpenPgpKey, 'primaryFingerprint' | 'userIds' | 'isPrimary'>,
  standing: Standing,
  canSign: boolean,
): OpenPgpKey {
  const { algorithm, bits, curve } = packet.getAlgorithmInfo()
  return {
    ...common,
    keyId: hex(issuer.keyIdHex),
    fingerprint: hex(packet.getFingerprint()),
    label: [algorithm, bits ?? curve].filter((part) => part !== undefined).join(' '),
    createdAt: packet.created.getTime(),
    statedAt: timeOf(standing.flags),
    ...(standing.expiresAt !== Infinity && { expiresAt: standing.expiresAt }),
    ...(standing.revoked !== undefined && { revoked: standing.revoked }),
    canSign,
    algorithm: issuer.algorithm,
    crypto: issuer.crypto,
  }
}

function keyExpiry(packet: Packet, signature: SignaturePacket): number {
  const seconds = signature.keyExpirationTime ?? 0
  return seconds === 0 ? Infinity : packet.created.getTime() + seconds * 1000
}

function hex(text: string): string {
  return text.toUpperCase()
}
