import { throwIfAborted } from '../base/abort.ts'
import { Lru } from '../base/lru.ts'
import type { FileEntry } from '../model/ports.ts'
import { GitError } from './git-error.ts'
import type { ObjectStore } from './object-store.ts'
import type { ReadOptions } from './objects.ts'
import { comparePaths } from './repo-path.ts'
import type { TreeView, ViewEntry } from './tree-view.ts'

/** Listings by tree id, so that a commit which leaves a folder alone lists it for nothing. */
export type ListingCache = Lru<string, readonly FileEntry[]>

/** @returns a cache for one repository. */
export function listingCache(): ListingCache {
  return new Lru(300_000)
}

/** A bound on what one listing may hold: more is a mistake of path, or an attack by nested trees. */
export const maxListedFiles = 200_000
const maxDepth = 200

/** The files of one commit. */
export class CommitView implements TreeView {
  private readonly objects: ObjectStore
  private readonly listings: ListingCache
  private readonly root: string

  constructor(objects: ObjectStore, listings: ListingCache, rootTree: string) {
    this.objects = objects
    this.listings = listings
    this.root = rootTree
  }

  async entry(path: string, options: ReadOptions): Promise<ViewEntry | undefined> {
    let current: ViewEntry = { kind: 'folder', id: this.root }
    if (path === '') return current
    for (const name of path.split('/')) {
      if (current.kind !== 'folder') return undefined
      const next = (await this.objects.tree(current.id, options)).find((entry) => entry.name === name)
      if (next === undefined) return undefined
      current = next
    }
    return current
  }

  async folderId(folder: string, options: ReadOptions): Promise<string> {
    const entry = await this.entry(folder, options)
    if (entry?.kind !== 'folder') throw new GitError('path-missing', `there is no folder ${folder}`)
    return entry.id
  }

  async below(folder: string, options: ReadOptions): Promise<readonly FileEntry[]> {
    const id = await this.folderId(folder, options)
    let listing = this.listings.get(id)
    if (listing === undefined) {
      listing = await this.walk(id, options)
      this.listings.set(id, listing, listing.length + 1)
    }
    return folder === '' ? listing : listing.map((entry) => ({ ...entry, path: `${folder}/${entry.path}` }))
  }

  bytes(_path: string, entry: ViewEntry, options: ReadOptions): Promise<Buffer> {
    return this.objects.blob(entry.id, options)
  }

  many(entries: readonly FileEntry[], options: ReadOptions): Promise<readonly Buffer[]> {
    return this.objects.blobs(
      entries.map((entry) => entry.id),
      options,
    )
  }

  /** Level by level, so that a level costs one round to the reader. */
  private async walk(rootId: string, { signal }: ReadOptions): Promise<readonly FileEntry[]> {
    const files: FileEntry[] = []
    let level: readonly (readonly [prefix: string, id: string])[] = [['', rootId]]
    for (let depth = 0; level.length > 0; depth += 1) {
      throwIfAborted(signal)
      if (depth > maxDepth) throw new GitError('too-large', `folders are nested more than ${maxDepth} deep`)
      const trees = await this.objects.treesOf(
        level.map(([, id]) => id),
        { signal },
      )
      const next: [string, string][] = []
      for (const [index, entries] of trees.entries()) {
        const prefix = level[index]?.[0] ?? ''
        for (const { name, kind, id } of entries) {
          if (kind === 'folder') next.push([`${prefix}${name}/`, id])
          else files.push({ path: prefix + name, kind, id })
        }
        if (files.length + next.length > maxListedFiles) throw tooMany()
      }
      level = next
    }
    return files.sort((a, b) => comparePaths(a.path, b.path))
  }
}

/** The error of a listing without end. */
export function tooMany(): GitError {
  return new GitError('too-large', `there are more than ${maxListedFiles} files below one folder`)
}
