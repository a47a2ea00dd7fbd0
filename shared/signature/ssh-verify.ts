import { createHash } from 'node:crypto'
import { passes } from './crypto-check.ts'
import type { AllowedSigner } from './allowed-signers.ts'
import type { Judging } from './judging.ts'
import type { Finding } from './reason.ts'
import { findSigner } from './signer-lookup.ts'
import { type SshCertificate, isCertificateType, readSshCertificate } from './ssh-certificate.ts'
import { type SshKey, readSshKey } from './ssh-key.ts'
import { readRawSignature, skFlags } from './ssh-raw-signature.ts'
import { type SshRevocations, isRevoked } from './ssh-revocation.ts'
import { type SshSignature, readSshSignature, sshSignatureMagic } from './ssh-signature.ts'
import { WireError, WireReader, wireString } from './ssh-wire.ts'

export type SshTrust = {
  readonly signers: readonly AllowedSigner[]
  readonly revocations: readonly SshRevocations[]
}

/** The namespace that git signs in (gpg-interface.c). */
const gitNamespace = 'git'

/** Judges an SSHSIG blob over a payload. `seconds` is when the object says it was made, which is when keys are judged. */
export async function verifySsh(
  payload: Uint8Array,
  blob: Buffer,
  trust: SshTrust,
  seconds: number,
  judging: Pick<Judging, 'securityKey'>,
): Promise<Finding> {
  try {
    const signature = readSshSignature(blob)
    return signature === undefined
      ? { reason: 'malformed-signature' }
      : await judge(payload, signature, trust, seconds, judging)
  } catch (error) {
    if (WireError.is(error)) return { reason: 'malformed-signature' }
    throw error
  }
}

type Signer = { readonly key: SshKey; readonly certificate?: SshCertificate }

/** @throws WireError where the key or the signature inside is malformed */
async function judge(
  payload: Uint8Array,
  signature: SshSignature,
  trust: SshTrust,
  seconds: number,
  judging: Pick<Judging, 'securityKey'>,
): Promise<Finding> {
  if (signature.version !== 1) return { reason: 'unknown-format' }
  const signer = readSigner(signature.publicKey, trust)
  const { key, certificate } = signer
  const claim: Omit<Finding, 'reason'> = {
    keyId: key.fingerprint,
    fingerprint: key.fingerprint,
    ...(certificate !== undefined && { primaryFingerprint: certificate.authority.fingerprint }),
    signedAt: seconds * 1000,
  }
  if (signature.hash !== 'sha256' && signature.hash !== 'sha512') return { ...claim, reason: 'unsupported-algorithm' }
  const raw = readRawSignature(key, signature.signature, signedData(signature, signature.hash, payload))
  if (raw.kind === 'refused') return { ...claim, reason: raw.reason }
  if (!(await passes(raw.check))) return { ...claim, reason: 'bad-signature' }
  if (signature.namespace !== gitNamespace) return { ...claim, reason: 'wrong-namespace' }
  if (trust.revocations.some((list) => isRevoked(list, key, certificate))) return { ...claim, reason: 'revoked-key' }
  if (!isTouchedEnough(raw.flags, judging.securityKey)) return { ...claim, reason: 'not-touched' }
  return { ...claim, ...findSigner(trust.signers, key, certificate, gitNamespace, seconds) }
}

/** The question is put to security keys alone: other keys attest nothing. */
function isTouchedEnough(flags: number | undefined, wanted: Judging['securityKey'] = 'any'): boolean {
  if (flags === undefined || wanted === 'any') return true
  return (flags & (wanted === 'verified' ? skFlags.userVerified : skFlags.userPresent)) !== 0
}

/** A key that is already known is not parsed again: importing it costs as much as a verification. */
function readSigner(blob: Buffer, trust: SshTrust): Signer {
  const known = trust.signers.find((signer) => signer.certificate === undefined && signer.key.blob.equals(blob))
  if (known !== undefined) return { key: known.key }
  if (!isCertificateType(new WireReader(blob).text())) return { key: readSshKey(blob) }
  const certificate = readSshCertificate(blob)
  return { key: certificate.key, certificate }
}

/** What is signed: the preamble again, then the payload's digest instead of the payload (PROTOCOL.sshsig, section 3). */
function signedData(signature: SshSignature, hash: 'sha256' | 'sha512', payload: Uint8Array): Buffer {
  return Buffer.concat([
    sshSignatureMagic,
    wireString(signature.namespace),
    wireString(''),
    wireString(hash),
    wireString(createHash(hash).update(payload).digest()),
  ])
}
