import { join } from 'node:path'
import { Lru } from '../base/lru.ts'
import { parseCommit, parseTag } from './commit-parser.ts'
import type { Commit } from './commit-parser.ts'
import { readIfThere } from './discovery.ts'
import type { RepositoryLayout } from './discovery.ts'
import { GitError } from './git-error.ts'
import { verifyObject } from './object-id.ts'
import type { ObjectType } from './object-id.ts'
import type { Found, ObjectReader, ReadOptions } from './objects.ts'
import { parseTree } from './tree-parser.ts'
import type { TreeEntry } from './tree-parser.ts'

type Options = Pick<ReadOptions, 'signal'>

/** A tree or a commit above this is an attack, not a repository. */
const maxStructureBytes = 16 * 1024 * 1024
const cacheBytes = 32 * 1024 * 1024
const maxTagDepth = 10

/** Objects by id, parsed, each checked against its id; trees and commits are kept. */
export class ObjectStore {
  private readonly layout: RepositoryLayout
  private readonly reader: ObjectReader
  private readonly trees = new Lru<string, readonly TreeEntry[]>(cacheBytes)
  private readonly commits = new Lru<string, Commit>(cacheBytes)
  private shallow: Promise<ReadonlySet<string>> | undefined

  constructor(layout: RepositoryLayout, reader: ObjectReader) {
    this.layout = layout
    this.reader = reader
  }

  /** @throws GitError missing-object, corrupt */
  async commit(id: string, options: Options): Promise<Commit> {
    const kept = this.commits.get(id)
    if (kept !== undefined) return kept
    const commit = parseCommit(id, await this.readOne(id, 'commit', { ...options, maxBytes: maxStructureBytes }))
    this.commits.set(id, commit, commit.raw.length + 500)
    return commit
  }

  /** Several trees in one round. */
  async treesOf(ids: readonly string[], options: Options): Promise<readonly (readonly TreeEntry[])[]> {
    const unknown = [...new Set(ids)].filter((id) => this.trees.get(id) === undefined)
    const fresh = new Map<string, readonly TreeEntry[]>()
    const found = await this.readAll(unknown, { ...options, maxBytes: maxStructureBytes })
    for (const [index, id] of unknown.entries()) {
      const bytes = this.content(id, 'tree', found[index])
      const entries = parseTree(bytes, this.layout.objectFormat, id)
      fresh.set(id, entries)
      this.trees.set(id, entries, bytes.length * 3 + 100)
    }
    return ids.map((id) => fresh.get(id) ?? this.trees.get(id) ?? [])
  }

  async tree(id: string, options: Options): Promise<readonly TreeEntry[]> {
    const [entries = []] = await this.treesOf([id], options)
    return entries
  }

  /** @throws GitError too-large, missing-object, corrupt */
  async blob(id: string, options: ReadOptions): Promise<Buffer> {
    return this.readOne(id, 'blob', options)
  }

  /** Several blobs in one round, in the order of the ids. */
  async blobs(ids: readonly string[], options: ReadOptions): Promise<readonly Buffer[]> {
    const found = await this.readAll(ids, options)
    return ids.map((id, index) => this.content(id, 'blob', found[index]))
  }

  /** Any object, for what is done with it elsewhere. */
  async raw(id: string, options: Options): Promise<{ readonly type: ObjectType; readonly bytes: Buffer }> {
    const [found] = await this.readAll([id], { ...options, maxBytes: maxStructureBytes })
    if (found?.kind !== 'object') return { type: 'commit', bytes: this.content(id, 'commit', found) }
    verifyObject(id, found.type, found.bytes, this.layout.objectFormat)
    return found
  }

  /** Follows annotated tags. @returns the commit's id. @throws GitError unknown-revision when it is none */
  async peel(id: string, options: Options): Promise<string> {
    let current = id
    for (let depth = 0; depth < maxTagDepth; depth += 1) {
      if (this.commits.get(current) !== undefined) return current
      const { type, bytes } = await this.raw(current, options)
      if (type === 'commit') {
        this.commits.set(current, parseCommit(current, bytes), bytes.length + 500)
        return current
      }
      if (type !== 'tag') throw new GitError('unknown-revision', `${current} is a ${type}, not a commit`)
      current = parseTag(current, bytes).target
    }
    throw new GitError('corrupt', `tag ${id} points at tags without end`)
  }

  async isCommitish(id: string, options: Options): Promise<boolean> {
    try {
      await this.peel(id, options)
      return true
    } catch (error) {
      if (GitError.is(error, 'unknown-revision')) return false
      throw error
    }
  }

  /** A commit's parents, none where a shallow clone was cut off. */
  async parents(id: string, options: Options): Promise<readonly string[]> {
    this.shallow ??= readShallow(this.layout)
    return (await this.shallow).has(id) ? [] : (await this.commit(id, options)).parents
  }

  expand(prefix: string, options: Options): Promise<readonly string[]> {
    return this.reader.expand(prefix, options)
  }

  dispose(): Promise<void> {
    return this.reader.dispose()
  }

  private async readOne(id: string, type: ObjectType, options: ReadOptions): Promise<Buffer> {
    const [found] = await this.readAll([id], options)
    return this.content(id, type, found)
  }

  private readAll(ids: readonly string[], options: ReadOptions): Promise<readonly Found[]> {
    return this.reader.readMany(ids, options)
  }

  private content(id: string, type: ObjectType, found: Found | undefined): Buffer {
    if (found === undefined || found.kind === 'missing') throw this.missing(id, type)
    if (found.kind === 'too-large') {
      throw new GitError('too-large', `${found.type} ${id} has ${found.size} bytes, more than is read of one object`)
    }
    if (found.type !== type) throw new GitError('corrupt', `${id} is a ${found.type} where a ${type} should be`)
    verifyObject(id, type, found.bytes, this.layout.objectFormat)
    return found.bytes
  }

  private missing(id: string, type: string): GitError {
    const { root, gitDir, partial, shallow } = this.layout
    const why = partial
      ? ': a partial clone, whose other objects are on the remote (git fetch --refetch brings them)'
      : shallow
        ? ': a shallow clone (git fetch --unshallow brings the rest)'
        : ''
    return new GitError('missing-object', `${type} ${id} is not in ${root ?? gitDir}${why}`)
  }
}

async function readShallow(layout: RepositoryLayout): Promise<ReadonlySet<string>> {
  const text = (await readIfThere(join(layout.commonDir, 'shallow'))) ?? ''
  return new Set(text.split('\n').filter(Boolean))
}
