import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { ClusterSpec, ProviderRow, ToolFinding } from '../../model/cluster.ts'
import type { Cancellable } from '../../model/ports.ts'
import { versionOf } from '../cluster-name.ts'
import { ClustersError } from '../clusters-error.ts'
import { engineFinding, findEngine } from '../engine.ts'
import type { FoundCluster, Host, Provider, WorkOptions } from '../provider.ts'
import { runTool } from '../run-tool.ts'
import { downloadOf, thisPlatform } from '../tools/downloads.ts'
import { askVersion, findBinary } from '../tools/find-binary.ts'
import { minikubeEvent, minikubeFailure } from './minikube-events.ts'
import { profilesOf } from './minikube-profiles.ts'

const WAIT_MS = 360_000
/** Images and a machine's disk come over the network first. */
const CREATE_MS = 1_800_000
const SHORT_MS = 180_000
const MOST_NODES = 20

/** Clusters on the machines and containers of the minikube CLI. */
export class MinikubeProvider implements Provider {
  readonly provider = 'minikube'
  readonly #host: Host

  constructor(host: Host) {
    this.#host = host
  }

  async describe(options: Cancellable): Promise<ProviderRow> {
    const tool = await minikubeFinding(this.#host, options)
    const engine = engineFinding(await findEngine(this.#host, options))
    // It can also use a machine driver, which minikube itself looks for.
    const note = 'minikube can also use a virtual machine: name its driver (kvm2, hyperv, vfkit, virtualbox)'
    const finding: ToolFinding = engine.state === 'found' ? engine : { ...engine, next: `${engine.next}; ${note}` }
    return {
      provider: 'minikube',
      title: 'minikube',
      summary: 'Kubernetes in a container or a virtual machine, with add-ons: closest to a real node.',
      simulated: false,
      state: tool.state === 'found' ? 'ready' : tool.state === 'broken' ? 'broken' : 'missing',
      tools: [tool, finding],
      fields: ['version', 'nodes', 'registryMirrors', 'ports', 'driver', 'cpus', 'memory', 'disk'],
      versions: [],
      suggestedName: 'minikube',
    }
  }

  async list(options: Cancellable): Promise<readonly FoundCluster[]> {
    const file = await findBinary('minikube', this.#host)
    if (file === undefined) return []
    const { signal } = options
    const args = ['profile', 'list', '--output=json']
    const reasonOf = minikubeFailure
    try {
      return profilesOf(
        await runTool({ tool: 'minikube', path: file, args, env: this.#env, timeoutMs: SHORT_MS, reasonOf, signal }),
      )
    } catch (error) {
      // A machine that has no profile yet is no failure.
      if (ClustersError.is(error, 'tool-failed') && /No minikube profile was found/.test(error.message)) return []
      throw error
    }
  }

  async check(spec: ClusterSpec): Promise<void> {
    const { config, image } = spec
    const asked = Object.entries({ config, image }).flatMap(([key, value]) => (value === undefined ? [] : [key]))
    if (asked.length > 0) throw new ClustersError('unsupported', `minikube takes no ${asked.join(', ')}`, 'kind does')
    startArguments(spec)
    await this.#minikube()
  }

  async create(spec: ClusterSpec, options: WorkOptions): Promise<FoundCluster> {
    await this.#run(startArguments(spec), { ...options, timeoutMs: CREATE_MS })
    return this.#need(spec.name, options)
  }

  async start(name: string, options: WorkOptions): Promise<FoundCluster> {
    await this.#run(['start', ...COMMON, `--profile=${name}`, '--keep-context'], { ...options, timeoutMs: CREATE_MS })
    return this.#need(name, options)
  }

  async stop(name: string, options: WorkOptions): Promise<FoundCluster> {
    await this.#run(['stop', '--output=json', `--profile=${name}`, '--keep-context-active'], {
      ...options,
      timeoutMs: SHORT_MS,
    })
    return this.#need(name, options)
  }

  async delete(name: string, options: WorkOptions): Promise<void> {
    await this.#run(['delete', '--output=json', `--profile=${name}`], { ...options, timeoutMs: SHORT_MS })
  }

  async loadImage(name: string, image: string, options: WorkOptions): Promise<void> {
    await this.#run(['image', 'load', image, `--profile=${name}`], { ...options, timeoutMs: CREATE_MS })
  }

  async exportLogs(name: string, folder: string, options: WorkOptions): Promise<void> {
    await mkdir(folder, { recursive: true })
    const file = path.join(folder, 'minikube.log')
    await this.#run(['logs', `--file=${file}`, `--profile=${name}`], { ...options, timeoutMs: SHORT_MS })
  }

  async #run(args: readonly string[], options: WorkOptions & { readonly timeoutMs: number }): Promise<void> {
    const { signal, timeoutMs } = options
    const onLine = (line: string): void => {
      const event = minikubeEvent(line)
      if (event !== undefined) options.onEvent(event)
    }
    const file = await this.#minikube()
    await runTool({
      tool: 'minikube',
      path: file,
      args,
      env: this.#env,
      timeoutMs,
      onLine,
      reasonOf: minikubeFailure,
      signal,
    })
  }

  async #need(name: string, options: Cancellable): Promise<FoundCluster> {
    const found = (await this.list(options)).find((one) => one.name === name)
    if (found !== undefined) return found
    throw new ClustersError('tool-failed', `minikube says that ${name} is made, and has no profile of that name`)
  }

  async #minikube(): Promise<string> {
    const found = await findBinary('minikube', this.#host)
    if (found !== undefined) return found
    const next = '`plumbline cluster download minikube` fetches it, or put it on PATH'
    throw new ClustersError('tool-missing', 'minikube is not installed', next)
  }

  /** Colours, pictures and questions are for terminals; nor does it look for a newer version of itself. */
  get #env(): Host['env'] {
    return {
      ...this.#host.env,
      MINIKUBE_IN_STYLE: 'false',
      MINIKUBE_WANTUPDATENOTIFICATION: 'false',
      MINIKUBE_WANTBETAUPDATENOTIFICATION: 'false',
    }
  }
}

const COMMON = ['--output=json', '--interactive=false', '--wait=all']

/** The words of `minikube start` for a new cluster. @throws ClustersError `unsupported` for what minikube would refuse */
export function startArguments(spec: ClusterSpec): readonly string[] {
  const { nodes, driver, cpus, memory, disk } = spec
  if (nodes !== undefined && (!Number.isInteger(nodes) || nodes < 1 || nodes > MOST_NODES)) throw bad(`${nodes} nodes`)
  if (driver !== undefined && !/^[a-z0-9-]+$/.test(driver)) throw bad(`driver "${driver}"`)
  if (cpus !== undefined && (!Number.isInteger(cpus) || cpus < 1)) throw bad(`${cpus} CPUs`)
  for (const size of [memory, disk])
    if (size !== undefined && !/^\d+(\.\d+)?[bkmg]?b?$/i.test(size)) throw bad(`a size of "${size}"`)
  const mirrors = (spec.registryMirrors ?? []).map(({ registry, mirror }) => {
    // minikube's own flag is for Docker Hub alone.
    if (registry !== 'docker.io') throw bad(`a mirror of ${registry}`)
    if (!URL.canParse(mirror)) throw bad(`mirror "${mirror}"`)
    return `--registry-mirror=${mirror}`
  })
  const ports = (spec.ports ?? []).map(({ address = '127.0.0.1', host, container, protocol }) => {
    return `--ports=${address}:${host}:${container}/${protocol.toLowerCase()}`
  })
  return [
    'start',
    ...COMMON,
    `--profile=${spec.name}`,
    `--wait-timeout=${Math.ceil((spec.waitMs ?? WAIT_MS) / 1000)}s`,
    ...(spec.setCurrent === true ? [] : ['--keep-context']),
    ...(spec.version === undefined ? [] : [`--kubernetes-version=${versionOf(spec.version)}`]),
    ...(nodes === undefined ? [] : [`--nodes=${nodes}`]),
    ...(driver === undefined ? [] : [`--driver=${driver}`]),
    ...(cpus === undefined ? [] : [`--cpus=${cpus}`]),
    ...(memory === undefined ? [] : [`--memory=${memory}`]),
    ...(disk === undefined ? [] : [`--disk-size=${disk}`]),
    ...mirrors,
    ...ports,
  ]
}

function bad(what: string): ClustersError {
  return new ClustersError('unsupported', `minikube cannot take ${what}`)
}

async function minikubeFinding(host: Host, options: Cancellable): Promise<ToolFinding> {
  const file = await findBinary('minikube', host)
  if (file !== undefined) {
    const version = await askVersion(file, ['version', '--short'], { ...options, env: host.env })
    const next = version === '' ? 'it does not answer; install it again' : ''
    return { tool: 'minikube', state: version === '' ? 'broken' : 'found', version, path: file, next }
  }
  const offered = downloadOf('minikube', undefined, thisPlatform())
  const next =
    '`plumbline cluster download minikube` fetches it, checked against its checksum; or see minikube.sigs.k8s.io'
  return {
    tool: 'minikube',
    state: offered === undefined ? 'missing' : 'downloadable',
    version: offered?.version ?? '',
    path: '',
    next,
  }
}
