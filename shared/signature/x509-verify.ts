import { X509Certificate } from 'node:crypto'
import type * as PkiModule from 'pkijs'
import type { Certificate, SignedData } from 'pkijs'
import { limits } from './limits.ts'
import type { Finding, Reason } from './reason.ts'

type Pki = typeof PkiModule

/** Object identifiers of hashes that are refused, and of signature algorithms over them. */
const weakAlgorithms: ReadonlySet<string> = new Set([
  '1.2.840.113549.2.5', // md5
  '1.3.14.3.2.26', // sha1
  '1.2.840.113549.1.1.4', // md5WithRSAEncryption
  '1.2.840.113549.1.1.5', // sha1WithRSAEncryption
  '1.2.840.10045.4.1', // ecdsa-with-SHA1
  '1.2.840.10040.4.3', // dsa-with-sha1
])

const oid = {
  data: '1.2.840.113549.1.7.1',
  signedData: '1.2.840.113549.1.7.2',
  signingTime: '1.2.840.113549.1.9.5',
} as const

/** Certificates that a signature may bring along; gpgsm and smimesign send the chain, two or three. */
const maxCertificates = 10

type Parsed = {
  readonly data: SignedData
  readonly certificates: readonly X509Certificate[]
  readonly signer: X509Certificate
}

/**
 * Judges a detached CMS signature (RFC 5652) as gpgsm and smimesign make them, by certificates that lead to one of the
 * given roots. Revocation is not looked up: that takes a network. PKI.js is loaded when the first such signature is met.
 */
export async function verifyX509(
  payload: Uint8Array,
  der: Buffer,
  roots: readonly X509Certificate[],
  now: number,
): Promise<Finding> {
  const pki = await import('pkijs')
  const parsed = parse(pki, der)
  if (typeof parsed === 'string') return { reason: parsed }
  const { data, signer } = parsed
  const keyId = signer.fingerprint.replaceAll(':', '')
  const claim: Omit<Finding, 'reason'> = {
    keyId,
    fingerprint: keyId,
    signer: signer.subject.replaceAll('\n', ', '),
    ...signingTime(data),
  }
  const [info] = data.signerInfos
  const used = [
    info?.digestAlgorithm.algorithmId,
    info?.signatureAlgorithm.algorithmId,
    ...(data.certificates ?? []).map(algorithmOf),
  ]
  if (used.some((id) => id !== undefined && weakAlgorithms.has(id))) return { ...claim, reason: 'weak-algorithm' }
  if (!(await isSigned(data, payload))) return { ...claim, reason: 'bad-signature' }
  if (roots.length === 0) return { ...claim, reason: 'no-trust-roots' }
  return { ...claim, ...(await rememberedStanding(pki, parsed, roots, now)) }
}

/** Everything that is not one signer over detached data with its certificate is refused before any number is looked at. */
function parse(pki: Pki, der: Buffer): Parsed | Reason {
  try {
    const content = pki.ContentInfo.fromBER(bufferOf(der))
    if (content.contentType !== oid.signedData) return 'malformed-signature'
    const data = new pki.SignedData({ schema: content.content })
    if (data.signerInfos.length > 1) return 'multiple-signatures'
    const { eContentType, eContent } = data.encapContentInfo
    if (data.signerInfos.length === 0 || eContentType !== oid.data || eContent !== undefined)
      return 'malformed-signature'
    // Outside of what is signed, but gpgsm hashes with what stands here: it must name the signer's hash.
    const [digest, ...digests] = data.digestAlgorithms.map((algorithm) => algorithm.algorithmId)
    if (digests.length > 0 || digest !== data.signerInfos[0]?.digestAlgorithm.algorithmId) return 'malformed-signature'
    const brought = data.certificates ?? []
    if (brought.length === 0 || brought.length > maxCertificates) return 'malformed-signature'
    const certificates = brought.map((item) => openSslCertificate(item as Certificate))
    // PKI.js mends lengths that are wrong inside of a certificate; gpgsm refuses to read it.
    if (certificates.some(({ raw }) => !der.includes(raw))) return 'malformed-signature'
    if (certificates.some(hasAbsurdKey)) return 'unsupported-algorithm'
    const signer = certificates[brought.findIndex((item) => isSigner(pki, data, item as Certificate))]
    return signer === undefined ? 'malformed-signature' : { data, certificates, signer }
  } catch {
    return 'malformed-signature'
  }
}

function hasAbsurdKey({ publicKey }: X509Certificate): boolean {
  const { modulusLength, publicExponent } = publicKey.asymmetricKeyDetails ?? {}
  if (modulusLength !== undefined && (modulusLength < limits.rsaMinBits || modulusLength > limits.rsaBits)) return true
  return publicExponent !== undefined && publicExponent >= 1n << BigInt(limits.rsaExponentBits)
}

