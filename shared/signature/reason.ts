import type { Verdict } from '../model/verdict.ts'

/** Why a verdict is what it is: the `reason` of every {@link Verdict} that this folder gives. */
export type Reason =
  | 'good'
  | 'no-signature'
  | 'bad-signature'
  | 'malformed-signature'
  | 'malformed-object'
  | 'lookalike-header'
  | 'multiple-signatures'
  | 'too-large'
  | 'unknown-format'
  | 'unsupported-algorithm'
  | 'unknown-key'
  | 'expired-key'
  | 'key-not-yet-valid'
  | 'expired-signature'
  | 'revoked-key'
  | 'weak-algorithm'
  | 'wrong-namespace'
  | 'not-a-signing-key'
  | 'wrong-certificate'
  | 'not-touched'
  | 'no-trust-roots'

type Kind = Verdict['verdict']

/** Every reason has one verdict: broken or misleading is `invalid`, sound but not to be relied upon is `untrusted`. */
const verdictOf: { readonly [reason in Reason]: Kind } = {
  good: 'verified',
  'no-signature': 'unsigned',
  'bad-signature': 'invalid',
  'malformed-signature': 'invalid',
  'malformed-object': 'invalid',
  'lookalike-header': 'invalid',
  'multiple-signatures': 'invalid',
  'too-large': 'invalid',
  'unknown-format': 'invalid',
  'unsupported-algorithm': 'untrusted',
  'unknown-key': 'untrusted',
  'expired-key': 'untrusted',
  'key-not-yet-valid': 'untrusted',
  'expired-signature': 'untrusted',
  'revoked-key': 'untrusted',
  'weak-algorithm': 'untrusted',
  'wrong-namespace': 'untrusted',
  'not-a-signing-key': 'untrusted',
  'wrong-certificate': 'untrusted',
  'not-touched': 'untrusted',
  'no-trust-roots': 'untrusted',
}

/** The words of a condition. The first six are Argo CD's own (util/git/client.go, GPGVerificationResult). */
const phraseOf: { readonly [reason in Reason]: string } = {
  good: 'signed',
  'no-signature': 'unsigned',
  'bad-signature': 'bad signature',
  'unknown-key': 'signed with key not in keyring',
  'expired-key': 'signed with expired key',
  'expired-signature': 'expired signature',
  'revoked-key': 'signed with revoked key',
  'malformed-signature': 'malformed signature',
  'malformed-object': 'malformed object',
  'lookalike-header': 'header that imitates a signature',
  'multiple-signatures': 'more than one signature',
  'too-large': 'signature too large',
  'unknown-format': 'signature of unknown format',
  'unsupported-algorithm': 'signed with unsupported algorithm',
  'key-not-yet-valid': 'signed with key that was not yet valid',
  'weak-algorithm': 'signed with weak algorithm',
  'wrong-namespace': 'signed for another namespace',
  'not-a-signing-key': 'signed with key that is not for signing',
  'wrong-certificate': 'signed with certificate that does not hold',
  'not-touched': 'signed by a security key that nobody touched',
  'no-trust-roots': 'signed with certificate, no trust roots given',
}

const reasons: ReadonlySet<string> = new Set(Object.keys(verdictOf))

/** What a format's checker found; {@link Verdict} without the object's identity. */
export type Finding = {
  readonly reason: Reason
  readonly keyId?: string
  readonly fingerprint?: string
  readonly primaryFingerprint?: string
  readonly signer?: string
  /** Milliseconds since 1970. */
  readonly signedAt?: number
  /** When a `good` finding stops being one, milliseconds since 1970. */
  readonly holdsUntil?: number
}

export function verdictFor(sha: string, format: Verdict['format'], finding: Finding): Verdict {
  const { reason, keyId, fingerprint, primaryFingerprint, signer, signedAt } = finding
  return {
    sha,
    verdict: verdictOf[reason],
    reason,
    format,
    ...(keyId !== undefined && { keyId }),
    ...(fingerprint !== undefined && { fingerprint }),
    ...(primaryFingerprint !== undefined && { primaryFingerprint }),
    ...(signer !== undefined && { signer: printable(signer) }),
    ...(signedAt !== undefined && { signedAt: rfc3339(signedAt) }),
  }
}

/** A verdict in the words of Argo CD's conditions, for people. */
export function phraseFor(verdict: Verdict): string {
  return isReason(verdict.reason) ? phraseOf[verdict.reason] : verdict.reason
}

/** Repository text fit for one line of a terminal or a condition: no control or bidirectional characters, at most 200 long. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '').slice(0, 200)
}

function isReason(word: string): word is Reason {
  return reasons.has(word)
}

function rfc3339(ms: number): string {
  const date = new Date(ms)
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().replace('.000Z', 'Z')
}
