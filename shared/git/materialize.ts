import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, posix } from 'node:path'
import { throwIfAborted } from '../base/abort.ts'
import type { FileEntry, MaterializedFolder } from '../model/ports.ts'
import type { FollowedTree } from './followed-tree.ts'
import { GitError } from './git-error.ts'
import type { ReadOptions } from './objects.ts'
import type { TreeView } from './tree-view.ts'

/** Where and how much may be written. */
export interface MaterializeOptions {
  readonly temporary?: string | undefined
  readonly maxTotalBytes?: number | undefined
  readonly signal?: AbortSignal | undefined
}

const filesAtOnce = 200
const defaultTotalBytes = 512 * 1024 * 1024

/**
 * Writes files of a tree to a new folder of ours. A link to a file becomes a copy of the file; a link to a folder
 * becomes a link again, to a place inside the new folder that is written too. A link that leads out, or nowhere, is
 * left away: whoever needs it finds it missing.
 * @throws GitError path-missing, path-outside, too-large
 */
export async function materialize(
  view: TreeView,
  followed: FollowedTree,
  paths: readonly string[],
  options: MaterializeOptions,
): Promise<MaterializedFolder> {
  const plan = new Plan(view, followed, options)
  for (const path of paths) await plan.addAsked(path)
  plan.leaveToLinks()
  // A tool resolves links before it compares paths, so the folder's name must have none.
  const folder = await realpath(await mkdtemp(join(options.temporary ?? tmpdir(), 'plumbline-')))
  const dispose = (): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 3 })
  try {
    await writeFiles(folder, view, plan, options)
    for (const [link, target] of plan.folderLinks) await writeLink(folder, link, target)
    return { folder, dispose }
  } catch (error) {
    await dispose()
    throw error
  }
}

class Plan {
  /** By the path under which a file is written; `entry` says where its content is. */
  readonly files = new Map<string, FileEntry>()
  readonly folderLinks = new Map<string, string>()
  private readonly view: TreeView
  private readonly followed: FollowedTree
  private readonly options: ReadOptions
  private readonly folders = new Set<string>()

  constructor(view: TreeView, followed: FollowedTree, options: ReadOptions) {
    this.view = view
    this.followed = followed
    this.options = options
  }

  async addAsked(path: string): Promise<void> {
    const target = await this.followed.follow(path, this.options)
    if (target === undefined) throw new GitError('path-missing', `there is no ${path} in this revision`)
    const asked = posix.normalize(path).replace(/\/+$/, '').replace(/^\.$/, '')
    if (target.entry.kind === 'folder') await this.addFolder(target.path)
    else this.addFile(asked, target.path, target.entry.id, target.entry.kind)
    if (target.path !== asked && target.entry.kind === 'folder') this.folderLinks.set(asked, target.path)
  }

  /** What lies behind a link that is written anyway is reached through it. */
  leaveToLinks(): void {
    const behind = (path: string): boolean => {
      for (let folder = posix.dirname(path); folder !== '.'; folder = posix.dirname(folder)) {
        if (this.folderLinks.has(folder)) return true
      }
      return false
    }
    for (const path of this.files.keys()) if (behind(path)) this.files.delete(path)
    for (const path of this.folderLinks.keys()) if (behind(path)) this.folderLinks.delete(path)
  }

  private async addFolder(folder: string): Promise<void> {
    if (this.folders.has(folder)) return
    this.folders.add(folder)
    for (const file of await this.view.below(folder, this.options)) {
      if (file.kind === 'link') await this.addLink(file.path)
      else this.addFile(file.path, file.path, file.id, file.kind)
    }
  }

  private async addLink(link: string): Promise<void> {
    const target = await this.followed.follow(link, this.options).catch((error: unknown) => {
      if (GitError.is(error, 'path-outside')) return undefined
      throw error
    })
    if (target === undefined) return
    if (target.entry.kind !== 'folder') return this.addFile(link, target.path, target.entry.id, target.entry.kind)
    this.folderLinks.set(link, target.path)
    await this.addFolder(target.path)
  }

  private addFile(path: string, source: string, id: string, kind: string): void {
    if (kind !== 'file' && kind !== 'executable') return
    this.files.set(path, { path: source, kind, id })
  }
}

async function writeFiles(
  folder: string,
  view: TreeView,
  { files }: Plan,
  { maxTotalBytes = defaultTotalBytes, signal }: MaterializeOptions,
): Promise<void> {
  const all = [...files]
  let total = 0
  for (let start = 0; start < all.length; start += filesAtOnce) {
    throwIfAborted(signal)
    const some = all.slice(start, start + filesAtOnce)
    const contents = await view.many(
      some.map(([, entry]) => entry),
      { maxBytes: maxTotalBytes, signal },
    )
    for (const bytes of contents) total += bytes.length
    if (total > maxTotalBytes)
      throw new GitError('too-large', `the files have more than ${maxTotalBytes} bytes together`)
    for (const path of new Set(some.map(([path]) => dirname(join(folder, path)))))
      await mkdir(path, { recursive: true })
    await Promise.all(some.map(([path, entry], index) => writeOne(join(folder, path), entry, contents[index])))
  }
}

async function writeOne(file: string, entry: FileEntry, bytes: Buffer = Buffer.alloc(0)): Promise<void> {
  // `wx`: two names that one file system takes for the same (other case) must not overwrite each other.
  await writeFile(file, bytes, { flag: 'wx', mode: entry.kind === 'executable' ? 0o755 : 0o644 })
}

/** Links come last, so that no file is ever written through one. */
async function writeLink(folder: string, link: string, target: string): Promise<void> {
  await mkdir(join(folder, target), { recursive: true })
  const file = join(folder, link)
  if (link === '' || file === folder) return
  await mkdir(dirname(file), { recursive: true })
  await symlink(posix.relative(posix.dirname(link), target) || '.', file, 'dir')
}
