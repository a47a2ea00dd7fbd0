import { type SignaturePacket, type UserIDPacket, enums } from 'openpgp'
import { type SigningKey, isSoundSignature } from './openpgp-crypto.ts'

/** A key packet's part in what is hashed about it. */
export type KeyBody = { readonly version: number; readonly body: Uint8Array }

/** What a signature about keys is made over (RFC 9580 section 5.2.4): the primary key, then what it says something of. */
export function aboutKeys(...keys: readonly KeyBody[]): readonly Uint8Array[] {
  return keys.flatMap(({ version, body }) => {
    const head = Buffer.alloc(version === 6 ? 5 : 3)
    head.writeUInt8(version === 6 ? 0x9b : 0x99)
    if (version === 6) head.writeUInt32BE(body.length, 1)
    else head.writeUInt16BE(body.length, 1)
    return [head, body]
  })
}

export function aboutUser(key: KeyBody, user: UserIDPacket): readonly Uint8Array[] {
  const body = user.write()
  const head = Buffer.alloc(5)
  head.writeUInt8(0xb4)
  head.writeUInt32BE(body.length, 1)
  return [...aboutKeys(key), head, body]
}

/** Who must have made a signature about a key. */
export type Issuer = SigningKey & { readonly keyIdHex: string }

/** The newest of the signatures of some types that holds. */
export async function newestSound(
  signatures: readonly SignaturePacket[],
  types: readonly number[],
  document: readonly Uint8Array[],
  issuer: Issuer,
): Promise<SignaturePacket | undefined> {
  for (const signature of signatures.toSorted((a, b) => timeOf(b) - timeOf(a))) {
    if (await isSoundAbout(signature, types, document, issuer)) return signature
  }
  return undefined
}

export type Revocation = {
  /** Milliseconds since 1970. */
  readonly at: number
  /** Compromised, or no reason given: signatures made before are not to be relied upon either. */
  readonly reachesBack: boolean
}

/** Reasons that leave older signatures alone (RFC 9580 section 5.2.3.31). */
const gentleReasons: ReadonlySet<number | null> = new Set<number | null>([
  enums.reasonForRevocation.keySuperseded,
  enums.reasonForRevocation.keyRetired,
])

/** The first of several revocations, reaching back where any does. */
export function firstRevocation(...revocations: readonly (Revocation | undefined)[]): Revocation | undefined {
  const found = revocations.filter((revocation) => revocation !== undefined)
  if (found.length === 0) return undefined
  return {
    at: Math.min(...found.map((revocation) => revocation.at)),
    reachesBack: found.some((revocation) => revocation.reachesBack),
  }
}

export function revocationOf(signature: SignaturePacket): Revocation {
  return { at: timeOf(signature), reachesBack: !gentleReasons.has(signature.reasonForRevocationFlag) }
}

/** What the sound ones of some revocation signatures say; undefined where there is none. */
export async function findRevocation(
  signatures: readonly SignaturePacket[],
  type: number,
  document: readonly Uint8Array[],
  issuer: Issuer,
): Promise<Revocation | undefined> {
  const sound: Revocation[] = []
  for (const signature of signatures) {
    if (await isSoundAbout(signature, [type], document, issuer)) sound.push(revocationOf(signature))
  }
  return firstRevocation(...sound)
}

export async function isSoundAbout(
  signature: SignaturePacket,
  types: readonly number[],
  document: readonly Uint8Array[],
  issuer: Issuer,
): Promise<boolean> {
  if (!types.includes(signature.signatureType ?? -1)) return false
  if (signature.issuerKeyID.toHex() !== issuer.keyIdHex) return false
  return isSoundSignature(signature, document, issuer)
}

/** Milliseconds since 1970. */
export function timeOf(signature: SignaturePacket): number {
  return signature.created?.getTime() ?? 0
}
