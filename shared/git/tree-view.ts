import type { FileEntry } from '../model/ports.ts'
import type { ReadOptions } from './objects.ts'
import type { EntryKind } from './tree-parser.ts'

/** One name in a folder. */
export interface ViewEntry {
  readonly kind: EntryKind
  /** The id that git gives (or would give) to it; '' for a folder on disk, whose id nobody has asked for yet. */
  readonly id: string
}

/**
 * A tree of files as it lies in a commit or on the disk. Paths are in `repoPath` form. Nothing here follows a link:
 * that is decided in one place, by `FollowedTree`.
 */
export interface TreeView {
  /** Undefined where nothing is, and below a link. */
  entry(path: string, options: ReadOptions): Promise<ViewEntry | undefined>
  /** All files below a folder, sorted by path. */
  below(folder: string, options: ReadOptions): Promise<readonly FileEntry[]>
  /** git's id of a folder's tree. */
  folderId(folder: string, options: ReadOptions): Promise<string>
  /** A file's content or a link's text. @throws GitError too-large */
  bytes(path: string, entry: ViewEntry, options: ReadOptions): Promise<Buffer>
  /** Several files at once, in the order of the entries. */
  many(entries: readonly FileEntry[], options: ReadOptions): Promise<readonly Buffer[]>
}
