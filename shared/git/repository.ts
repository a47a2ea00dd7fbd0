import { existsSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path'
import type { Revision } from '../model/revision.ts'
import { BatchReader } from './batch-reader.ts'
import { changedPaths } from './changed-paths.ts'
import type { Commit } from './commit-parser.ts'
import { CommitView, listingCache } from './commit-view.ts'
import { discoverRepository, readIfThere } from './discovery.ts'
import type { RepositoryLayout } from './discovery.ts'
import { FileReader } from './file-reader.ts'
import type { GitBinary } from './git-binary.ts'
import { configuredRemotes, parseConfig } from './git-config.ts'
import type { Remote } from './git-config.ts'
import { GitError } from './git-error.ts'
import { listCommits } from './log.ts'
import type { LogRange } from './log.ts'
import { ObjectStore } from './object-store.ts'
import { RefStore } from './refs.ts'
import type { Ref } from './refs.ts'
import { resolveRevision } from './resolve-revision.ts'
import { TreeCheckout } from './tree-checkout.ts'
import type { ReadLimits } from './tree-checkout.ts'
import { isGitFolder } from './tree-parser.ts'
import { WorktreeContent } from './worktree-content.ts'
import { worktreeNames } from './worktree-names.ts'
import { WorktreeView } from './worktree-view.ts'

/** The last field of every option. */
export interface Options {
  readonly signal?: AbortSignal | undefined
}

/** How a repository is opened. */
export interface OpenOptions extends Options {
  /** Undefined where there is no git: repositories are read all the same. */
  readonly git: GitBinary | undefined
  readonly limits?: ReadLimits | undefined
}

/** The word that means the files as they are on the disk. */
export const worktreeRevision = 'WORKTREE'

/** Opens the repository that a folder lies in. @throws GitError */
export async function openRepository(path: string, { git, limits }: OpenOptions): Promise<Repository> {
  const layout = await discoverRepository(path)
  return new Repository(layout, git, limits ?? {})
}

/** One repository on the disk, read only: nothing here writes a byte below its folders. */
export class Repository {
  readonly layout: RepositoryLayout
  private readonly git: GitBinary | undefined
  private readonly limits: ReadLimits
  private readonly refStore: RefStore
  private readonly objects: ObjectStore
  private readonly listings = listingCache()
  private readonly content: WorktreeContent

  constructor(layout: RepositoryLayout, git: GitBinary | undefined, limits: ReadLimits) {
    this.layout = layout
    this.git = git
    this.limits = limits
    this.refStore = new RefStore(layout)
    // Not every git can be kept from fetching what a partial clone lacks.
    const byUs = git === undefined || layout.partial
    const reader = byUs ? new FileReader(layout.commonDir, layout.objectFormat) : new BatchReader(git, layout.gitDir)
    this.objects = new ObjectStore(layout, reader)
    this.content = new WorktreeContent(layout.objectFormat)
  }

  /** @throws GitError unknown-revision, ambiguous-revision */
  async resolve(name: string, options: Options = {}): Promise<Revision> {
    if (name === worktreeRevision) return this.worktreeRevision(options)
    const { layout, refStore: refs, objects } = this
    const sha = await resolveRevision(name, { layout, refs, objects, remotes: () => this.remotes() }, options).catch(
      (error: unknown) => {
        if (existsSync(layout.gitDir)) throw error
        throw new GitError('not-a-repository', `${layout.root ?? layout.gitDir} is no longer a Git repository`, error)
      },
    )
    return describe(name, 'commit', await this.objects.commit(sha, options))
  }

  /**
   * Opens the files of a revision.
   * @param overlay unsaved text by absolute path, for the working tree
   */
  async checkout(
    revision: Revision,
    { signal, overlay = new Map() }: Options & { readonly overlay?: ReadonlyMap<string, string> | undefined } = {},
  ): Promise<TreeCheckout> {
    if (revision.kind === 'commit') {
      const { tree } = await this.objects.commit(revision.sha, { signal })
      return new TreeCheckout(revision, new CommitView(this.objects, this.listings, tree), this.limits)
    }
    const root = this.worktreeRoot()
    const names = await worktreeNames(this.layout, root, this.git, { signal })
    const parts = { root, format: this.layout.objectFormat, content: this.content, names }
    const view = new WorktreeView({ ...parts, overlay: await overlayInside(root, overlay, names.paths) })
    return new TreeCheckout(revision, view, this.limits)
  }

  /** A commit with its raw bytes. @throws GitError */
  readCommit(sha: string, options: Options = {}): Promise<Commit> {
    return this.objects.commit(sha, options)
  }

  /** Any object as it is stored, an annotated tag among them. @throws GitError */
  readObject(id: string, options: Options = {}): ReturnType<ObjectStore['raw']> {
    return this.objects.raw(id, options)
  }

  /** Commits of a range, newest first. @throws GitError */
  log(range: LogRange, options: Options = {}): Promise<readonly string[]> {
    return listCommits({ layout: this.layout, objects: this.objects, git: this.git }, range, options)
  }

  /** Paths in which two commits differ, sorted; renames are two paths. @throws GitError */
  async changedPaths(from: string, to: string, options: Options = {}): Promise<readonly string[]> {
    const [a, b] = await Promise.all([this.objects.commit(from, options), this.objects.commit(to, options)])
    return changedPaths(this.objects, a.tree, b.tree, options)
  }

  /** All refs below a prefix such as `refs/heads/`. */
  refs(prefix = 'refs/'): Promise<readonly Ref[]> {
    return this.refStore.list(prefix)
  }

  /** The branch that is checked out, undefined where HEAD is detached. */
  async currentBranch(): Promise<string | undefined> {
    return (await this.refStore.symbolicTarget('HEAD'))?.replace(/^refs\/heads\//, '')
  }

  /** As the configuration has them now. */
  async remotes(): Promise<readonly Remote[]> {
    return configuredRemotes(parseConfig((await readIfThere(join(this.layout.commonDir, 'config'))) ?? ''))
  }

  dispose(): Promise<void> {
    return this.objects.dispose()
  }

  private worktreeRoot(): string {
    const { root, gitDir } = this.layout
    if (root === undefined) throw new GitError('unknown-revision', `${gitDir} is bare: it has no working tree`)
    return root
  }

  private async worktreeRevision(options: Options): Promise<Revision> {
    this.worktreeRoot()
    const head = await this.resolve('HEAD', options).catch((error: unknown) => {
      if (GitError.is(error, 'unknown-revision')) return undefined
      throw error
    })
    const none = { sha: '', subject: '', author: '', authorEmail: '', committedAt: '' }
    return { ...(head ?? none), name: worktreeRevision, kind: 'worktree' }
  }
}

function describe(name: string, kind: Revision['kind'], { sha, subject, author, committer }: Commit): Revision {
  const committedAt = new Date(committer.time * 1000)
  return {
    sha,
    name,
    kind,
    subject,
    author: author.name,
    authorEmail: author.email,
    // A time that no calendar has is shown as none.
    committedAt: Number.isNaN(committedAt.getTime()) ? '' : committedAt.toISOString().replace('.000Z', 'Z'),
  }
}

/** Editors know files by the path under which they were opened, which may lead through links. */
async function overlayInside(
  root: string,
  overlay: ReadonlyMap<string, string>,
  names: ReadonlySet<string>,
): Promise<ReadonlyMap<string, string>> {
  const inside = new Map<string, string>()
  for (const [file, text] of overlay) {
    if (!isAbsolute(file)) continue
    const folder = await realpath(dirname(file)).catch(() => dirname(file))
    const parts = relative(root, join(folder, basename(file))).split(sep)
    if (parts[0] === '' || parts[0] === '..' || isAbsolute(parts.join(sep)) || parts.some(isGitFolder)) continue
    const path = parts.join('/')
    // A file that is on the disk and not in the listing is ignored, and stays so while it is edited.
    if (names.has(path) || !existsSync(join(root, path))) inside.set(path, text)
  }
  return inside
}
