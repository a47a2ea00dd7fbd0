import fs from 'node:fs'
import { readdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { expandOid, readObject } from 'isomorphic-git'
import { throwIfAborted } from '../base/abort.ts'
import { readIfThere } from './discovery.ts'
import { GitError } from './git-error.ts'
import type { ObjectType } from './object-id.ts'
import type { Found, ObjectReader, ReadOptions } from './objects.ts'

const maxAlternates = 5

/** Reads objects where there is no git binary: isomorphic-git, in this process, SHA-1 only. */
export class IsoReader implements ObjectReader {
  private readonly commonDir: string
  private stores: Promise<readonly string[]> | undefined
  /** isomorphic-git keeps the parsed pack indexes in it. */
  private cache: object = {}
  private packs = ''

  constructor(commonDir: string) {
    this.commonDir = commonDir
  }

  async readMany(ids: readonly string[], { maxBytes, signal }: ReadOptions): Promise<readonly Found[]> {
    const limit = maxBytes ?? Number.POSITIVE_INFINITY
    const results: Found[] = []
    for (const id of ids) {
      throwIfAborted(signal)
      const found = (await this.readOne(id)) ?? ((await this.packsChanged()) ? await this.readOne(id) : undefined)
      if (found === undefined) results.push({ kind: 'missing' })
      else if (found.bytes.length <= limit) results.push({ kind: 'object', ...found })
      else results.push({ kind: 'too-large', type: found.type, size: found.bytes.length })
    }
    return results
  }

  async expand(prefix: string): Promise<readonly string[]> {
    const all = new Set<string>()
    for (const gitdir of await this.objectStores()) {
      try {
        all.add(await expandOid({ fs, gitdir, oid: prefix, cache: this.cache }))
      } catch (error) {
        for (const match of ambiguousMatches(error)) all.add(match)
      }
    }
    return [...all]
  }

  async dispose(): Promise<void> {
    this.cache = {}
  }

  private async readOne(oid: string): Promise<{ readonly type: ObjectType; readonly bytes: Buffer } | undefined> {
    for (const gitdir of await this.objectStores()) {
      try {
        const { type, object } = await readObject({ fs, gitdir, oid, format: 'content', cache: this.cache })
        const bytes = object as Uint8Array
        return { type: type as ObjectType, bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) }
      } catch (error) {
        if (codeOf(error) !== 'NotFoundError') throw new GitError('corrupt', `object ${oid} cannot be read`, error)
      }
    }
    return undefined
  }

  /** A repack by somebody else makes the cached indexes wrong. */
  private async packsChanged(): Promise<boolean> {
    const names = await Promise.all(
      (await this.objectStores()).map((store) => readdir(join(store, 'objects', 'pack')).catch(() => [])),
    )
    const packs = names.flat().sort().join('\n')
    if (packs === this.packs) return false
    this.packs = packs
    this.cache = {}
    return true
  }

  private objectStores(): Promise<readonly string[]> {
    this.stores ??= withAlternates(this.commonDir)
    return this.stores
  }
}

/** isomorphic-git does not follow `objects/info/alternates`, so each store is asked in turn, by its parent folder. */
async function withAlternates(commonDir: string): Promise<readonly string[]> {
  const stores = [commonDir]
  for (let index = 0; index < stores.length && stores.length <= maxAlternates; index += 1) {
    const objects = join(stores[index] ?? commonDir, 'objects')
    const text = (await readIfThere(join(objects, 'info', 'alternates'))) ?? ''
    for (const line of text.split('\n')) {
      if (line.trim() === '' || line.startsWith('#')) continue
      const folder = dirname(resolve(objects, line.trim()))
      if (!stores.includes(folder)) stores.push(folder)
    }
  }
  return stores
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown } | undefined)?.code
}

function ambiguousMatches(error: unknown): readonly string[] {
  if (codeOf(error) === 'NotFoundError') return []
  const matches = (error as { data?: { matches?: unknown } } | undefined)?.data?.matches
  if (Array.isArray(matches)) return matches.filter((match): match is string => typeof match === 'string')
  throw new GitError('corrupt', 'the object store cannot be searched', error)
}
