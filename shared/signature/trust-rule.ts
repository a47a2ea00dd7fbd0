import type { Verdict } from '../model/verdict.ts'
import type { GitPolicy, PolicyMode } from './policy.ts'
import { phraseFor } from './reason.ts'
import { matchesPatternList } from './ssh-pattern.ts'

type Policy = Extract<GitPolicy, { readonly kind: 'policy' }>

/** From the least to the most that must be signed. */
const order: readonly PolicyMode[] = ['none', 'head', 'range', 'strict']

/** The mode of a policy whose formats may ask for different ones: the one that asks for most. */
export function modeOf(policy: Policy): PolicyMode {
  return [policy.gpg?.mode ?? 'none', policy.ssh?.mode ?? 'none'].reduce((most, mode) =>
    order.indexOf(mode) > order.indexOf(most) ? mode : most,
  )
}

/** The check's name in conditions; `GIT/GPG` is Argo CD's. */
export function checkNameOf(policy: Policy): string {
  const formats = [isAsked(policy.gpg) ? 'GPG' : '', isAsked(policy.ssh) ? 'SSH' : ''].filter((name) => name !== '')
  return `GIT/${formats.join('+')}`
}

/** What keeps a verdict from satisfying a policy, in Argo CD's words; undefined where it satisfies. */
export function refusalOf(verdict: Verdict, policy: Policy): string | undefined {
  const keyId = `(key_id=${verdict.keyId ?? ''})`
  if (verdict.verdict !== 'verified') return `${phraseFor(verdict)} ${keyId}`
  return isAllowed(verdict, policy) ? undefined : `signed with unallowed key ${keyId}`
}

function isAllowed(verdict: Verdict, { gpg, ssh }: Policy): boolean {
  const ids = [verdict.fingerprint, verdict.primaryFingerprint].filter((id) => id !== undefined)
  switch (verdict.format) {
    case 'openpgp':
      return gpg !== undefined && isAsked(gpg) && gpg.keys.some((key) => ids.some((id) => isOpenPgpKey(key, id)))
    case 'ssh':
      if (ssh === undefined || !isAsked(ssh)) return false
      if (ssh.keys.some((key) => ids.includes(key.replace(/=+$/, '')))) return true
      // A name that is empty once it is fit for print must not match an empty list.
      return Boolean(verdict.signer) && matchesPatternList(verdict.signer ?? '', ssh.principals.join(','))
    case 'x509':
    case 'unknown':
    case 'none':
      return false
  }
}

function isAsked(rule: { readonly mode: PolicyMode } | undefined): boolean {
  return rule !== undefined && rule.mode !== 'none'
}

/**
 * A whole fingerprint must be equal; a long key id is the end of a v4 fingerprint and the start of a v6 one. Short ids
 * (8 digits) can be made to collide, so they match nothing.
 */
function isOpenPgpKey(written: string, fingerprint: string): boolean {
  const key = written.replaceAll(/\s/g, '').replace(/^0x/i, '').toUpperCase()
  if (!/^[0-9A-F]+$/.test(key)) return false
  if (key.length === fingerprint.length) return key === fingerprint
  if (key.length !== 16) return false
  return fingerprint.length === 64 ? fingerprint.startsWith(key) : fingerprint.endsWith(key)
}
