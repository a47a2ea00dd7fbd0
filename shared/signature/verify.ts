import { assertNever } from '../base/assert-never.ts'
import type { Verdict } from '../model/verdict.ts'
import { readArmor } from './armor.ts'
import { readCommit } from './commit-object.ts'
import type { CommitObject, TagObject } from './git-object.ts'
import type { Keyring } from './keyring.ts'
import type { Judging } from './judging.ts'
import { readPackets } from './openpgp-packets.ts'
import { verifyOpenPgp } from './openpgp-verify.ts'
import { type Finding, type Reason, verdictFor } from './reason.ts'
import { type SignatureFormat, formatOfSignature } from './signature-format.ts'
import { verifySsh } from './ssh-verify.ts'
import { readTag } from './tag-object.ts'
import { verifyX509 } from './x509-verify.ts'

/** A verdict, and when a `verified` one ends by itself (a key or a signature expires), milliseconds since 1970. */
export type Judged = { readonly verdict: Verdict; readonly holdsUntil?: number }

/** What `git verify-commit` says of a commit object's bytes under the keys of a keyring. Never throws for what the bytes are. */
export async function verifyCommit(bytes: Uint8Array, keyring: Keyring, judging: Judging): Promise<Judged> {
  return verifyObject(readCommit(bytes), keyring, judging)
}

/** What `git verify-tag` says of an annotated tag object's bytes. */
export async function verifyTag(bytes: Uint8Array, keyring: Keyring, judging: Judging): Promise<Judged> {
  return verifyObject(readTag(bytes), keyring, judging)
}

/** The same of an object that was already read. */
export async function verifyObject(
  object: CommitObject | TagObject,
  keyring: Keyring,
  judging: Judging,
): Promise<Judged> {
  const { doubt, signature } = object
  if (doubt !== undefined)
    return judged(object, signature === undefined ? undefined : formatOfSignature(signature), { reason: doubt })
  if (signature === undefined) return { verdict: verdictFor(object.sha, 'none', { reason: 'no-signature' }) }
  const format = formatOfSignature(signature)
  if (format === undefined) return judged(object, undefined, { reason: 'unknown-format' })
  const armor = readArmor(signature)
  if (armor.kind === 'bad') return judged(object, format, { reason: armorReason[armor.why] })
  if (format === 'openpgp' && !armor.isComplete && !isVersion6(armor.data)) {
    return judged(object, format, { reason: 'malformed-signature' })
  }
  return judged(object, format, await findingOf(object, format, armor.data, keyring, judging))
}

const armorReason: { readonly [why in 'malformed' | 'too-large' | 'several']: Reason } = {
  malformed: 'malformed-signature',
  'too-large': 'too-large',
  several: 'multiple-signatures',
}

/** How many objects are judged at once: enough to keep libuv's threads busy. */
const batch = 32

/** Judges many commits, on all cores. The order of the answers is that of the bytes. */
export async function verifyCommits(
  objects: readonly Uint8Array[],
  keyring: Keyring,
  judging: Judging,
  options: { readonly signal?: AbortSignal } = {},
): Promise<readonly Judged[]> {
  const results: Judged[] = []
  for (let at = 0; at < objects.length; at += batch) {
    options.signal?.throwIfAborted()
    results.push(
      ...(await Promise.all(objects.slice(at, at + batch).map((bytes) => verifyCommit(bytes, keyring, judging)))),
    )
  }
  return results
}

/** RFC 9580 forbids a checksum around version 6 alone. */
function isVersion6(data: Buffer): boolean {
  return readPackets(data)?.[0]?.body[0] === 6
}

async function findingOf(
  object: CommitObject | TagObject,
  format: SignatureFormat,
  data: Buffer,
  keyring: Keyring,
  judging: Judging,
): Promise<Finding> {
  switch (format) {
    case 'openpgp':
      return verifyOpenPgp(object.payload, data, keyring, judging)
    case 'ssh':
      return verifySsh(object.payload, data, keyring, claimedSeconds(object, judging.now), judging)
    case 'x509':
      return verifyX509(object.payload, data, keyring.roots, judging.now)
    default:
      return assertNever(format)
  }
}

/** Git hands ssh-keygen the committer's or tagger's date as the time to verify at; without one it is now. */
function claimedSeconds(object: CommitObject | TagObject, now: number): number {
  const identity = object.kind === 'commit' ? object.committer : object.tagger
  return identity.seconds ?? Math.floor(now / 1000)
}

function judged(object: CommitObject | TagObject, format: SignatureFormat | undefined, finding: Finding): Judged {
  const verdict = verdictFor(object.sha, format ?? 'unknown', finding)
  return { verdict, ...(finding.holdsUntil !== undefined && { holdsUntil: finding.holdsUntil }) }
}
