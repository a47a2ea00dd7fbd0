import { readFile } from 'node:fs/promises'
import type { Repository } from '../git/repository.ts'
import { createSource } from '../git/source.ts'
import { isObject } from '../model/json.ts'
import { isKubeObject } from '../model/kubernetes.ts'
import type { Cancellable } from '../model/ports.ts'
import type { Verdict } from '../model/verdict.ts'
import { YamlReader } from '../render/yaml/read.ts'
import { evaluateIntegrity, type Target } from '../signature/evaluate.ts'
import type { Keyring } from '../signature/keyring.ts'
import { readPolicies } from '../signature/policy.ts'
import { verifyCommit, verifyTag } from '../signature/verify.ts'
import { annotatedTag, objectReader } from './commit-verifier.ts'
import { FolderKeyring } from './keyring.ts'

/** A verdict with what a person recognises the commit by. */
export type JudgedCommit = {
  readonly verdict: Verdict
  readonly subject: string
  readonly author: string
  /** Why the policy refuses it; absent where it does not, or none was given. */
  readonly refusal?: string
}

export type VerifyOptions = Cancellable & {
  readonly repository: string
  /** A revision, or a range `FROM..TO`. */
  readonly revision: string
  /** Folder or file of trusted keys. */
  readonly keys: string
  /** An AppProject file whose signature policy the revision is held against. */
  readonly policy?: string
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
    if (options.policy !== undefined)
      return [await heldAgainst(options.policy, options.revision, { repository, keyring, cancel })]
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

type World = { readonly repository: Repository; readonly keyring: Keyring; readonly cancel: Cancellable }

/** @throws RenderError where the file is no YAML, Error where it is no AppProject */
async function heldAgainst(file: string, name: string, { repository, keyring, cancel }: World): Promise<JudgedCommit> {
  const policies = await policiesOf(file)
  const revision = await repository.resolve(name, cancel)
  const tag = await annotatedTag(repository, { revision }, cancel)
  const { sha } = revision
  const target: Target =
    revision.kind === 'worktree'
      ? { kind: 'worktree', sha }
      : tag === undefined
        ? { kind: 'commit', sha }
        : { kind: 'tag', sha, tag, name }
  const [remote] = await repository.remotes()
  const checking = { reader: objectReader(repository), keyring, judging: { now: Date.now() }, ...cancel }
  const found = await evaluateIntegrity({ policies, repoUrl: remote?.urls[0] ?? '.', target }, checking)
  const about = { subject: revision.subject, author: revision.author }
  if (found.kind === 'not-covered') {
    const { verdict } = await verifyCommit((await repository.readCommit(sha, cancel)).raw, keyring, { now: Date.now() })
    return { ...about, verdict }
  }
  return { ...about, verdict: found.verdict, ...(found.kind === 'refused' ? { refusal: found.condition.message } : {}) }
}

async function policiesOf(file: string): Promise<ReturnType<typeof readPolicies>> {
  const documents = new YamlReader().read(await readFile(file, 'utf8'), file)
  const project = documents
    .map(({ value }) => value)
    .find((value) => isKubeObject(value) && value.kind === 'AppProject')
  if (!isObject(project)) throw new Error(`${file} holds no AppProject`)
  return readPolicies(project['spec'])
}
