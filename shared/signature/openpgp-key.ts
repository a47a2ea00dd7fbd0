import {
  type PublicKey,
  type PublicKeyPacket,
  type PublicSubkeyPacket,
  type SignaturePacket,
  enums,
  readKey,
} from 'openpgp'
import { openPgpConfig } from './openpgp-config.ts'
import { limits } from './limits.ts'

/** One key packet that could have signed, with everything that its owner says of it, already verified. */
export type OpenPgpKey = {
  readonly keyId: string
  readonly fingerprint: string
  readonly primaryFingerprint: string
  readonly userIds: readonly string[]
  readonly algorithm: string
  readonly isPrimary: boolean
  /** Milliseconds since 1970. */
  readonly createdAt: number
  /** The earliest of its own and its primary key's expiry, milliseconds since 1970. */
  readonly expiresAt?: number
  readonly revokedAt?: number
  /** When the owner last stated all this, to choose between two copies of a key. */
  readonly statedAt: number
  readonly canSign: boolean
  readonly packet: PublicKeyPacket | PublicSubkeyPacket
}

/** openpgp.js keeps direct-key signatures outside of its public types. */
type WithDirectSignatures = { readonly directSignatures: readonly SignaturePacket[] }

type Standing = {
  readonly userIds: readonly string[]
  readonly flags: SignaturePacket
  readonly expiresAt: number
  readonly revokedAt: number
}

/**
 * Reads one transferable public key and judges it as gpg does (g10/getkey.c, merge_selfsigs): expiry and flags come from
 * the newest valid self-signature, subkeys inherit their primary key's expiry and revocation, a signing subkey must have
 * certified the primary key back.
 * @throws Error where the packets cannot be read, where the key has no valid user id, or where its parameters are absurd
 */
export async function readOpenPgpKey(binary: Uint8Array): Promise<readonly OpenPgpKey[]> {
  const key: PublicKey = (await readKey({ binaryKey: binary, config: openPgpConfig })).toPublic()
  const primary = key.keyPacket as PublicKeyPacket
  checkParameters(primary)
  const standing = await primaryStanding(key, primary)
  const common = { primaryFingerprint: hex(primary.getFingerprint()), userIds: standing.userIds }
  const keys = [entry(primary, { ...common, isPrimary: true }, standing, canSign(primary, standing.flags))]
  for (const subkey of key.subkeys) {
    const packet = subkey.keyPacket as PublicSubkeyPacket
    if (!signingAlgorithms.has(packet.algorithm)) continue
    checkParameters(packet)
    const target = { key: primary, bind: packet }
    const binding = await newestValid(subkey.bindingSignatures, primary, enums.signature.subkeyBinding, target)
    if (binding === undefined) continue
    const own = await revokedAt(subkey.revocationSignatures, primary, enums.signature.subkeyRevocation, target)
    const merged = {
      userIds: standing.userIds,
      flags: binding,
      expiresAt: Math.min(keyExpiry(packet, binding), standing.expiresAt),
      revokedAt: Math.min(own, standing.revokedAt),
    }
    const certifiedBack =
      binding.embeddedSignature === null ? false : await certifiesBack(binding.embeddedSignature, packet, target)
    keys.push(entry(packet, { ...common, isPrimary: false }, merged, certifiedBack && canSign(packet, binding)))
  }
  return keys
}

const signingAlgorithms: ReadonlySet<number> = new Set([
  enums.publicKey.rsaEncryptSign,
  enums.publicKey.rsaSign,
  enums.publicKey.dsa,
  enums.publicKey.ecdsa,
  enums.publicKey.eddsaLegacy,
  enums.publicKey.ed25519,
  enums.publicKey.ed448,
])

async function primaryStanding(key: PublicKey, primary: PublicKeyPacket): Promise<Standing> {
  const found: SignaturePacket[] = []
  const userIds: { readonly text: string; readonly certification: SignaturePacket }[] = []
  for (const user of key.users) {
    if (user.userID === null) continue
    const target = { userID: user.userID, key: primary }
    const certification = await newestValid(user.selfCertifications, primary, enums.signature.certGeneric, target)
    if (certification === undefined) continue
    const revoked = await revokedAt(user.revocationSignatures, primary, enums.signature.certRevocation, target)
    if (revoked !== Infinity && revoked >= timeOf(certification)) continue
    found.push(certification)
    userIds.push({ text: user.userID.userID, certification })
  }
  const { directSignatures } = key as unknown as WithDirectSignatures
  const direct = await newestValid(directSignatures, primary, enums.signature.key, { key: primary })
  if (direct !== undefined) found.push(direct)
  const newest = found.sort((a, b) => timeOf(b) - timeOf(a))[0]
  if (newest === undefined) throw new Error('no valid self-signature')
  const revocation = await revokedAt(key.revocationSignatures, primary, enums.signature.keyRevocation, { key: primary })
  return {
    userIds: userIds.sort((a, b) => rank(b.certification) - rank(a.certification)).map((user) => user.text),
    flags: newest,
    expiresAt: keyExpiry(primary, newest),
    revokedAt: Math.min(revocation, designatedRevocation(key, directSignatures)),
  }
}

