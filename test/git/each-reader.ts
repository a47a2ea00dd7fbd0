import test from 'node:test'
import type { TestContext } from 'node:test'
import assert from 'node:assert/strict'
import { findGit } from '../../shared/git/git-binary.ts'
import { GitError } from '../../shared/git/git-error.ts'
import type { GitReason } from '../../shared/git/git-error.ts'
import { openRepository } from '../../shared/git/repository.ts'
import type { Repository } from '../../shared/git/repository.ts'
import { fingerprint, gitIsMissing, scaffoldRepository } from '../support/scaffold-repository.ts'
import type { Scaffold, ScaffoldOptions } from '../support/scaffold-repository.ts'

/** Why these tests cannot run here, if so. */
export const missing = await gitIsMissing()
/** The machine's git. */
export const git = await findGit()

/** Both ways to the objects must give the same answers. */
const readers = [
  { name: 'git', git },
  { name: 'no git', git: undefined },
] as const

interface Setting {
  readonly made: Scaffold
  readonly open: (folder?: string) => Promise<Repository>
}

/** Runs a check with each reader on a repository of its own, and holds that nothing in it was written. */
export function each(
  behaviour: string,
  check: (setting: Setting, t: TestContext) => Promise<void>,
  { prepare, ...options }: ScaffoldOptions & { readonly prepare: (made: Scaffold) => Promise<void> },
): void {
  for (const reader of readers) {
    test(`${behaviour} (${reader.name})`, { skip: missing ?? false }, async (t) => {
      const made = await scaffoldRepository(options)
      const opened: Repository[] = []
      try {
        await prepare(made)
        const before = await fingerprint(made.beside('.'))
        const open = async (folder = made.folder): Promise<Repository> => {
          const repository = await openRepository(folder, { git: reader.git })
          opened.push(repository)
          return repository
        }
        await check({ made, open }, t)
        assert.equal(await fingerprint(made.beside('.')), before, 'a byte below the repository was written')
      } finally {
        await Promise.all(opened.map((repository) => repository.dispose()))
        await made.dispose()
      }
    })
  }
}

/** A rejection with one reason of the closed list. */
export async function rejectsWith(promise: Promise<unknown>, reason: GitReason, message?: RegExp): Promise<void> {
  await assert.rejects(promise, (error) => {
    assert.ok(GitError.is(error), String(error))
    assert.equal(error.reason, reason, error.message)
    if (message !== undefined) assert.match(error.message, message)
    return true
  })
}

/** Two branches, three kinds of tags and a merge. */
export async function history(made: Scaffold): Promise<void> {
  await made.write({
    'apps/web/deploy.yaml': 'kind: Deployment\n',
    'apps/web/svc.yaml': 'kind: Service\n',
    README: 'hi\n',
  })
  await made.commit('First')
  await made.git('tag', 'light')
  await made.git('tag', '--annotate', '--message=one', 'v1')
  await made.git('tag', '--annotate', '--message=two', 'nested', 'v1')
  await made.write({ 'apps/web/deploy.yaml': 'kind: Deployment\n# two\n' })
  await made.commit('Second\n\nwith a body')
  await made.git('checkout', '--quiet', '-b', 'feature/x', 'HEAD~1')
  await made.write({ 'apps/api/deploy.yaml': 'kind: Deployment\n' })
  await made.commit('On a branch')
  await made.git('checkout', '--quiet', 'main')
  await made.git('merge', '--quiet', '--no-ff', '--message=Merged', 'feature/x')
}