/** Named by issuer and serial number, as gpgsm and smimesign do. */
function isSigner(pki: Pki, data: SignedData, { issuer, serialNumber }: Certificate): boolean {
  const sid: unknown = data.signerInfos[0]?.sid
  return (
    sid instanceof pki.IssuerAndSerialNumber && issuer.isEqual(sid.issuer) && serialNumber.isEqual(sid.serialNumber)
  )
}

function openSslCertificate(certificate: Certificate): X509Certificate {
  return new X509Certificate(Buffer.from(certificate.toSchema(true).toBER()))
}

async function isSigned(data: SignedData, payload: Uint8Array): Promise<boolean> {
  try {
    const result = await data.verify({ signer: 0, data: bufferOf(payload), checkChain: false, extendedMode: true })
    return result.signatureVerified === true
  } catch {
    return false
  }
}

/** Good chains by the roots that they were found with: a person's certificates are the same on every commit, and a chain costs 20 ms. */
const goodChains = new WeakMap<readonly X509Certificate[], Map<string, Finding>>()
const maxRemembered = 256

async function rememberedStanding(
  pki: Pki,
  parsed: Parsed,
  roots: readonly X509Certificate[],
  now: number,
): Promise<Finding> {
  const { signer, certificates } = parsed
  const key = [signer, ...certificates].map((certificate) => certificate.fingerprint256).join()
  const chains = goodChains.get(roots) ?? new Map<string, Finding>()
  goodChains.set(roots, chains)
  const known = chains.get(key)
  const begun = certificates.every((certificate) => Date.parse(certificate.validFrom) <= now)
  if (known?.holdsUntil !== undefined && now < known.holdsUntil && begun) return known
  const found = await standing(pki, parsed, roots, now)
  if (found.reason === 'good' && chains.size < maxRemembered) chains.set(key, found)
  return found
}

/** The chain by PKI.js, and each of its links once more by OpenSSL. */
async function standing(pki: Pki, parsed: Parsed, roots: readonly X509Certificate[], now: number): Promise<Finding> {
  const { signer, certificates } = parsed
  if (now < Date.parse(signer.validFrom)) return { reason: 'key-not-yet-valid' }
  if (now > Date.parse(signer.validTo)) return { reason: 'expired-key' }
  const toPki = (certificate: X509Certificate) => pki.Certificate.fromBER(bufferOf(certificate.raw))
  if (!mayBeUsedToSign(toPki(signer))) return { reason: 'not-a-signing-key' }
  const others = certificates.filter((certificate) => certificate !== signer)
  const engine = new pki.CertificateChainValidationEngine({
    trustedCerts: roots.map(toPki),
    // The certificate in question comes last.
    certs: [...others, signer].map(toPki),
    checkDate: new Date(now),
  })
  const { result, certificatePath = [] } = await engine.verify().catch(() => ({ result: false, certificatePath: [] }))
  if (!result) return { reason: 'unknown-key' }
  const path = certificatePath.map(openSslCertificate)
  const root = path.at(-1)
  if (root === undefined || path[0]?.fingerprint256 !== signer.fingerprint256) return { reason: 'wrong-certificate' }
  if (!roots.some((trusted) => trusted.fingerprint256 === root.fingerprint256)) return { reason: 'wrong-certificate' }
  const isLinked = path.slice(1).every((issuer, index) => {
    const issued = path[index]
    return issued !== undefined && issuer.ca && issued.checkIssued(issuer) && issued.verify(issuer.publicKey)
  })
  if (!isLinked) return { reason: 'wrong-certificate' }
  const holdsUntil = Math.min(...path.map((certificate) => Date.parse(certificate.validTo)))
  return { reason: 'good', primaryFingerprint: root.fingerprint.replaceAll(':', ''), holdsUntil }
}

/** digitalSignature or nonRepudiation, the first two bits of the keyUsage extension; without it everything is allowed. */
function mayBeUsedToSign(certificate: Certificate): boolean {
  const usage = certificate.extensions?.find((extension) => extension.extnID === '2.5.29.15')
  if (usage === undefined) return true
  // A BIT STRING: tag, length, unused bits, bits.
  const bits = Buffer.from(usage.extnValue.valueBlock.valueHexView)[3] ?? 0
  return (bits & 0xc0) !== 0
}

function signingTime(data: SignedData): { readonly signedAt?: number } {
  const attribute = data.signerInfos[0]?.signedAttrs?.attributes.find(({ type }) => type === oid.signingTime)
  const value: unknown = attribute?.values[0]
  const date =
    typeof value === 'object' && value !== null && 'toDate' in value && typeof value.toDate === 'function'
      ? (value.toDate() as unknown)
      : undefined
  return date instanceof Date && !Number.isNaN(date.getTime()) ? { signedAt: date.getTime() } : {}
}

function algorithmOf(item: unknown): string | undefined {
  return (item as Partial<Certificate>).signatureAlgorithm?.algorithmId
}

/** Its own memory, as PKI.js wants it. */
function bufferOf(bytes: Uint8Array): ArrayBuffer {
  return Uint8Array.from(bytes).buffer
}
