import path from 'node:path'
import { cacheFolder, stateFolder } from '../base/folders.ts'
import {
  clusterId,
  type ClusterProvider,
  type ClusterRef,
  type ClusterRow,
  type ClusterSpec,
  type ProviderRow,
  type ToolFinding,
} from '../model/cluster.ts'
import type { Cancellable } from '../model/ports.ts'
import { ClusterOperations, type Progress, type ToldEvent } from './cluster-operations.ts'
import { checkName } from './cluster-name.ts'
import { ClusterRecords, type ClusterRecord } from './cluster-records.ts'
import { rowOf } from './cluster-row.ts'
import { ClustersError } from './clusters-error.ts'
import { ControlPlaneProvider } from './control-plane/control-plane-provider.ts'
import { EmbeddedProvider } from './embedded/embedded-provider.ts'
import { KindProvider } from './kind/kind-provider.ts'
import { MinikubeProvider } from './minikube/minikube-provider.ts'
import type { FoundCluster, Host, Provider, WorkOptions } from './provider.ts'
import { fetchTool } from './tools/fetch-tool.ts'

/** Taking away what a failed creation left must end, whatever its tool does. */
const CLEAN_UP_MS = 60_000

/** All local clusters of one person, whoever makes them: the one door of the fronts. */
export class ClusterManager {
  readonly #host: Host
  readonly #records: ClusterRecords
  readonly #providers: ReadonlyMap<ClusterProvider, Provider>
  readonly #operations = new ClusterOperations()

  constructor(host: Host, providers: readonly Provider[]) {
    this.#host = host
    this.#records = new ClusterRecords(host)
    this.#providers = new Map(providers.map((one) => [one.provider, one]))
  }

