import { createHash } from 'node:crypto'
import { lstat } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { throwIfAborted } from '../base/abort.ts'
import type { FileEntry } from '../model/ports.ts'
import { GitError } from './git-error.ts'
import type { ObjectFormat } from './object-id.ts'
import type { ReadOptions } from './objects.ts'
import { comparePaths, isBelow } from './repo-path.ts'
import type { TreeView, ViewEntry } from './tree-view.ts'
import type { DiskEntry, WorktreeContent } from './worktree-content.ts'
import type { WorktreeNames } from './worktree-names.ts'

/** What a view of the disk is made of. */
export interface WorktreeParts {
  readonly root: string
  readonly format: ObjectFormat
  readonly content: WorktreeContent
  readonly names: WorktreeNames
  /** Unsaved text by path relative to the root. */
  readonly overlay: ReadonlyMap<string, string>
}

const atOnce = 32

/** The files as they are on the disk, seen once: what was looked at stays as it was seen. */
export class WorktreeView implements TreeView {
  private readonly parts: WorktreeParts
  private readonly paths: readonly string[]
  private readonly folders = new Set<string>([''])
  private readonly entries = new Map<string, Promise<DiskEntry | undefined>>()
  private readonly realFolders = new Map<string, Promise<boolean>>([['', Promise.resolve(true)]])
  private readonly listings = new Map<string, Promise<readonly FileEntry[]>>()

  constructor(parts: WorktreeParts) {
    this.parts = parts
    const all = new Set([...parts.names.paths, ...parts.names.submodules.keys(), ...parts.overlay.keys()])
    this.paths = [...all].sort(comparePaths)
    for (const path of this.paths) {
      for (let folder = posix.dirname(path); folder !== '.' && !this.folders.has(folder);) {
        this.folders.add(folder)
        folder = posix.dirname(folder)
      }
    }
  }

  async entry(path: string): Promise<ViewEntry | undefined> {
    if (path === '') return { kind: 'folder', id: '' }
    const submodule = this.parts.names.submodules.get(path)
    if (submodule !== undefined) return { kind: 'submodule', id: submodule }
    const { names, overlay } = this.parts
    if (!names.paths.has(path) && !overlay.has(path)) {
      return this.folders.has(path) && (await this.hasFiles(path)) ? { kind: 'folder', id: '' } : undefined
    }
    return this.fileEntry(path)
  }

  below(folder: string, options: ReadOptions): Promise<readonly FileEntry[]> {
    const known = this.listings.get(folder)
    if (known !== undefined) return known
    const listing = this.list(folder, options)
    this.listings.set(folder, listing)
    // A listing that was cancelled must not be the answer to the next caller.
    listing.catch(() => this.listings.delete(folder))
    return listing
  }

  async folderId(folder: string, options: ReadOptions): Promise<string> {
    return treeId(await this.below(folder, options), folder, this.parts.format)
  }

  async bytes(path: string, entry: ViewEntry, { maxBytes = Number.POSITIVE_INFINITY }: ReadOptions): Promise<Buffer> {
    const unsaved = this.parts.overlay.get(path)
    if (unsaved === undefined) return this.parts.content.bytes(join(this.parts.root, path), entry.id, maxBytes)
    const bytes = Buffer.from(unsaved)
    if (bytes.length > maxBytes) throw new GitError('too-large', `${path} has ${bytes.length} bytes`)
    return bytes
  }

  async many(entries: readonly FileEntry[], options: ReadOptions): Promise<readonly Buffer[]> {
    return inBatches(entries, options, (entry) => this.bytes(entry.path, entry, options))
  }

  private async hasFiles(folder: string): Promise<boolean> {
    if (!(await this.isRealFolder(folder))) return this.overlayBelow(folder)
    for (const path of this.pathsBelow(folder)) if ((await this.fileEntry(path)) !== undefined) return true
    return false
  }

  private overlayBelow(folder: string): boolean {
    return [...this.parts.overlay.keys()].some((path) => isBelow(path, folder))
  }

  private async list(folder: string, options: ReadOptions): Promise<readonly FileEntry[]> {
    const found = await inBatches(this.pathsBelow(folder), options, async (path): Promise<FileEntry | undefined> => {
      const submodule = this.parts.names.submodules.get(path)
      if (submodule !== undefined) return { path, kind: 'submodule', id: submodule }
      const entry = await this.fileEntry(path)
      if (entry === undefined || entry.kind === 'folder') return undefined
      return { path, kind: entry.kind, id: entry.id, size: entry.size }
    })
    return found.filter((entry) => entry !== undefined)
  }

