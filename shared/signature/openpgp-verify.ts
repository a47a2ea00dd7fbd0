import { SignaturePacket, enums } from 'openpgp'
import { canonicalText, isSoundSignature } from './openpgp-crypto.ts'
import type { OpenPgpKey } from './openpgp-key.ts'
import type { Judging } from './judging.ts'
import { type Subpacket, packetTag, readPackets, readSubpackets, subpacketType } from './openpgp-packets.ts'
import type { Finding } from './reason.ts'

const weakHashes: ReadonlySet<number> = new Set([enums.hash.md5, enums.hash.sha1, enums.hash.ripemd])

const knownHashes: ReadonlySet<number> = new Set([
  enums.hash.sha224,
  enums.hash.sha256,
  enums.hash.sha384,
  enums.hash.sha512,
  enums.hash.sha3_256,
  enums.hash.sha3_512,
])

export type OpenPgpKeys = {
  readonly byKeyId: ReadonlyMap<string, readonly OpenPgpKey[]>
}

/** Judges a detached signature, as bare packets, over a payload. */
export async function verifyOpenPgp(
  payload: Uint8Array,
  signature: Buffer,
  keys: OpenPgpKeys,
  judging: Judging,
): Promise<Finding> {
  const packets = readPackets(signature)
  if (packets === undefined || packets.length === 0) return { reason: 'malformed-signature' }
  if (packets.some((packet) => packet.tag !== packetTag.signature)) return { reason: 'malformed-signature' }
  const [packet, ...more] = packets
  if (packet === undefined || more.length > 0) return { reason: 'multiple-signatures' }
  const version = packet.body[0]
  if (version !== 4 && version !== 6) return { reason: 'unsupported-algorithm' }
  const subpackets = readSubpackets(packet.body)
  const parsed = subpackets === undefined ? undefined : parseSignature(packet.body)
  if (subpackets === undefined || parsed === undefined) return { reason: 'malformed-signature' }
  const issuer = readIssuer(subpackets, version)
  return issuer === undefined ? { reason: 'malformed-signature' } : judge(payload, parsed, issuer, keys, judging)
}

type Issuer = { readonly keyId: string; readonly fingerprint?: string }

/**
 * Who claims to have signed. A v4 signature must name a key id, as gpg wants it, a v6 one a fingerprint; where several are
 * named, or a fingerprint beside an id, they must be of one key. They need not be signed over: the key decides.
 */
function readIssuer(subpackets: readonly Subpacket[], version: number): Issuer | undefined {
  const valuesOf = (type: number) =>
    new Set(
      subpackets.filter((subpacket) => subpacket.type === type).map(({ body }) => body.toString('hex').toUpperCase()),
    )
  const [keyId, ...otherIds] = valuesOf(subpacketType.issuerKeyId)
  const [versioned, ...others] = valuesOf(subpacketType.issuerFingerprint)
  if (otherIds.length > 0 || others.length > 0) return undefined
  const fingerprint = versioned?.slice(2)
  if (version === 6) return fingerprint === undefined ? undefined : { keyId: fingerprint.slice(0, 16), fingerprint }
  return keyId === undefined ? undefined : { keyId, ...(fingerprint !== undefined && { fingerprint }) }
}

function parseSignature(body: Buffer): SignaturePacket | undefined {
  try {
    const packet = new SignaturePacket()
    // openpgp.js keeps views of what it reads; a copy keeps the caller's memory out of it.
    packet.read(Uint8Array.from(body))
    return packet.created === null ? undefined : packet
  } catch {
    return undefined
  }
}

async function judge(
  payload: Uint8Array,
  packet: SignaturePacket,
  { keyId, fingerprint }: Issuer,
  keys: OpenPgpKeys,
  judging: Judging,
): Promise<Finding> {
  const signedAt = packet.created?.getTime() ?? 0
  const claim: Omit<Finding, 'reason'> = { keyId, ...(fingerprint !== undefined && { fingerprint }), signedAt }
  const type = packet.signatureType
  if (type !== enums.signature.binary && type !== enums.signature.text) return { ...claim, reason: 'bad-signature' }
  const candidates = (keys.byKeyId.get(keyId) ?? []).filter(
    (key) => fingerprint === undefined || key.fingerprint === fingerprint,
  )
  if (candidates.length === 0) return { ...claim, reason: 'unknown-key' }
  const hash = packet.hashAlgorithm ?? 0
  if (weakHashes.has(hash)) return { ...claim, ...namesOf(candidates[0]), reason: 'weak-algorithm' }
  if (!knownHashes.has(hash)) return { ...claim, ...namesOf(candidates[0]), reason: 'unsupported-algorithm' }
  const document = [type === enums.signature.text ? canonicalText(payload) : payload]
  for (const key of candidates) {
    if (await isSoundSignature(packet, document, key)) {
      return { ...claim, ...namesOf(key), ...standing(packet, key, signedAt, judging) }
    }
  }
  return { ...claim, ...namesOf(candidates[0]), reason: 'bad-signature' }
}

function namesOf(key: OpenPgpKey | undefined): Partial<Finding> {
  if (key === undefined) return {}
  const signer = key.userIds[0]
  return {
    keyId: key.keyId,
    fingerprint: key.fingerprint,
    primaryFingerprint: key.primaryFingerprint,
    ...(signer !== undefined && { signer }),
  }
}

/** The word for a signature that is sound, in the order in which gpg picks its status line. */
function standing(packet: SignaturePacket, key: OpenPgpKey, signedAt: number, judging: Judging): Finding {
  const lifetime = packet.signatureNeverExpires ? 0 : (packet.signatureExpirationTime ?? 0)
  const signatureEnds = lifetime === 0 ? Infinity : signedAt + lifetime * 1000
  const keyEnds = key.expiresAt ?? Infinity
  const judgedAt = judging.keysAt === 'signing' ? Math.min(signedAt, judging.now) : judging.now
  if (!key.canSign) return { reason: 'not-a-signing-key' }
  if (key.createdAt > signedAt) return { reason: 'key-not-yet-valid' }
  if (signatureEnds <= judging.now) return { reason: 'expired-signature' }
  if (keyEnds <= judgedAt) return { reason: 'expired-key' }
  if (key.revoked !== undefined && (key.revoked.reachesBack || key.revoked.at <= judgedAt))
    return { reason: 'revoked-key' }
  const holdsUntil = Math.min(signatureEnds, judging.keysAt === 'signing' ? Infinity : keyEnds)
  return { reason: 'good', ...(holdsUntil !== Infinity && { holdsUntil }) }
}
