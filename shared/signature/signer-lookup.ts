import type { AllowedSigner } from './allowed-signers.ts'
import type { Finding, Reason } from './reason.ts'
import { type SshCertificate, certificateDoubt } from './ssh-certificate.ts'
import type { SshKey } from './ssh-key.ts'
import { matchesPattern, matchesPatternList } from './ssh-pattern.ts'

type Lookup = {
  readonly key: SshKey
  readonly certificate: SshCertificate | undefined
  readonly namespace: string
  readonly seconds: number
}

/**
 * Who may have signed with a key: as git asks ssh-keygen, first `-Y find-principals` (the first line that has the key
 * and is valid at the time; namespaces do not count yet), then `-Y verify` for each principal of that line.
 */
export function findSigner(
  signers: readonly AllowedSigner[],
  key: SshKey,
  certificate: SshCertificate | undefined,
  namespace: string,
  seconds: number,
): Pick<Finding, 'reason' | 'signer'> {
  const lookup: Lookup = { key, certificate, namespace, seconds }
  const mine = signers.filter((signer) => hasKey(signer, lookup))
  if (mine.length === 0) return { reason: 'unknown-key' }
  const first = mine.find(
    (signer) => timeDoubt(signer, lookup) === undefined && principalsOf(signer, lookup).length > 0,
  )
  if (first === undefined)
    return { reason: mine.map((signer) => doubt(signer, lookup)).find((why) => why !== undefined) ?? 'unknown-key' }
  for (const principal of principalsOf(first, lookup)) {
    if (mine.some((signer) => allows(signer, principal, lookup))) return { reason: 'good', signer: principal }
  }
  const named = principalsOf(first, lookup).some((principal) => matchesPatternList(principal, first.principals))
  return { reason: named ? 'wrong-namespace' : 'unknown-key' }
}

function hasKey(signer: AllowedSigner, { key, certificate }: Lookup): boolean {
  if (signer.isAuthority) return certificate !== undefined && signer.key.blob.equals(certificate.authority.blob)
  if (certificate !== undefined || signer.certificate !== undefined) {
    return signer.certificate !== undefined && certificate !== undefined && sameCertificate(signer, certificate)
  }
  return signer.key.blob.equals(key.blob)
}

/** A line that names one certificate allows that certificate alone. */
function sameCertificate(signer: AllowedSigner, certificate: SshCertificate): boolean {
  return signer.certificate !== undefined && signer.certificate.equals(certificate.blob)
}

/** The names that ssh-keygen would try: those of the line, or those of the certificate that the line's patterns match. */
function principalsOf(signer: AllowedSigner, { certificate, seconds }: Lookup): readonly string[] {
  const listed = signer.principals.split(',').filter((name) => name !== '')
  if (!signer.isAuthority || certificate === undefined) return listed
  if (certificateDoubt(certificate, seconds) !== undefined) return []
  return listed.flatMap((pattern) => certificate.principals.filter((name) => matchesPattern(name, pattern)))
}

function allows(signer: AllowedSigner, principal: string, lookup: Lookup): boolean {
  if (!matchesPatternList(principal, signer.principals)) return false
  if (signer.namespaces !== undefined && !matchesPatternList(lookup.namespace, signer.namespaces)) return false
  if (timeDoubt(signer, lookup) !== undefined) return false
  if (!signer.isAuthority || lookup.certificate === undefined) return true
  return (
    certificateDoubt(lookup.certificate, lookup.seconds) === undefined &&
    lookup.certificate.principals.includes(principal)
  )
}

function timeDoubt(signer: AllowedSigner, { seconds }: Lookup): Reason | undefined {
  if (signer.validAfter !== undefined && seconds < signer.validAfter) return 'key-not-yet-valid'
  if (signer.validBefore !== undefined && seconds > signer.validBefore) return 'expired-key'
  return undefined
}

function doubt(signer: AllowedSigner, lookup: Lookup): Reason | undefined {
  const { certificate, seconds } = lookup
  if (signer.isAuthority && certificate !== undefined) {
    return certificateDoubt(certificate, seconds) ?? timeDoubt(signer, lookup) ?? 'wrong-certificate'
  }
  return timeDoubt(signer, lookup)
}
