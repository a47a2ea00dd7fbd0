import { readFileSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { constants, inflateSync } from 'node:zlib'
import { throwIfAborted } from '../base/abort.ts'
import { GitError } from './git-error.ts'
import type { ObjectFormat, ObjectType } from './object-id.ts'
import type { Found, ObjectReader, ReadOptions } from './objects.ts'
import { PackFile } from './pack-file.ts'

const maxAlternates = 20
/** Milliseconds of reading after which others get their turn. */
const sliceMs = 8
const headerBytes = 256

/**
 * Reads objects from their files, where there is no git: loose ones, packs, alternates, of either hash. Nothing is
 * fetched, and nothing larger than the limit is unpacked.
 */
export class FileReader implements ObjectReader {
  private readonly objects: string
  private readonly format: ObjectFormat
  private packs = new Map<string, PackFile>()

  /** @param commonDir holds `objects` */
  constructor(commonDir: string, format: ObjectFormat) {
    this.objects = join(commonDir, 'objects')
    this.format = format
  }

  async readMany(ids: readonly string[], { maxBytes, signal }: ReadOptions): Promise<readonly Found[]> {
    const limit = maxBytes ?? Number.POSITIVE_INFINITY
    const results: Found[] = []
    let began = performance.now()
    throwIfAborted(signal)
    for (const id of ids) {
      if (performance.now() - began > sliceMs) {
        await setImmediate()
        throwIfAborted(signal)
        began = performance.now()
      }
      results.push(this.readPacked(id, limit) ?? this.readLoose(id, limit) ?? this.readAfterRepack(id, limit))
    }
    return results
  }

  async expand(prefix: string): Promise<readonly string[]> {
    this.loadPacks()
    const all = new Set<string>()
    for (const pack of this.packs.values()) for (const id of pack.index.expand(prefix)) all.add(id)
    for (const store of this.stores()) {
      for (const name of filesOf(join(store, prefix.slice(0, 2)))) {
        const id = prefix.slice(0, 2) + name
        if (id.startsWith(prefix) && /^[0-9a-f]+$/.test(name)) all.add(id)
      }
    }
    return [...all]
  }

  async dispose(): Promise<void> {
    for (const pack of this.packs.values()) pack.close()
    this.packs = new Map()
  }

  private readPacked(id: string, limit: number): Found | undefined {
    const name = Buffer.from(id, 'hex')
    for (const [file, pack] of this.packs) {
      try {
        const offset = pack.index.find(name)
        if (offset !== undefined) return pack.read(offset, limit)
      } catch (error) {
        // A number in a damaged file may point anywhere, which Node reports in its own words.
        throw GitError.is(error) ? error : new GitError('corrupt', `${file} is damaged`, error)
      }
    }
    return undefined
  }

  /** Somebody may have packed what was loose, or fetched, since the packs were listed. */
  private readAfterRepack(id: string, limit: number): Found {
    const changed = this.loadPacks()
    return (changed ? this.readPacked(id, limit) : undefined) ?? this.readLoose(id, limit) ?? { kind: 'missing' }
  }

  private readLoose(id: string, limit: number): Found | undefined {
    for (const store of this.stores()) {
      const compressed = readIfThereSync(join(store, id.slice(0, 2), id.slice(2)))
      if (compressed !== undefined) return unpackLoose(id, compressed, limit)
    }
    return undefined
  }

  private loadPacks(): boolean {
    const packs = new Map<string, PackFile>()
    let changed = false
    for (const store of this.stores()) {
      for (const name of filesOf(join(store, 'pack'))) {
        if (!name.endsWith('.idx')) continue
        const file = join(store, 'pack', name.replace(/\.idx$/, '.pack'))
        const known = this.packs.get(file)
        const pack = known ?? this.openPack(file)
        if (pack !== undefined) packs.set(file, pack)
        changed ||= known === undefined
      }
    }
    for (const [file, pack] of this.packs) if (!packs.has(file)) pack.close()
    this.packs = packs
    return changed
  }

  private openPack(file: string): PackFile | undefined {
    try {
      return new PackFile(file, this.format)
    } catch (error) {
      // Removed by a repack between the listing and now; its objects lie elsewhere.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw GitError.is(error) ? error : new GitError('unusable', `${file} cannot be read`, error)
    }
  }

  /** This store and those that `objects/info/alternates` names, theirs included. */
  private stores(): readonly string[] {
    const stores = [this.objects]
    for (let index = 0; index < stores.length && stores.length <= maxAlternates; index += 1) {
      const store = stores[index] ?? ''
      const text = readIfThereSync(join(store, 'info', 'alternates'))?.toString('utf8') ?? ''
      for (const line of text.split('\n')) {
        const other = resolve(store, line.trim())
        if (line.trim() !== '' && !line.startsWith('#') && !stores.includes(other)) stores.push(other)
      }
    }
    return stores
  }
}

/** A loose object is `type SP size NUL content`, compressed. */
function unpackLoose(id: string, compressed: Buffer, limit: number): Found {
  try {
    const start = inflateSync(compressed.subarray(0, headerBytes), { finishFlush: constants.Z_SYNC_FLUSH })
    const header = /^(commit|tree|blob|tag) (\d+)\0/.exec(start.toString('latin1', 0, 64))
    const size = Number(header?.[2])
    if (header !== null && Number.isSafeInteger(size)) {
      const type = header[1] as ObjectType
      if (size > limit) return { kind: 'too-large', type, size }
      const whole = inflateSync(compressed, { maxOutputLength: size + header[0].length })
      if (whole.length === size + header[0].length)
        return { kind: 'object', type, bytes: whole.subarray(header[0].length) }
    }
  } catch (error) {
    throw new GitError('corrupt', `object ${id} is damaged`, error)
  }
  throw new GitError('corrupt', `object ${id} is damaged`)
}

function readIfThereSync(file: string): Buffer | undefined {
  try {
    return readFileSync(file)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR') return undefined
    throw new GitError('unusable', `${file} cannot be read`, error)
  }
}

function filesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
