import { spawnSync } from 'node:child_process'
import type { SignatureCase } from './signature-case.ts'

/** What git, with gpg or ssh-keygen behind it, says of an object. */
export type GitWord = {
  readonly accepted: boolean
  /** The status line's word of `--raw`, or for SSH what ssh-keygen printed, in one word. */
  readonly status: string
  readonly keyId?: string
  readonly fingerprint?: string
  readonly primaryFingerprint?: string
  readonly signer?: string
  readonly raw: string
}

/** Runs `git verify-commit --raw` or `git verify-tag --raw` as the judge. */
export function askGit(item: SignatureCase): GitWord {
  const { workshop, dir } = item.repository
  const settings = [
    ...(item.allowedSigners === undefined ? [] : ['-c', `gpg.ssh.allowedSignersFile=${item.allowedSigners}`]),
    ...(item.revoked === undefined ? [] : ['-c', `gpg.ssh.revocationFile=${item.revoked}`]),
  ]
  const verb = item.kind === 'commit' ? 'verify-commit' : 'verify-tag'
  const result = spawnSync('git', [...settings, verb, '--raw', item.sha], {
    cwd: dir,
    env: workshop.env({ GNUPGHOME: workshop.judgeHome }),
    encoding: 'utf8',
  })
  return readWord(result.status === 0, result.stderr)
}

function readWord(accepted: boolean, raw: string): GitWord {
  const ssh = /^Good "git" signature (?:for (.+) )?with [A-Z0-9-]+ key (SHA256:\S+)$/m.exec(raw)
  if (ssh !== null) {
    const [, signer, fingerprint] = ssh
    const named = { ...(fingerprint !== undefined && { fingerprint }), ...(signer !== undefined && { signer }) }
    return { accepted, status: signer === undefined ? 'SSH-UNKNOWN' : 'SSH-GOOD', ...named, raw }
  }
  const error = /^\[GNUPG:\] ERRSIG (\S+) \S+ \S+ \S+ \S+ (\d+)/m.exec(raw)
  if (error !== null)
    return { accepted, status: `ERRSIG ${error[2]}`, ...(error[1] !== undefined && { keyId: error[1] }), raw }
  const lines = [...raw.matchAll(/^\[GNUPG:\] (GOODSIG|BADSIG|EXPSIG|EXPKEYSIG|REVKEYSIG) (\S+) (.*)$/gm)]
  const [, status, keyId, signer] = lines[0] ?? []
  if (status === undefined)
    return { accepted, status: raw.includes('Could not verify signature') ? 'SSH-BAD' : 'NONE', raw }
  // gpgsm names no primary key.
  const valid = /^\[GNUPG:\] VALIDSIG (\S+) .* (\S{40,}|\S{2})$/m.exec(raw)
  return {
    accepted,
    status: lines.length > 1 ? 'SEVERAL' : status,
    ...(keyId !== undefined && { keyId }),
    ...(signer !== undefined && { signer }),
    ...(valid?.[1] !== undefined && { fingerprint: valid[1] }),
    ...(valid?.[2] !== undefined && valid[2].length > 2 && { primaryFingerprint: valid[2] }),
    raw,
  }
}
