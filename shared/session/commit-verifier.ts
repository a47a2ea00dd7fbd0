import { Lru } from '../base/lru.ts'
import { GitError } from '../git/git-error.ts'
import type { Repository } from '../git/repository.ts'
import type { GitSource } from '../git/source.ts'
import { isObject } from '../model/json.ts'
import type { KubeObject } from '../model/kubernetes.ts'
import type { Cancellable, Checkout, StorePort, VerifierPort } from '../model/ports.ts'
import type { CommitFacts, ObjectReader } from '../signature/commit-facts.ts'
import { readPolicies } from '../signature/policy.ts'
import { createVerifier } from '../signature/verifier.ts'
import type { FolderKeyring } from './keyring.ts'

/** Commits whose verdict is remembered; a range of a thousand is checked once. */
const MOST_FACTS = 20_000

export type VerifierWorld = {
  readonly source: GitSource
  readonly keyring: FolderKeyring
  /** The AppProjects that are in force, by name. */
  projects(options: Cancellable): Promise<ReadonlyMap<string, KubeObject>>
}

/** The signed-commit checker of a session: policies from AppProjects, commits from the open repositories. */
export class CommitVerifier {
  readonly #world: VerifierWorld
  readonly #facts = new Lru<string, CommitFacts>(MOST_FACTS)

  constructor(world: VerifierWorld) {
    this.#world = world
  }

  /** @param store tells which commit was synced last, for `range` */
  portFor(store: StorePort): VerifierPort {
    return {
      judge: async (application, source, checkout, options) => {
        const { keyring } = this.#world
        // Charts come from no commit, and most projects state no policy: neither needs the repository opened.
        const policies = source.chart === undefined ? await this.#policies(application.project, options) : []
        if (policies.length === 0) return undefined
        const asked = { ...options, revision: checkout.revision.name }
        const repository = await this.#world.source.repositoryOf(source.repoURL, asked)
        const verifier = createVerifier({
          policies: async () => policies,
          keyring: async () => keyring.get(),
          reader: () => objectReader(repository),
          annotatedTag: async (of, cancel) => annotatedTag(repository, of, cancel),
          lastSynced: async (of, _, cancel) => (await store.history(of.name, cancel)).at(-1)?.revision,
          memory: this.#facts,
          now: () => Date.now(),
        })
        return verifier.judge(application, source, checkout, options)
      },
    }
  }

  async #policies(project: string, options: Cancellable): Promise<ReturnType<typeof readPolicies>> {
    const found = (await this.#world.projects(options)).get(project)
    // A project that is named and not there may have stated a policy: nothing is said to be free of one.
    if (found === undefined && project !== 'default') throw new ProjectMissing(project)
    return found === undefined || !isObject(found['spec']) ? [] : readPolicies(found['spec'])
  }
}

/** The application's project could not be found. */
export class ProjectMissing extends Error {
  readonly reason = 'project-missing'
  readonly stage = 'verify'

  constructor(project: string) {
    super(`the application's project ${project} is not among the AppProject files`)
    this.name = 'ProjectMissing'
  }
}

/** Commits and tags of a repository as the checker wants them. */
export function objectReader(repository: Repository): ObjectReader {
  return {
    readCommit: async (sha, options = {}) =>
      absentIsUndefined(async () => (await repository.readCommit(sha, options)).raw),
    readTag: async (sha, options = {}) =>
      absentIsUndefined(async () => {
        const object = await repository.readObject(sha, options)
        return object.type === 'tag' ? object.bytes : undefined
      }),
  }
}

async function absentIsUndefined(read: () => Promise<Uint8Array | undefined>): Promise<Uint8Array | undefined> {
  try {
    return await read()
  } catch (error) {
    if (GitError.is(error, 'missing-object') || GitError.is(error, 'unknown-revision')) return undefined
    throw error
  }
}

/** The id of the tag object that a revision names, where the tag is an annotated one. */
export async function annotatedTag(
  repository: Repository,
  { revision }: Pick<Checkout, 'revision'>,
  options: Cancellable,
): Promise<string | undefined> {
  const name = `refs/tags/${revision.name.replace(/^(refs\/)?tags\//, '')}`
  const ref = (await repository.refs('refs/tags/')).find((candidate) => candidate.name === name)
  if (ref === undefined) return undefined
  return (await repository.readObject(ref.id, options)).type === 'tag' ? ref.id : undefined
}
