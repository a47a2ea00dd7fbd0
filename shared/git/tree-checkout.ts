import type { Cancellable, Checkout, FileEntry, MaterializedFolder } from '../model/ports.ts'
import type { Revision } from '../model/revision.ts'
import { FollowedTree } from './followed-tree.ts'
import { GitError } from './git-error.ts'
import { materialize } from './materialize.ts'
import { repoPath } from './repo-path.ts'
import type { TreeView } from './tree-view.ts'

/** Bounds on what is read of a repository. */
export interface ReadLimits {
  /** Bytes of one file; 10 MiB when absent. */
  readonly maxFileBytes?: number | undefined
  /** Bytes of one materialized folder; 512 MiB when absent. */
  readonly maxTotalBytes?: number | undefined
  /** Folder for materialized files; the system's when absent. */
  readonly temporary?: string | undefined
}

const defaultFileBytes = 10 * 1024 * 1024

/** The port's view of any tree of files. */
export class TreeCheckout implements Checkout {
  readonly revision: Revision
  private readonly view: TreeView
  private readonly followed: FollowedTree
  private readonly limits: ReadLimits

  constructor(revision: Revision, view: TreeView, limits: ReadLimits) {
    this.revision = revision
    this.view = view
    this.followed = new FollowedTree(view)
    this.limits = limits
  }

  treeId(path: string, options: Cancellable = {}): Promise<string | undefined> {
    return this.followed.id(path, options)
  }

  async list(path: string, options: Cancellable = {}): Promise<readonly FileEntry[]> {
    const asked = repoPath(path)
    const found = await this.followed.follow(asked, options)
    if (found === undefined) throw this.missing(path)
    const { path: place, entry } = found
    if (entry.kind !== 'folder') return [{ path: asked, kind: entry.kind, id: entry.id }]
    const files = await this.view.below(place, options)
    if (place === asked) return files
    // Behind a link the files keep the names by which they were asked for.
    const cut = place === '' ? 0 : place.length + 1
    return files.map((file) => ({ ...file, path: joined(asked, file.path.slice(cut)) }))
  }

  async read(path: string, options: Cancellable = {}): Promise<Uint8Array> {
    const found = await this.followed.follow(path, options)
    if (found === undefined) throw this.missing(path)
    const { kind } = found.entry
    if (kind === 'folder') throw new GitError('path-missing', `${path} is a folder, not a file`)
    if (kind === 'submodule') throw new GitError('path-missing', `${path} is a submodule, whose files are not read`)
    return this.withName(path, () => this.view.bytes(found.path, found.entry, this.bounded(options)))
  }

  async materialize(paths: readonly string[], { signal }: Cancellable = {}): Promise<MaterializedFolder> {
    const { maxTotalBytes, temporary } = this.limits
    const asked = paths.map((path) => repoPath(path))
    return materialize(this.view, this.followed, asked, { maxTotalBytes, temporary, signal })
  }

  private bounded({ signal }: Cancellable): { readonly maxBytes: number; readonly signal: AbortSignal | undefined } {
    return { maxBytes: this.limits.maxFileBytes ?? defaultFileBytes, signal }
  }

  private missing(path: string): GitError {
    const { kind, sha } = this.revision
    const where = kind === 'worktree' ? 'the working tree' : `commit ${sha.slice(0, 12)}`
    return new GitError('path-missing', `there is no ${path === '' ? 'file' : path} in ${where}`)
  }

  /** An object's id means nothing to a person; the path does. */
  private async withName<T>(path: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (GitError.is(error, 'too-large')) throw new GitError('too-large', `${path}: ${error.message}`, error)
      throw error
    }
  }
}

function joined(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`
}
