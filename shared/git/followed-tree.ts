import { createHash } from 'node:crypto'
import { GitError } from './git-error.ts'
import type { ReadOptions } from './objects.ts'
import { comparePaths, linkParts, repoPath, stepInto } from './repo-path.ts'
import type { TreeView, ViewEntry } from './tree-view.ts'

/** Where a path leads once every link on the way has been followed. */
export interface Followed {
  readonly path: string
  readonly entry: ViewEntry
}

/** As many links as the kernel follows (path_resolution(7)). */
const maxLinks = 40
const maxLinkBytes = 4096

/** Follows links inside of one tree, and nowhere else. */
export class FollowedTree {
  private readonly view: TreeView

  constructor(view: TreeView) {
    this.view = view
  }

  /**
   * @returns undefined where the path, or what a link on it names, does not exist.
   * @throws GitError path-outside when a link leads out of the repository, or in circles
   */
  async follow(path: string, options: ReadOptions): Promise<Followed | undefined> {
    let rest = repoPath(path).split('/').filter(Boolean)
    let at = ''
    let entry = await this.view.entry('', options)
    for (let links = 0; rest.length > 0;) {
      const [name = '', ...after] = rest
      if (entry?.kind !== 'folder') return undefined
      const here: string = stepInto(at, name, path)
      const next: ViewEntry | undefined = await this.view.entry(here, options)
      if (next === undefined) return undefined
      rest = after
      if (next.kind === 'link') {
        links += 1
        if (links > maxLinks) throw new GitError('path-outside', `${path} is a link that leads in circles`)
        rest = [...linkParts(here, await this.linkText(here, next, options)), ...after]
      } else {
        at = here
        entry = next
      }
    }
    return entry === undefined ? undefined : { path: at, entry }
  }

  /**
   * An id that changes exactly when something below the path does. Without links it is git's own tree or blob id, so
   * that a clean working tree and its commit agree; with links it covers what they lead to.
   */
  async id(path: string, options: ReadOptions): Promise<string | undefined> {
    const followed = await this.follow(path, options)
    if (followed === undefined) return undefined
    const seen = new Map<string, string>()
    await this.collect(followed, seen, options)
    const [only] = seen.values()
    if (seen.size === 1 && only !== undefined) return only
    const hash = createHash('sha256')
    for (const [place, id] of [...seen].sort(([a], [b]) => comparePaths(a, b))) hash.update(`${id} ${place}\0`)
    return `links:${hash.digest('hex')}`
  }

  private async collect({ path, entry }: Followed, seen: Map<string, string>, options: ReadOptions): Promise<void> {
    if (seen.has(path)) return
    if (entry.kind !== 'folder') {
      seen.set(path, entry.id)
      return
    }
    seen.set(path, await this.view.folderId(path, options))
    for (const file of await this.view.below(path, options)) {
      if (file.kind !== 'link') continue
      const target = await this.followInside(file.path, options)
      if (target === undefined) seen.set(`${file.path} (dangling)`, '')
      else await this.collect(target, seen, options)
    }
  }

  /** A link that leads out is an error for whoever reads it, not for the folder that holds it. */
  private async followInside(path: string, options: ReadOptions): Promise<Followed | undefined> {
    try {
      return await this.follow(path, options)
    } catch (error) {
      if (GitError.is(error, 'path-outside')) return undefined
      throw error
    }
  }

  private async linkText(path: string, entry: ViewEntry, options: ReadOptions): Promise<string> {
    return (await this.view.bytes(path, entry, { ...options, maxBytes: maxLinkBytes })).toString('utf8')
  }
}
