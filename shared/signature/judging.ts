/** How strictly keys are taken; the defaults are those of git, gpg and ssh-keygen. */
export type Judging = {
  /** Milliseconds since 1970. */
  readonly now: number
  /** gpg refuses what a key signed once that key has expired; `accept` judges such a key at signing time instead. */
  readonly expiredAfterSigning?: 'refuse' | 'accept'
  /** What a security key must attest; ssh-keygen asks for nothing. */
  readonly securityKey?: 'any' | 'touched' | 'verified'
}

/** Names the options, so that verdicts under different ones are never mixed up. */
export function judgingName({ expiredAfterSigning = 'refuse', securityKey = 'any' }: Judging): string {
  return `${expiredAfterSigning}/${securityKey}`
}
