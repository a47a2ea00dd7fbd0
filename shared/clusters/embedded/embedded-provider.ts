import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ClusterSpec, ProviderRow } from '../../model/cluster.ts'
import type { Cancellable } from '../../model/ports.ts'
import { byText } from '../by-text.ts'
import { ClustersError } from '../clusters-error.ts'
import { logTail, runningDaemon, startDaemon, stopDaemon, type Daemon } from '../daemon.ts'
import { EMBEDDED_CONTEXT, runningEmbedded, type RunningEmbedded } from '../embedded.ts'
import { freePort } from '../free-port.ts'
import { contextOf, registerContext, unregisterContext } from '../own-context.ts'
import { writePrivately } from '../private-file.ts'
import { endProcesses, processesNaming } from '../process-identity.ts'
import type { FoundCluster, Host, Provider, WorkOptions } from '../provider.ts'
import { until } from '../until.ts'

const START_MS = 20_000
const STOP_MS = 10_000
const SERVER_FILES = ['embedded-main.ts', 'embedded-main.js']

/** The simulated API server, each cluster with a folder and, while it runs, a background process of its own. */
export class EmbeddedProvider implements Provider {
  readonly provider = 'embedded'
  readonly #host: Host

  constructor(host: Host) {
    this.#host = host
  }

  async describe(): Promise<ProviderRow> {
    return {
      provider: 'embedded',
      title: 'Embedded',
      summary: 'A simulated API server inside Plumbline: ready in a second, with no container and no download.',
      simulated: true,
      state: 'ready',
      tools: [],
      fields: [],
      versions: [],
      suggestedName: EMBEDDED_CONTEXT,
    }
  }

