import { rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { ClusterSpec, ProviderRow, ToolFinding } from '../../model/cluster.ts'
import type { Cancellable } from '../../model/ports.ts'
import { ClustersError } from '../clusters-error.ts'
import { engineFinding, findEngine, type Engine } from '../engine.ts'
import { keepCurrentContext } from '../own-context.ts'
import { writePrivately } from '../private-file.ts'
import type { FoundCluster, Host, Provider, WorkOptions } from '../provider.ts'
import { runTool } from '../run-tool.ts'
import { downloadOf, thisPlatform } from '../tools/downloads.ts'
import { askVersion, findBinary } from '../tools/find-binary.ts'
import { until } from '../until.ts'
import { kindConfig, mirrorPath } from './kind-config.ts'
import { clustersOf, listArguments, nodesOf, type KindNode } from './kind-nodes.ts'
import { kindEvent, kindFailure } from './kind-progress.ts'

const WAIT_MS = 300_000
/** Pulling a node image over a slow line takes longer than the cluster itself. */
const CREATE_MS = 1_800_000
const ENGINE_MS = 120_000
const READY_MS = 120_000

/** Clusters whose nodes are containers, made by the kind CLI. */
export class KindProvider implements Provider {
  readonly provider = 'kind'
  readonly #host: Host

  constructor(host: Host) {
    this.#host = host
  }

  async describe(options: Cancellable): Promise<ProviderRow> {
    const tools = [await kindFinding(this.#host, options), engineFinding(await findEngine(this.#host, options))]
    const broken = tools.some((tool) => tool.state === 'broken')
    const missing = tools.some((tool) => tool.state === 'missing' || tool.state === 'downloadable')
    return {
      provider: 'kind',
      title: 'kind',
      summary: 'Kubernetes in containers: real nodes and real pods, quick to make and to throw away.',
      simulated: false,
      state: missing ? 'missing' : broken ? 'broken' : 'ready',
      tools,
      fields: ['version', 'nodes', 'registryMirrors', 'ports', 'config', 'image'],
      versions: [],
      suggestedName: 'dev',
    }
  }

  async list(options: Cancellable): Promise<readonly FoundCluster[]> {
    const engine = await findEngine(this.#host, options)
    if (engine === undefined) return []
    return clustersOf(await this.#nodes(needRunning(engine), options))
  }

  async check(spec: ClusterSpec, options: Cancellable): Promise<void> {
    const { driver, cpus, memory, disk } = spec
    const asked = Object.entries({ driver, cpus, memory, disk }).flatMap(([key, value]) =>
      value === undefined ? [] : [key],
    )
    if (asked.length > 0) throw new ClustersError('unsupported', `kind takes no ${asked.join(', ')}`, 'minikube does')
    kindConfig(spec, '', '')
    await this.#kind()
    await this.#engine(options)
  }

  async create(spec: ClusterSpec, options: WorkOptions): Promise<FoundCluster> {
    const kind = await this.#kind()
    const version = await askVersion(kind, ['version'], { ...options, env: this.#host.env })
    const folder = this.#mirrorFolder(spec.name)
    const { text, mirrors, image } = kindConfig(spec, version, folder)
    for (const mirror of mirrors) await writePrivately(mirrorPath(folder, mirror), mirror.text, 0o644)
    const wait = `${Math.ceil((spec.waitMs ?? WAIT_MS) / 1000)}s`
    const words = ['create', 'cluster', '--name', spec.name, '--wait', wait, '--config', '-']
    const args = image === undefined ? words : [...words, '--image', image]
    await keepCurrentContext(this.#host, spec.setCurrent === true, options, async () =>
      this.#run(args, { ...options, input: text, timeoutMs: CREATE_MS + (spec.waitMs ?? WAIT_MS) }),
    )
    return this.#need(spec.name, options)
  }

  async start(name: string, options: WorkOptions): Promise<FoundCluster> {
    const engine = await this.#engine(options)
    const nodes = await this.#nodesOf(engine, name, options)
    await this.#steps(engine, 'start', nodes, options)
    const plane = nodes.find(({ role }) => role === 'control-plane')?.container ?? ''
    options.onEvent({ kind: 'step', title: 'Waiting for the API server', state: 'running' })
    const ask = ['exec', plane, 'kubectl', '--kubeconfig=/etc/kubernetes/admin.conf', 'get', '--raw=/readyz']
    await until('the API server', READY_MS, async () => (await this.#ask(engine, ask, options)).trim() === 'ok', {
      ...options,
      describe: async () => '',
    })
    options.onEvent({ kind: 'step', title: 'Waiting for the API server', state: 'done' })
    return this.#need(name, options)
  }

  async stop(name: string, options: WorkOptions): Promise<FoundCluster> {
    const engine = await this.#engine(options)
    await this.#steps(engine, 'stop', await this.#nodesOf(engine, name, options), options)
    return this.#need(name, options)
  }

  async delete(name: string, options: WorkOptions): Promise<void> {
    await this.#run(['delete', 'cluster', '--name', name], { ...options, timeoutMs: ENGINE_MS })
    await rm(path.dirname(this.#mirrorFolder(name)), { recursive: true, force: true })
  }

  async loadImage(name: string, image: string, options: WorkOptions): Promise<void> {
    const archive = await stat(image).then(
      (found) => found.isFile(),
      () => false,
    )
    const words = archive ? ['load', 'image-archive', path.resolve(image)] : ['load', 'docker-image', image]
    await this.#run([...words, '--name', name], { ...options, timeoutMs: CREATE_MS })
  }

  async exportLogs(name: string, folder: string, options: WorkOptions): Promise<void> {
    await this.#run(['export', 'logs', folder, '--name', name], { ...options, timeoutMs: ENGINE_MS })
  }

  async #run(
    args: readonly string[],
    options: WorkOptions & { readonly input?: string; readonly timeoutMs: number },
  ): Promise<void> {
    const engine = await this.#engine(options)
    const env = { ...this.#host.env, ...(engine.name === 'docker' ? {} : { KIND_EXPERIMENTAL_PROVIDER: engine.name }) }
    const onLine = (line: string): void => {
      const event = kindEvent(line)
      if (event !== undefined) options.onEvent(event)
    }
    const { signal, input, timeoutMs } = options
    const given = input === undefined ? {} : { input }
    await runTool({
      tool: 'kind',
      path: await this.#kind(),
      args,
      env,
      timeoutMs,
      onLine,
      reasonOf: kindFailure,
      signal,
      ...given,
    })
  }

  async #steps(
    engine: Engine,
    verb: 'start' | 'stop',
    nodes: readonly KindNode[],
    options: WorkOptions,
  ): Promise<void> {
    for (const [index, { container }] of nodes.entries()) {
      const step = {
        kind: 'step',
        title: `${verb === 'start' ? 'Starting' : 'Stopping'} ${container}`,
        index: index + 1,
        total: nodes.length,
      } as const
      options.onEvent({ ...step, state: 'running' })
      await this.#ask(engine, [verb, container], options)
      options.onEvent({ ...step, state: 'done' })
    }
  }

  async #ask(engine: Engine, args: readonly string[], { signal }: Cancellable): Promise<string> {
    return runTool({ tool: engine.name, path: engine.path, args, env: this.#host.env, timeoutMs: ENGINE_MS, signal })
  }

  async #nodes(engine: Engine, options: Cancellable): Promise<readonly KindNode[]> {
    return nodesOf(await this.#ask(engine, listArguments(engine.name), options))
  }

  async #nodesOf(engine: Engine, name: string, options: Cancellable): Promise<readonly KindNode[]> {
    const nodes = (await this.#nodes(engine, options)).filter(({ cluster }) => cluster === name)
    // Workers find their control plane by name, so it goes first.
    return nodes.sort((a, b) => (a.role === b.role ? (a.container < b.container ? -1 : 1) : a.role < b.role ? -1 : 1))
  }

  async #need(name: string, options: Cancellable): Promise<FoundCluster> {
    const found = (await this.list(options)).find((one) => one.name === name)
    if (found !== undefined) return found
    throw new ClustersError('tool-failed', `kind says that ${name} is made, and no container of it runs`)
  }

  async #kind(): Promise<string> {
    const found = await findBinary('kind', this.#host)
    if (found !== undefined) return found
    throw new ClustersError(
      'tool-missing',
      'kind is not installed',
      '`plumbline cluster download kind` fetches it, or put it on PATH',
    )
  }

  async #engine(options: Cancellable): Promise<Engine> {
    const engine = await findEngine(this.#host, options)
    if (engine !== undefined) return needRunning(engine)
    throw new ClustersError(
      'tool-missing',
      'kind needs a container engine, and this machine has none',
      engineFinding(undefined).next,
    )
  }

  #mirrorFolder(name: string): string {
    return path.join(this.#host.state, 'clusters', 'kind', name, 'certs.d')
  }
}

function needRunning(engine: Engine): Engine {
  if (engine.running) return engine
  const { next } = engineFinding(engine)
  throw new ClustersError('engine-down', `${engine.name} is installed and does not run`, next)
}

async function kindFinding(host: Host, options: Cancellable): Promise<ToolFinding> {
  const file = await findBinary('kind', host)
  if (file !== undefined) {
    const version = await askVersion(file, ['version'], { ...options, env: host.env })
    const next = version === '' ? 'it does not answer; install it again' : ''
    return { tool: 'kind', state: version === '' ? 'broken' : 'found', version, path: file, next }
  }
  const offered = downloadOf('kind', undefined, thisPlatform())
  const next = '`plumbline cluster download kind` fetches it, checked against its checksum; or see kind.sigs.k8s.io'
  return {
    tool: 'kind',
    state: offered === undefined ? 'missing' : 'downloadable',
    version: offered?.version ?? '',
    path: '',
    next,
  }
}
