import { createSource } from '../git/source.ts'
import type { Cancellable } from '../model/ports.ts'
import type { Verdict } from '../model/verdict.ts'
import { verifyCommit, verifyTag } from '../signature/verify.ts'
import { annotatedTag } from './commit-verifier.ts'
import { FolderKeyring } from './keyring.ts'

/** A verdict with what a person recognises the commit by. */
export type JudgedCommit = { readonly verdict: Verdict; readonly subject: string; readonly author: string }

export type VerifyOptions = Cancellable & {
  readonly repository: string
  /** A revision, or a range `FROM..TO`. */
  readonly revision: string
  /** Folder or file of trusted keys. */
  readonly keys: string
}

/** Judges one commit (or the annotated tag that is named), or every commit of a range, newest first. @throws GitError */
export async function verifyCommits(options: VerifyOptions): Promise<readonly JudgedCommit[]> {
  const { signal } = options
  const cancel = signal === undefined ? {} : { signal }
  const source = await createSource({ workspace: options.repository, ...cancel })
  try {
    const repository = await source.repositoryOf('.', cancel)
    const keyring = await new FolderKeyring(options.keys).get()
    const judging = { now: Date.now() }
    const range = /^(.*?)\.\.(.*)$/.exec(options.revision)
    if (range === null) {
      const revision = await repository.resolve(options.revision, cancel)
      const tag = await annotatedTag(repository, { revision }, cancel)
      const { verdict } =
        tag === undefined
          ? await verifyCommit((await repository.readCommit(revision.sha, cancel)).raw, keyring, judging)
          : await verifyTag((await repository.readObject(tag, cancel)).bytes, keyring, judging)
      return [{ verdict, subject: revision.subject, author: revision.author }]
    }
    const from = await repository.resolve(range[1] || 'HEAD', cancel)
    const to = await repository.resolve(range[2] || 'HEAD', cancel)
    const judged: JudgedCommit[] = []
    for (const sha of await repository.log({ from: from.sha, to: to.sha }, cancel)) {
      const commit = await repository.readCommit(sha, cancel)
      const { verdict } = await verifyCommit(commit.raw, keyring, judging)
      judged.push({ verdict, subject: commit.subject, author: commit.author.name })
    }
    return judged
  } finally {
    await source.dispose()
  }
}