/** The primary user id first, then the newest. */
function rank(certification: SignaturePacket): number {
  return (certification.isPrimaryUserID === true ? 1e15 : 0) + timeOf(certification)
}

/** We cannot check a revocation by a designated revoker, so its presence alone revokes. */
function designatedRevocation(key: PublicKey, direct: readonly SignaturePacket[]): number {
  if (!direct.some((signature) => signature.revocationKeyClass !== null)) return Infinity
  const foreign = key.revocationSignatures.filter((signature) => !signature.issuerKeyID.equals(key.getKeyID()))
  return Math.min(Infinity, ...foreign.map(timeOf))
}

async function newestValid(
  signatures: readonly SignaturePacket[],
  signer: PublicKeyPacket,
  type: enums.signature,
  target: object,
): Promise<SignaturePacket | undefined> {
  for (const signature of signatures.toSorted((a, b) => timeOf(b) - timeOf(a))) {
    if (await holds(signature, signer, type, target)) return signature
  }
  return undefined
}

async function revokedAt(
  signatures: readonly SignaturePacket[],
  signer: PublicKeyPacket,
  type: enums.signature,
  target: object,
): Promise<number> {
  let earliest = Infinity
  for (const signature of signatures) {
    if (await holds(signature, signer, type, target)) earliest = Math.min(earliest, timeOf(signature))
  }
  return earliest
}

function certifiesBack(signature: SignaturePacket, subkey: PublicSubkeyPacket, target: object): Promise<boolean> {
  return holds(signature, subkey, enums.signature.keyBinding, target)
}

/** Whether a signature about a key is sound, at the moment that it was made. */
async function holds(
  signature: SignaturePacket,
  signer: PublicKeyPacket | PublicSubkeyPacket,
  type: enums.signature,
  target: object,
): Promise<boolean> {
  try {
    await signature.verify(signer, type, target, new Date(timeOf(signature)), false, openPgpConfig)
    return true
  } catch {
    return false
  }
}

function canSign(packet: PublicKeyPacket | PublicSubkeyPacket, signature: SignaturePacket): boolean {
  if (!signingAlgorithms.has(packet.algorithm)) return false
  const flags = signature.keyFlags?.[0]
  return flags === undefined || (flags & enums.keyFlags.signData) !== 0
}

function entry(
  packet: PublicKeyPacket | PublicSubkeyPacket,
  common: Pick<OpenPgpKey, 'primaryFingerprint' | 'userIds' | 'isPrimary'>,
  standing: Standing,
  signs: boolean,
): OpenPgpKey {
  const { algorithm, bits, curve } = packet.getAlgorithmInfo()
  return {
    ...common,
    keyId: hex(packet.getKeyID().toHex()),
    fingerprint: hex(packet.getFingerprint()),
    algorithm: [algorithm, bits ?? curve].filter((part) => part !== undefined).join(' '),
    createdAt: packet.created.getTime(),
    statedAt: timeOf(standing.flags),
    ...(standing.expiresAt !== Infinity && { expiresAt: standing.expiresAt }),
    ...(standing.revokedAt !== Infinity && { revokedAt: standing.revokedAt }),
    canSign: signs,
    packet,
  }
}

function keyExpiry(packet: PublicKeyPacket | PublicSubkeyPacket, signature: SignaturePacket): number {
  const seconds = signature.keyExpirationTime ?? 0
  return seconds === 0 ? Infinity : packet.created.getTime() + seconds * 1000
}

function timeOf(signature: SignaturePacket): number {
  return signature.created?.getTime() ?? 0
}

/** @throws Error for sizes that only make a verification dear or the key worthless */
function checkParameters(packet: PublicKeyPacket | PublicSubkeyPacket): void {
  const { bits = 0 } = packet.getAlgorithmInfo()
  const parameters = packet.publicParams as { readonly e?: Uint8Array }
  const isRsa = packet.algorithm === enums.publicKey.rsaEncryptSign || packet.algorithm === enums.publicKey.rsaSign
  if (isRsa && (bits < limits.rsaMinBits || bits > limits.rsaBits)) throw new Error(`RSA key of ${bits} bits`)
  if (isRsa && (parameters.e?.length ?? 0) * 8 > limits.rsaExponentBits)
    throw new Error('RSA key with an oversized exponent')
  if (packet.algorithm === enums.publicKey.dsa && (bits < limits.rsaMinBits || bits > limits.dsaBits)) {
    throw new Error(`DSA key of ${bits} bits`)
  }
}

function hex(text: string): string {
  return text.toUpperCase()
}
