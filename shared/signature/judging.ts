/** How strictly keys are taken; the defaults are those of git, gpg and ssh-keygen. */
export type Judging = {
  /** Milliseconds since 1970. */
  readonly now: number
  /**
   * When an OpenPGP key must be in order. gpg takes it as it stands now: a key that has expired or was revoked since makes
   * all its signatures bad. `signing` takes it as it stood when it signed, unless it was revoked as compromised or without
   * a reason, which reaches back.
   */
  readonly keysAt?: 'now' | 'signing'
  /** What a security key must attest; ssh-keygen asks for nothing. */
  readonly securityKey?: 'any' | 'touched' | 'verified'
}

/** Names the options, so that verdicts under different ones are never mixed up. */
export function judgingName({ keysAt = 'now', securityKey = 'any' }: Judging): string {
  return `${keysAt}/${securityKey}`
}
