import { readFileSync } from 'node:fs'
import type { Verdict } from '../../shared/model/verdict.ts'
import { type KeySource, type Keyring, KeyringError, readKeyring } from '../../shared/signature/keyring.ts'
import { verifyCommit, verifyTag } from '../../shared/signature/verify.ts'
import type { SignatureCase } from './signature-case.ts'
import { hostileCases } from './signature-cases-hostile.ts'
import { shapeCases } from './signature-cases-object.ts'
import { algorithmCases, standingCases } from './signature-cases-openpgp.ts'
import { allowedSignersCases, certificateCases } from './signature-cases-signers.ts'
import { sshAlgorithmCases } from './signature-cases-ssh.ts'
import { x509Cases } from './signature-cases-x509.ts'
import { type GitWord, askGit } from './signature-judge.ts'
import type { Workshop } from './signature-workshop.ts'

/** One case with git's word on it: all that is needed to judge it again without git. */
export type Recorded = {
  readonly name: string
  readonly kind: 'commit' | 'tag'
  readonly sha: string
  readonly bytes: Uint8Array
  readonly sources: readonly KeySource[]
  readonly git: GitWord
  readonly stricter?: string
}

/** Makes the whole matrix with real git, gpg and ssh-keygen, and asks git about every case. */
export function makeMatrix(workshop: Workshop): readonly Recorded[] {
  const makers = [
    algorithmCases,
    standingCases,
    sshAlgorithmCases,
    allowedSignersCases,
    certificateCases,
    shapeCases,
    hostileCases,
    x509Cases,
  ]
  const cases = makers.flatMap((make) => make(workshop))
  const keys: KeySource = { kind: 'openpgp', name: 'judge', bytes: workshop.judgeKeys() }
  return cases.map((item) => record(item, keys))
}

function record(item: SignatureCase, keys: KeySource): Recorded {
  const { name, kind, sha, stricter, allowedSigners, revoked, roots } = item
  const bytes = item.repository.object(kind, sha)
  return {
    name,
    kind,
    sha,
    bytes,
    sources: [
      ...(bytes.includes('-----BEGIN PGP') ? [keys] : []),
      ...(allowedSigners === undefined ? [] : [fileSource('allowed-signers', allowedSigners)]),
      ...(revoked === undefined ? [] : [fileSource('revoked-ssh', revoked)]),
      ...(roots === undefined ? [] : [fileSource('x509-roots', roots)]),
    ],
    git: askGit(item),
    ...(stricter !== undefined && { stricter }),
  }
}

function fileSource(kind: KeySource['kind'], path: string): KeySource {
  return { kind, name: kind, bytes: readFileSync(path) }
}

/** Our word on a case. A keyring that refuses to be read verifies nothing, which is the answer too. */
export async function ourVerdict(item: Recorded, now: number): Promise<Verdict> {
  try {
    const keyring = await keyringOf(item.sources)
    const verify = item.kind === 'commit' ? verifyCommit : verifyTag
    return (await verify(item.bytes, keyring, { now })).verdict
  } catch (error) {
    if (!KeyringError.is(error)) throw error
    return { sha: item.sha, verdict: 'untrusted', reason: error.reason, format: 'unknown' }
  }
}

const keyrings = new Map<string, Keyring>()

/** Cases share most of their files; fifty keys take 100 ms to read. */
async function keyringOf(sources: readonly KeySource[]): Promise<Keyring> {
  const id = sources.map(({ kind, bytes }) => `${kind} ${Buffer.from(bytes).toString('base64')}`).join()
  const keyring = keyrings.get(id) ?? (await readKeyring(sources))
  keyrings.set(id, keyring)
  return keyring
}

/** Reasons that mean what a status line of git means. */
const meanings: { readonly [status: string]: readonly string[] } = {
  GOODSIG: ['good'],
  BADSIG: ['bad-signature', 'malformed-object'],
  EXPSIG: ['expired-signature'],
  EXPKEYSIG: ['expired-key'],
  REVKEYSIG: ['revoked-key'],
  'ERRSIG 9': ['unknown-key'],
  'ERRSIG 5': ['weak-algorithm'],
  'ERRSIG 39': ['key-not-yet-valid'],
  SEVERAL: ['multiple-signatures'],
  'SSH-GOOD': ['good'],
  'SSH-UNKNOWN': ['unknown-key', 'expired-key', 'key-not-yet-valid', 'wrong-certificate'],
  'SSH-BAD': [
    'bad-signature',
    'malformed-signature',
    'weak-algorithm',
    'wrong-namespace',
    'unknown-key',
    'revoked-key',
    'unreadable-revocations',
  ],
  NONE: ['no-signature', 'malformed-signature', 'unknown-format', 'too-large', 'malformed-object'],
}

/** How our word differs from git's; undefined where it does not. */
export function disagreement({ git, sha, stricter }: Recorded, ours: Verdict): string | undefined {
  const verified = ours.verdict === 'verified'
  if (verified && !git.accepted) return `verified, but git says ${git.status}`
  if (ours.sha !== '' && ours.sha !== sha) return `names ${ours.sha}`
  if (stricter !== undefined) return verified ? 'verified, though it ought to be refused' : undefined
  if (git.accepted && !verified) return `git accepts, we say ${ours.reason}`
  if (git.accepted || git.status !== 'GOODSIG') {
    if (!(meanings[git.status] ?? []).includes(ours.reason)) return `git says ${git.status}, we say ${ours.reason}`
  }
  if (!verified) return undefined
  if (git.fingerprint !== ours.fingerprint) return `git names key ${git.fingerprint}, we ${ours.fingerprint}`
  // gpgsm writes a distinguished name in its own way.
  if (ours.format === 'x509') return undefined
  if (git.signer !== ours.signer) return `git names signer ${git.signer}, we ${ours.signer}`
  if (git.primaryFingerprint !== undefined && git.primaryFingerprint !== ours.primaryFingerprint) {
    return `git names primary key ${git.primaryFingerprint}, we ${ours.primaryFingerprint}`
  }
  return git.keyId !== undefined && git.keyId !== ours.keyId
    ? `git names key id ${git.keyId}, we ${ours.keyId}`
    : undefined
}