  async providers(options: Cancellable = {}): Promise<readonly ProviderRow[]> {
    return Promise.all([...this.#providers.values()].map(async (one) => one.describe(options)))
  }

  /** Every local cluster, those too that others made, and what broken creations left. */
  async list(options: Cancellable = {}): Promise<readonly ClusterRow[]> {
    const records = await this.#records.all()
    const perProvider = await Promise.all(
      [...this.#providers.values()].map(async (one) => this.#rowsOf(one, records, options)),
    )
    return perProvider.flat()
  }

  async find(ref: ClusterRef, options: Cancellable = {}): Promise<ClusterRow | undefined> {
    const records = await this.#records.all()
    const rows = await this.#rowsOf(this.#provider(ref), records, options)
    return rows.find(({ name }) => name === ref.name)
  }

  /** Makes a cluster and waits until it answers. What a failure or a cancel leaves is taken away again. */
  async create(spec: ClusterSpec, options: Progress = {}): Promise<ClusterRow> {
    const ref: ClusterRef = { provider: spec.provider, name: spec.name }
    const provider = this.#provider(ref)
    checkName(spec.name)
    return this.#operations.run(ref, 'create', options, async (work) => {
      await provider.check(spec, work)
      await this.#makeWay(ref, provider, work)
      await this.#records.claim(spec)
      try {
        await provider.create(spec, work)
      } catch (error) {
        await this.#cleanUp(ref, provider, error)
        throw error
      }
      await this.#records.leave(ref, 'made')
      return this.#need(ref, work)
    })
  }

  async start(ref: ClusterRef, options: Progress = {}): Promise<ClusterRow> {
    return this.#change(ref, 'start', 'starting', options, async (provider, work) => provider.start(ref.name, work))
  }

  async stop(ref: ClusterRef, options: Progress = {}): Promise<ClusterRow> {
    return this.#change(ref, 'stop', 'stopping', options, async (provider, work) => provider.stop(ref.name, work))
  }

  /** @throws ClustersError `not-owned` for what Plumbline did not make, unless its name was typed */
  async delete(ref: ClusterRef, options: Progress & { readonly confirmName?: string | undefined } = {}): Promise<void> {
    const provider = this.#provider(ref)
    await this.#operations.run(ref, 'delete', options, async (work) => {
      const row = await this.#need(ref, work)
      if (!row.owned && options.confirmName !== ref.name) throw notOwned(ref)
      await this.#records.enter(ref, 'deleting')
      try {
        await provider.delete(ref.name, work)
      } catch (error) {
        await this.#records.leave(ref, 'made')
        throw error
      }
      await this.#records.forget(ref)
    })
  }

  async loadImage(ref: ClusterRef, image: string, options: Progress = {}): Promise<void> {
    const provider = this.#provider(ref)
    if (image.trim() === '' || image.startsWith('-')) throw new ClustersError('name', `"${image}" is not an image`)
    await this.#operations.run(ref, 'load-image', options, async (work) => {
      await this.#need(ref, work)
      if (provider.loadImage === undefined) throw noNodes(ref)
      await provider.loadImage(ref.name, image, work)
    })
  }

  /** @returns the folder that the logs are in */
  async exportLogs(ref: ClusterRef, folder: string, options: Progress = {}): Promise<string> {
    const provider = this.#provider(ref)
    const target = path.resolve(folder)
    await this.#operations.run(ref, 'logs', options, async (work) => {
      await this.#need(ref, work)
      await provider.exportLogs?.(ref.name, target, work)
    })
    return target
  }

  /** Fetches a tool into the tools folder, checked against its checksum. */
  async download(
    tool: string,
    options: Progress & { readonly version?: string | undefined } = {},
  ): Promise<ToolFinding> {
    const { onEvent = () => undefined, signal, version } = options
    const work: WorkOptions = { onEvent, ...(signal === undefined ? {} : { signal }) }
    const [first] = await fetchTool(tool, this.#host, { ...work, version })
    return { tool, state: 'found', version: first?.version ?? '', path: first?.path ?? '', next: '' }
  }

  /** Ends what this process does with a cluster. @returns false where it does nothing */
  cancel(ref: ClusterRef): boolean {
    return this.#operations.cancel(ref)
  }

  /** Told of every operation of this process. @returns the listener's removal */
  listen(listener: (told: ToldEvent) => void): () => void {
    return this.#operations.listen(listener)
  }

  async #change(
    ref: ClusterRef,
    operation: 'start' | 'stop',
    phase: 'starting' | 'stopping',
    options: Progress,
    run: (provider: Provider, work: WorkOptions) => Promise<FoundCluster>,
  ): Promise<ClusterRow> {
    const provider = this.#provider(ref)
    return this.#operations.run(ref, operation, options, async (work) => {
      const row = await this.#need(ref, work)
      if (row.state === 'failed' && row.actions.includes('create')) throw halfMade(row)
      await this.#records.enter(ref, phase)
      try {
        await run(provider, work)
      } finally {
        await this.#records.leave(ref, 'made')
      }
      return this.#need(ref, work)
    })
  }

  /** Refuses where a cluster of that name stands; takes away what a creation left that was cut off. */
  async #makeWay(ref: ClusterRef, provider: Provider, work: WorkOptions): Promise<void> {
    const known = await this.#records.get(ref)
    const row = await this.find(ref, work)
    if (row !== undefined && (known === undefined || known.phase === 'made') && !isUnmade(row)) {
      throw new ClustersError(
        'exists',
        `there is a ${ref.provider} cluster ${ref.name} already`,
        'choose another name, or delete it first',
      )
    }
    if (known === undefined || known.phase === 'made') return
    if (await this.#records.isWorkedOn(known)) {
      throw new ClustersError('busy', `${clusterId(ref)} is ${known.phase} already`, 'wait for it, or cancel it')
    }
    work.onEvent({ kind: 'line', text: 'taking away what an earlier creation left' })
    await provider.delete(ref.name, work)
    await this.#records.forget(ref)
  }

  async #cleanUp(ref: ClusterRef, provider: Provider, why: unknown): Promise<void> {
    try {
      await provider.delete(ref.name, { onEvent: () => undefined, signal: AbortSignal.timeout(CLEAN_UP_MS) })
      await this.#records.forget(ref)
    } catch {
      // What is left is shown as failed, and can be deleted once its tool works again.
      await this.#records.leave(ref, 'failed', why instanceof Error ? why.message : String(why))
    }
  }

  async #rowsOf(
    provider: Provider,
    all: readonly ClusterRecord[],
    options: Cancellable,
  ): Promise<readonly ClusterRow[]> {
    const records = all.filter(({ ref }) => ref.provider === provider.provider)
    let problem: string | undefined
    let found: readonly FoundCluster[] = []
    try {
      found = await provider.list(options)
    } catch (error) {
      // An engine that is down hides its own clusters, not everybody's.
      if (!ClustersError.is(error)) throw error
      problem = error.next === '' ? error.message : `${error.message}: ${error.next}`
    }
    const names = new Set([...found.map(({ name }) => name), ...records.map(({ ref }) => ref.name)])
    return Promise.all(
      [...names].map(async (name) => {
        const record = records.find(({ ref }) => ref.name === name)
        const worked = record !== undefined && (await this.#records.isWorkedOn(record))
        return rowOf({ provider, name, found: found.find((one) => one.name === name), record, worked, problem })
      }),
    )
  }

  async #need(ref: ClusterRef, options: Cancellable): Promise<ClusterRow> {
    const row = await this.find(ref, options)
    if (row !== undefined) return row
    throw new ClustersError(
      'not-found',
      `there is no ${ref.provider} cluster ${ref.name}`,
      '`plumbline cluster list` shows them',
    )
  }

  #provider({ provider }: ClusterRef): Provider {
    const found = this.#providers.get(provider)
    if (found !== undefined) return found
    throw new ClustersError(
      'unsupported',
      `there is no provider ${provider}`,
      `there are: ${[...this.#providers.keys()].join(', ')}`,
    )
  }
}

export type OpenOptions = { readonly env?: Host['env']; readonly state?: string; readonly cache?: string }

/** The local clusters of whoever runs this. Nothing is run or read before the first question. */
export function openClusters(options: OpenOptions = {}): ClusterManager {
  const { env = process.env } = options
  const host: Host = { env, state: options.state ?? stateFolder(env), cache: options.cache ?? cacheFolder(env) }
  const providers = [
    new EmbeddedProvider(host),
    new ControlPlaneProvider(host),
    new KindProvider(host),
    new MinikubeProvider(host),
  ]
  return new ClusterManager(host, providers)
}

/** The embedded cluster is listed before it was ever used, and a stop leaves nothing to make way for. */
function isUnmade(row: ClusterRow): boolean {
  return row.provider === 'embedded' && row.state === 'stopped' && row.createdAt === undefined
}

function notOwned(ref: ClusterRef): ClustersError {
  const message = `${clusterId(ref)} was not made by Plumbline, so it is not deleted just so`
  return new ClustersError('not-owned', message, `type its name to delete it: --confirm ${ref.name}`)
}

function noNodes(ref: ClusterRef): ClustersError {
  return new ClustersError(
    'unsupported',
    `${clusterId(ref)} has no nodes that could hold an image`,
    'kind and minikube have some',
  )
}

function halfMade(row: ClusterRow): ClustersError {
  return new ClustersError(
    'not-ready',
    `${row.id} was never made whole: ${row.detail}`,
    'delete it, or create it again',
  )
}
