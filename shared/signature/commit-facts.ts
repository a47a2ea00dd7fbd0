import type { Verdict } from '../model/verdict.ts'
import { readCommit } from './commit-object.ts'
import type { Judging } from './judging.ts'
import { judgingName } from './judging.ts'
import { type Keyring, keyringState } from './keyring.ts'
import { printable, verdictFor } from './reason.ts'
import { isSeal } from './seal.ts'
import { verifyObject } from './verify.ts'

/** All that a walk through history wants to know of a commit. Plain data: it may be kept between runs. */
export type CommitFacts = {
  readonly verdict: Verdict
  /** When `verified` ends by itself, milliseconds since 1970. */
  readonly holdsUntil?: number
  readonly parents: readonly string[]
  /** `Name <mail>`, fit for print. */
  readonly author: string
  /** Seconds since 1970, as the committer claims; orders the walk, proves nothing. */
  readonly seconds: number
  readonly isSeal: boolean
}

/** Where facts are kept, by commit, keyring and how keys were judged. */
export interface FactsMemory {
  get(key: string): CommitFacts | undefined
  set(key: string, facts: CommitFacts): void
}

/** Where commits and tags come from. */
export interface ObjectReader {
  /** The commit's content (without git's `commit <size>` prefix); undefined where the repository does not have it. */
  readCommit(sha: string, options?: { readonly signal?: AbortSignal }): Promise<Uint8Array | undefined>
  /** The annotated tag's content; undefined where the repository does not have it. */
  readTag(sha: string, options?: { readonly signal?: AbortSignal }): Promise<Uint8Array | undefined>
}

export type Checking = {
  readonly reader: ObjectReader
  readonly keyring: Keyring
  readonly judging: Judging
  readonly memory?: FactsMemory
  readonly signal?: AbortSignal
}

/** Reads and judges a commit, or remembers it. Undefined where the repository does not have it. */
export async function factsOf(sha: string, checking: Checking): Promise<CommitFacts | undefined> {
  const { keyring, judging, memory } = checking
  const known = remembered(sha, checking)
  if (known !== undefined && (known.holdsUntil ?? Infinity) > judging.now) return known
  const read = await readObject(sha, checking)
  if (read === undefined) return undefined
  const { verdict, holdsUntil } = read.sha === sha ? await verifyObject(read, keyring, judging) : replaced(sha)
  const facts: CommitFacts = {
    verdict,
    ...(holdsUntil !== undefined && { holdsUntil }),
    parents: read.parents,
    author: printable(`${read.author.name} <${read.author.email}>`),
    seconds: read.committer.seconds ?? 0,
    isSeal: isSeal(read.message),
  }
  if (read.sha === sha) memory?.set(memoryKey(sha, checking), facts)
  return facts
}

/** A commit's parents and time alone, for history that is trusted already. */
export async function linksOf(
  sha: string,
  checking: Checking,
): Promise<Pick<CommitFacts, 'parents' | 'seconds'> | undefined> {
  const known = remembered(sha, checking)
  if (known !== undefined) return known
  const read = await readObject(sha, checking)
  return read === undefined || read.sha !== sha
    ? undefined
    : { parents: read.parents, seconds: read.committer.seconds ?? 0 }
}

function remembered(sha: string, checking: Checking): CommitFacts | undefined {
  return checking.memory?.get(memoryKey(sha, checking))
}

function memoryKey(sha: string, { keyring, judging }: Checking): string {
  return `${sha}:${keyringState(keyring, judging.now)}:${judgingName(judging)}`
}

async function readObject(sha: string, { reader, signal }: Checking) {
  const bytes = await reader.readCommit(sha, signal === undefined ? {} : { signal })
  return bytes === undefined ? undefined : readCommit(bytes)
}

/** The bytes are not those that the id names: somebody's object store lies. */
function replaced(sha: string): { readonly verdict: Verdict; readonly holdsUntil?: number } {
  return { verdict: verdictFor(sha, 'unknown', { reason: 'malformed-object' }) }
}