  async list(): Promise<readonly FoundCluster[]> {
    const named = await readdir(this.#parent).catch(() => [])
    return Promise.all([EMBEDDED_CONTEXT, ...named.sort(byText)].map(async (name) => this.#find(name)))
  }

  async check(spec: ClusterSpec): Promise<void> {
    const { version, nodes, registryMirrors, ports, config, driver, image, cpus, memory, disk } = spec
    const extra = { version, nodes, registryMirrors, ports, config, driver, image, cpus, memory, disk }
    const asked = Object.entries(extra).flatMap(([key, value]) => (value === undefined ? [] : [key]))
    if (asked.length > 0) throw new ClustersError('unsupported', `an embedded cluster takes no ${asked.join(', ')}`)
  }

  async create(spec: ClusterSpec, options: WorkOptions): Promise<FoundCluster> {
    const folder = this.#folder(spec.name)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writePrivately(path.join(folder, 'port'), String(await freePort()))
    const found = await this.start(spec.name, options)
    await this.#register(spec.name, spec.setCurrent === true, options)
    return found
  }

  async start(name: string, options: WorkOptions): Promise<FoundCluster> {
    const daemon = this.#daemon(name)
    const { folder } = daemon
    options.onEvent({ kind: 'step', title: 'Starting the API server', state: 'running', index: 1, total: 1 })
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const running = await runningEmbedded(folder)
    if (running === undefined) await this.#launch(daemon)
    const answers = async (): Promise<boolean> => {
      if ((await runningEmbedded(folder)) !== undefined) return true
      if ((await runningDaemon(daemon)) === undefined) throw await ended(daemon)
      return false
    }
    await until('the embedded API server', START_MS, answers, { ...options, describe: async () => logTail(daemon, 5) })
    options.onEvent({ kind: 'step', title: 'Starting the API server', state: 'done', index: 1, total: 1 })
    return this.#find(name)
  }

  async stop(name: string): Promise<FoundCluster> {
    const folder = this.#folder(name)
    const running = await runningEmbedded(folder)
    if (running !== undefined && running.daemon !== true) throw inside(name, running)
    await stopDaemon(this.#daemon(name), STOP_MS)
    if (running !== undefined) await endProcesses([running.pid], STOP_MS)
    return this.#find(name)
  }

  async delete(name: string, options: WorkOptions): Promise<void> {
    await this.stop(name)
    const folder = this.#folder(name)
    await endProcesses(await processesNaming(folder, SERVER_FILES), STOP_MS)
    await rm(folder, { recursive: true, force: true })
    if (name !== EMBEDDED_CONTEXT) await unregisterContext(this.#host, 'embedded', name, options)
  }

  async exportLogs(name: string, folder: string): Promise<void> {
    const text = await logTail(this.#daemon(name), 100_000)
    await writePrivately(path.join(folder, 'embedded.log'), `${text}\n`)
  }

  async #launch({ folder, name }: Daemon): Promise<void> {
    const port = await readFile(path.join(folder, 'port'), 'utf8').catch(() => '0')
    const { env } = this.#host
    const { program, words, asNode } = ownProgram(env)
    await startDaemon({ folder, name }, program, [...words, mainFile(), folder, port.trim()], { ...env, ...asNode })
  }

  async #find(name: string): Promise<FoundCluster> {
    const folder = this.#folder(name)
    const running = await runningEmbedded(folder)
    const made = await stat(path.join(folder, 'data')).catch(() => undefined)
    const own = name === EMBEDDED_CONTEXT
    return {
      name,
      state: running === undefined ? 'stopped' : 'running',
      context: own ? EMBEDDED_CONTEXT : contextOf('embedded', name),
      ...(made === undefined ? {} : { kubeconfig: path.join(folder, 'kubeconfig') }),
      version: '',
      nodes: 0,
      ...(made === undefined ? {} : { createdAt: new Date(made.birthtimeMs).toISOString() }),
      detail: detailOf(running, made !== undefined),
    }
  }

  async #register(name: string, current: boolean, options: Cancellable): Promise<void> {
    if (name === EMBEDDED_CONTEXT) return
    const kubeconfig = path.join(this.#folder(name), 'kubeconfig')
    await registerContext(this.#host, { provider: 'embedded', name, kubeconfig, current }, options)
  }

  #daemon(name: string): Daemon {
    return { folder: this.#folder(name), name: 'embedded' }
  }

  /** The one that is always there keeps the folder that it always had. */
  #folder(name: string): string {
    return name === EMBEDDED_CONTEXT ? path.join(this.#host.state, 'embedded') : path.join(this.#parent, name)
  }

  get #parent(): string {
    return path.join(this.#host.state, 'clusters', 'embedded')
  }
}

function detailOf(running: RunningEmbedded | undefined, made: boolean): string {
  if (running === undefined) return made ? '' : 'empty; it starts by itself when it is used'
  return running.daemon === true ? '' : `runs inside process ${running.pid}, and ends with it`
}

async function ended(daemon: Daemon): Promise<ClustersError> {
  return new ClustersError(
    'not-ready',
    `the embedded API server ended\n${await logTail(daemon, 8)}`,
    'its log says why',
  )
}

/** What runs a file of ours in a process of its own. The window says it by itself: packaged, its program is no plain Node. */
function ownProgram(env: Host['env']): {
  readonly program: string
  readonly words: readonly string[]
  readonly asNode: Readonly<Record<string, string>>
} {
  const told = env['PLUMBLINE_PROGRAM']
  if (told !== undefined) {
    const [program = '', ...words] = JSON.parse(told) as readonly string[]
    return { program, words, asNode: {} }
  }
  // An editor's own program runs as Node with this.
  const asNode = process.versions['electron'] === undefined ? {} : { ELECTRON_RUN_AS_NODE: '1' }
  // Flags of whoever starts it (a debugger's port, a test's name) are not for it.
  return { program: process.execPath, words: [], asNode }
}

function inside(name: string, { pid }: RunningEmbedded): ClustersError {
  const message = `the embedded cluster ${name} runs inside another Plumbline process (${pid})`
  return new ClustersError('busy', message, 'it ends with that process: close the window or the command that uses it')
}

/** The server's own entry file, beside this one in the sources and beside the bundle once built. */
function mainFile(): string {
  const source = import.meta.url.endsWith('.ts')
  return fileURLToPath(new URL(source ? '../embedded-main.ts' : './embedded-main.js', import.meta.url))
}
