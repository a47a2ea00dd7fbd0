/** What the signed-commit checker says of a commit or a tag. Only `verified` lets a covered application sync. */
export type Verdict = {
  readonly sha: string
  readonly verdict: 'verified' | 'unsigned' | 'untrusted' | 'invalid'
  readonly reason: string
  readonly format: 'openpgp' | 'ssh' | 'x509' | 'unknown' | 'none'
  readonly keyId?: string
  readonly fingerprint?: string
  readonly primaryFingerprint?: string
  readonly signer?: string
  /** RFC 3339. */
  readonly signedAt?: string
}
