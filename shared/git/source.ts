import { join, resolve } from 'node:path'
import { cacheFolder as cacheRoot } from '../base/folders.ts'
import type { ApplicationSource } from '../model/application.ts'
import type { Cancellable, Checkout, SourcePort } from '../model/ports.ts'
import type { RemoteAccess } from './credentials.ts'
import { findGit } from './git-binary.ts'
import type { GitBinary } from './git-binary.ts'
import { GitError } from './git-error.ts'
import { MirrorCache } from './mirror.ts'
import { parseRemoteUrl, remoteKey } from './remote-url.ts'
import { openRepository, worktreeRevision } from './repository.ts'
import type { Repository } from './repository.ts'
import type { ReadLimits } from './tree-checkout.ts'

/** What a source is made of; the defaults are those of a person's machine. */
export interface SourceOptions extends Cancellable {
  /** A folder; the repository it lies in, if any, is the open one. */
  readonly workspace: string
  /** The git program: a path, or `none` to do without. */
  readonly git?: string | undefined
  /** Where copies of remotes are kept; `git` below the user's cache folder of Plumbline when absent. */
  readonly cacheFolder?: string | undefined
  readonly access?: RemoteAccess | undefined
  /** Text by absolute path that editors hold unsaved; asked at each read of the working tree. */
  readonly overlay?: (() => ReadonlyMap<string, string>) | undefined
  readonly limits?: ReadLimits | undefined
  /** Milliseconds for which a remote is not asked again; 30 s when absent. */
  readonly freshMs?: number | undefined
}

/** `overlay` is text that counts for this once instead of what editors hold. */
export type ResolveOptions = Cancellable & {
  readonly revision?: string
  readonly overlay?: ReadonlyMap<string, string>
}

/** Makes the Git edge over a workspace. A workspace that is no repository is not an error until it is read. */
export async function createSource(options: SourceOptions): Promise<GitSource> {
  const git = options.git === 'none' ? undefined : await findGit(options.git, { signal: options.signal })
  const limits = options.limits ?? {}
  const workspace = await openRepository(options.workspace, { git, limits }).catch((error: unknown) => {
    if (GitError.is(error, 'not-a-repository')) return undefined
    throw error
  })
  return new GitSource(options, git, workspace)
}

/** Every repository that applications name, behind one port. */
export class GitSource implements SourcePort {
  /** The repository that the workspace lies in. */
  readonly repository: Repository | undefined
  readonly git: GitBinary | undefined
  private readonly options: SourceOptions
  private readonly mirrors: MirrorCache
  /** Other local repositories, by the path that names them. */
  private readonly local = new Map<string, Promise<Repository>>()

  constructor(options: SourceOptions, git: GitBinary | undefined, repository: Repository | undefined) {
    this.options = options
    this.git = git
    this.repository = repository
    const { cacheFolder = join(cacheRoot(), 'git'), access = {}, limits = {}, freshMs = 30_000 } = options
    this.mirrors = new MirrorCache({ folder: cacheFolder, git, access, limits, freshMs })
  }

  /** The top folder of the workspace's repository. */
  get root(): string | undefined {
    return this.repository?.layout.root
  }

  /** @throws GitError, CancelledError */
  async resolve(source: ApplicationSource, options: ResolveOptions): Promise<Checkout> {
    if (source.chart !== undefined) {
      throw new GitError('unsupported', `${source.repoURL} is a Helm repository (chart ${source.chart}), not a Git one`)
    }
    const wanted = options.revision ?? source.targetRevision
    const name = wanted === '' ? 'HEAD' : wanted
    const repository = await this.repositoryOf(source.repoURL, { ...options, revision: name })
    const revision = await repository.resolve(name, options)
    return repository.checkout(revision, { ...options, overlay: options.overlay ?? this.options.overlay?.() })
  }

  /**
   * The repository that a repoURL means: the open one where the URL names one of its remotes, a local one for a path,
   * else a mirror that has been asked for the revision.
   */
  async repositoryOf(repoURL: string, options: Cancellable & { readonly revision?: string } = {}): Promise<Repository> {
    const remote = parseRemoteUrl(repoURL)
    if (remote.kind === 'local') return this.localRepository(remote.path)
    if (this.repository !== undefined && (await hasRemote(this.repository, repoURL))) return this.repository
    const revision = options.revision ?? 'HEAD'
    if (revision === worktreeRevision) {
      throw new GitError(
        'unknown-revision',
        `${remote.url} is no remote of the open repository, so it has no working tree here`,
      )
    }
    return this.mirrors.repository(remote, revision, options)
  }

  /** Whether a URL means the open repository: its path, or one of its remotes. */
  async isOpen(repoURL: string): Promise<boolean> {
    if (this.repository === undefined) return false
    const folder = localPathOf(repoURL)
    if (folder === undefined) return hasRemote(this.repository, repoURL)
    return (await this.localRepository(folder).catch(() => undefined)) === this.repository
  }

  /** Asks a remote for its branches. @returns how many it has @throws GitError, CancelledError */
  async probe(repoURL: string, options: Cancellable): Promise<number> {
    const remote = parseRemoteUrl(repoURL)
    if (remote.kind === 'local') {
      const repository = await this.localRepository(remote.path)
      return (await repository.refs('refs/heads/')).length
    }
    const { refs } = await this.mirrors.probe(remote, options)
    return refs.filter(({ name }) => name.startsWith('refs/heads/')).length
  }

  /** A hard refresh: the next use of each remote asks it again. */
  expire(): void {
    this.mirrors.expire()
  }

  async dispose(): Promise<void> {
    const others = await Promise.allSettled(this.local.values())
    for (const result of others) if (result.status === 'fulfilled') await result.value.dispose()
    await this.repository?.dispose()
    await this.mirrors.dispose()
  }

  private async localRepository(path: string): Promise<Repository> {
    const folder = resolve(this.root ?? this.options.workspace, path)
    const known = this.local.get(folder)
    if (known !== undefined) return known
    const opening = this.openLocal(folder)
    this.local.set(folder, opening)
    opening.catch(() => this.local.delete(folder))
    return opening
  }

  private async openLocal(folder: string): Promise<Repository> {
    const found = await openRepository(folder, { git: this.git, limits: this.options.limits })
    if (this.repository === undefined || found.layout.gitDir !== this.repository.layout.gitDir) return found
    await found.dispose()
    return this.repository
  }
}

async function hasRemote(repository: Repository, repoURL: string): Promise<boolean> {
  const key = remoteKey(repoURL)
  return (await repository.remotes()).some(({ urls }) => urls.some((url) => keyOrNothing(url) === key))
}

/** The path of a local URL; undefined for every other, readable or not. */
function localPathOf(url: string): string | undefined {
  try {
    const remote = parseRemoteUrl(url)
    return remote.kind === 'local' ? remote.path : undefined
  } catch {
    return undefined
  }
}

/** A remote that is written wrong in somebody's config matches nothing. */
function keyOrNothing(url: string): string | undefined {
  try {
    return remoteKey(url)
  } catch {
    return undefined
  }
}
