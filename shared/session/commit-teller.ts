import type { GitSource } from '../git/source.ts'
import type { Cancellable } from '../model/ports.ts'
import type { Verdict } from '../model/verdict.ts'
import type { Keyring } from '../signature/keyring.ts'
import { verifyCommit } from '../signature/verify.ts'
import { FolderKeyring, keyFolder } from './keyring.ts'

/** What a person recognises a commit by, and what its signature is worth. */
export type ToldCommit = {
  readonly subject: string
  readonly author: string
  readonly verdict: Verdict
}

const FULL_SHA = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/

/** Tells of the commits that a history names, as far as the repositories at hand have them. */
export class CommitTeller {
  readonly #source: GitSource
  #keyring: Promise<Keyring> | undefined

  constructor(source: GitSource) {
    this.#source = source
  }

  /** Undefined where no repository at hand has the commit, or the revision is none: `WORKTREE`, a chart's version. */
  async tell(repoURL: string, revision: string, options: Cancellable): Promise<ToldCommit | undefined> {
    if (!FULL_SHA.test(revision)) return undefined
    try {
      const repository = await this.#source.repositoryOf(repoURL, { ...options, revision })
      const commit = await repository.readCommit(revision, options)
      this.#keyring ??= new FolderKeyring(keyFolder()).get()
      const { verdict } = await verifyCommit(commit.raw, await this.#keyring, { now: Date.now() })
      return { subject: commit.subject, author: commit.author.name, verdict }
    } catch (error) {
      if (options.signal?.aborted === true) throw error
      return undefined
    }
  }
}