  private pathsBelow(folder: string): readonly string[] {
    if (folder === '') return this.paths
    // `0` is the character after `/`.
    return this.paths.slice(lowerBound(this.paths, `${folder}/`), lowerBound(this.paths, `${folder}0`))
  }

  private fileEntry(path: string): Promise<DiskEntry | undefined> {
    const known = this.entries.get(path)
    if (known !== undefined) return known
    const entry = this.look(path)
    this.entries.set(path, entry)
    return entry
  }

  private async look(path: string): Promise<DiskEntry | undefined> {
    const unsaved = this.parts.overlay.get(path)
    const folder = posix.dirname(path)
    const inPlace = await this.isRealFolder(folder === '.' ? '' : folder)
    const onDisk = inPlace ? await this.parts.content.entry(join(this.parts.root, path)) : undefined
    if (unsaved === undefined) return onDisk?.kind === 'folder' ? undefined : onDisk
    const bytes = Buffer.from(unsaved)
    const kind = onDisk?.kind === 'executable' ? 'executable' : 'file'
    return { kind, id: this.parts.content.keep(bytes), size: bytes.length }
  }

  /** A tracked `a/b` whose `a` is now a link is gone, not what the link leads to. */
  private isRealFolder(folder: string): Promise<boolean> {
    const known = this.realFolders.get(folder)
    if (known !== undefined) return known
    const parent = posix.dirname(folder)
    const check = this.isRealFolder(parent === '.' ? '' : parent).then(async (real) => {
      if (!real) return false
      const stat = await lstat(join(this.parts.root, folder)).catch(() => undefined)
      return stat?.isDirectory() === true
    })
    this.realFolders.set(folder, check)
    return check
  }
}

function lowerBound(sorted: readonly string[], wanted: string): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] ?? '') < wanted) low = middle + 1
    else high = middle
  }
  return low
}

async function inBatches<T, R>(
  items: readonly T[],
  { signal }: ReadOptions,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = []
  for (let start = 0; start < items.length; start += atOnce) {
    throwIfAborted(signal)
    results.push(...(await Promise.all(items.slice(start, start + atOnce).map(work))))
  }
  return results
}

const modes = { file: '100644', executable: '100755', link: '120000', submodule: '160000' } as const

interface Folder {
  readonly files: Map<string, FileEntry>
  readonly folders: Map<string, Folder>
}

/** The id that git would give to a tree of these files. */
function treeId(files: readonly FileEntry[], folder: string, format: ObjectFormat): string {
  const root: Folder = { files: new Map(), folders: new Map() }
  for (const file of files) {
    const parts = file.path.slice(folder === '' ? 0 : folder.length + 1).split('/')
    let at = root
    for (const name of parts.slice(0, -1)) {
      const next: Folder = at.folders.get(name) ?? { files: new Map(), folders: new Map() }
      at.folders.set(name, next)
      at = next
    }
    at.files.set(parts.at(-1) ?? '', file)
  }
  return hashFolder(root, format)
}

function hashFolder(folder: Folder, format: ObjectFormat): string {
  const lines: { readonly key: Buffer; readonly bytes: Buffer }[] = []
  for (const [name, { kind, id }] of folder.files) {
    lines.push({ key: Buffer.from(name), bytes: treeLine(modes[kind], name, id) })
  }
  for (const [name, inner] of folder.folders) {
    // git sorts a folder as if its name ended in a slash.
    lines.push({ key: Buffer.from(`${name}/`), bytes: treeLine('40000', name, hashFolder(inner, format)) })
  }
  const content = Buffer.concat(lines.sort((a, b) => a.key.compare(b.key)).map(({ bytes }) => bytes))
  return createHash(format).update(`tree ${content.length}\0`).update(content).digest('hex')
}

function treeLine(mode: string, name: string, id: string): Buffer {
  // A file too large to be hashed has no git id; any stable bytes serve.
  const bytes = /^[0-9a-f]{40,64}$/.test(id) ? Buffer.from(id, 'hex') : Buffer.from(id)
  return Buffer.concat([Buffer.from(`${mode} ${name}\0`), bytes])
}
