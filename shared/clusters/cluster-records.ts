import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { ClusterRef, ClusterSpec } from '../model/cluster.ts'
import { ClustersError } from './clusters-error.ts'
import { writePrivately } from './private-file.ts'
import { isAlive, markOf, type ProcessMark } from './process-identity.ts'
import type { Host } from './provider.ts'

/** What is written down of a cluster that Plumbline makes: before anything is made, until nothing is left of it. */
export type ClusterRecord = {
  readonly ref: ClusterRef
  readonly spec: ClusterSpec
  /** RFC 3339. */
  readonly createdAt: string
  /** `made` for one that stands; the others name what was going on when it was last written. */
  readonly phase: 'creating' | 'made' | 'starting' | 'stopping' | 'deleting' | 'failed'
  /** Who works on it. */
  readonly by?: ProcessMark & { readonly run: string }
  /** Why its making failed. */
  readonly failure?: string
}

/** This process, told apart from one that had its number before. */
const run = randomUUID()

export class ClusterRecords {
  readonly #folder: string

  constructor(host: Host) {
    this.#folder = path.join(host.state, 'clusters', 'records')
  }

  async all(): Promise<readonly ClusterRecord[]> {
    const names = await readdir(this.#folder).catch(() => [])
    const records = await Promise.all(names.filter((name) => name.endsWith('.json')).map((name) => this.#read(name)))
    return records.filter((record) => record !== undefined)
  }

  async get(ref: ClusterRef): Promise<ClusterRecord | undefined> {
    return this.#read(fileName(ref))
  }

  /** Takes a name for a cluster that is about to be made. @throws ClustersError `busy` where another process did just now */
  async claim(spec: ClusterSpec): Promise<void> {
    const ref: ClusterRef = { provider: spec.provider, name: spec.name }
    const known = await this.get(ref)
    if (known !== undefined && (await this.isWorkedOn(known))) throw busy(known)
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    const file = path.join(this.#folder, fileName(ref))
    // What a creation left that was cut off is taken over.
    if (known !== undefined) await rm(file, { force: true })
    const record = { ref, spec, createdAt: new Date().toISOString(), phase: 'creating', by: await self() } as const
    try {
      await writeFile(file, JSON.stringify(record), { flag: 'wx', mode: 0o600 })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      throw new ClustersError('busy', `${ref.provider} cluster ${ref.name} is being created by another process`)
    }
  }

  /** Writes down what goes on with a cluster of ours; nothing for one that is not. @throws ClustersError `busy` */
  async enter(ref: ClusterRef, phase: 'starting' | 'stopping' | 'deleting'): Promise<void> {
    const known = await this.get(ref)
    if (known === undefined) return
    if (await this.isWorkedOn(known)) throw busy(known)
    await this.#write({ ...known, phase, by: await self() })
  }

  async leave(ref: ClusterRef, phase: 'made' | 'failed', failure?: string): Promise<void> {
    const known = await this.get(ref)
    if (known === undefined) return
    const { ref: of, spec, createdAt } = known
    await this.#write({ ref: of, spec, createdAt, phase, ...(failure === undefined ? {} : { failure }) })
  }

  async forget(ref: ClusterRef): Promise<void> {
    await rm(path.join(this.#folder, fileName(ref)), { force: true })
  }

  /** Whether somebody works on it who is still there. */
  async isWorkedOn({ by }: ClusterRecord): Promise<boolean> {
    return by !== undefined && (by.run === run || (by.pid !== process.pid && (await isAlive(by))))
  }

  async #write(record: ClusterRecord): Promise<void> {
    await writePrivately(path.join(this.#folder, fileName(record.ref)), JSON.stringify(record))
  }

  async #read(name: string): Promise<ClusterRecord | undefined> {
    try {
      const record = JSON.parse(await readFile(path.join(this.#folder, name), 'utf8')) as ClusterRecord
      return fileName(record.ref) === name ? record : undefined
    } catch {
      // Gone meanwhile, or cut off: a record that cannot be read owns nothing.
      return undefined
    }
  }
}

async function self(): Promise<ProcessMark & { readonly run: string }> {
  return { ...((await markOf(process.pid)) ?? { pid: process.pid, started: '' }), run }
}

function fileName({ provider, name }: ClusterRef): string {
  return `${provider}--${name}.json`
}

function busy({ ref, phase }: ClusterRecord): ClustersError {
  return new ClustersError(
    'busy',
    `${ref.provider} cluster ${ref.name} is ${phase} already`,
    'wait for it, or cancel it',
  )
}
