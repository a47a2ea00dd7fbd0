import { copyFile, mkdir, readdir, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'
import type { ClusterSpec, ProviderRow } from '../../model/cluster.ts'
import type { Cancellable } from '../../model/ports.ts'
import { versionOf } from '../cluster-name.ts'
import { ClustersError } from '../clusters-error.ts'
import { logFile } from '../daemon.ts'
import { byText } from '../by-text.ts'
import { freePort } from '../free-port.ts'
import { contextOf, registerContext, unregisterContext } from '../own-context.ts'
import type { FoundCluster, Host, Provider, WorkOptions } from '../provider.ts'
import { describeBinaries, needBinaries } from './binaries.ts'
import {
  kubeconfigFile,
  layOut,
  readPlane,
  savePlane,
  writeKubeconfigs,
  type ControlPlane,
} from './control-plane-files.ts'
import { logsOf, runningServers, serversOf, startServers, stopServers } from './control-plane-servers.ts'

const START_MS = 120_000

/** A real API server with etcd and controllers, as processes of this machine; no nodes, so pods stay Pending. */
export class ControlPlaneProvider implements Provider {
  readonly provider = 'control-plane'
  readonly #host: Host

  constructor(host: Host) {
    this.#host = host
  }

  async describe(options: Cancellable): Promise<ProviderRow> {
    return {
      provider: 'control-plane',
      title: 'Control plane',
      summary:
        'A real kube-apiserver with etcd and controllers, without nodes: pods stay Pending. No container engine.',
      simulated: false,
      fields: ['version'],
      suggestedName: 'dev',
      ...(await describeBinaries(this.#host, options)),
    }
  }

  async list(): Promise<readonly FoundCluster[]> {
    const names = await readdir(this.#parent).catch(() => [])
    const found = await Promise.all(names.sort(byText).map(async (name) => this.#find(name)))
    return found.filter((one) => one !== undefined)
  }

  async check(spec: ClusterSpec): Promise<void> {
    if (process.platform === 'win32')
      throw new ClustersError('unsupported', 'Kubernetes publishes no servers for Windows')
    const { nodes, registryMirrors, ports, config, driver, image, cpus, memory, disk } = spec
    const extra = { nodes, registryMirrors, ports, config, driver, image, cpus, memory, disk }
    const asked = Object.entries(extra).flatMap(([key, value]) => (value === undefined ? [] : [key]))
    if (asked.length > 0)
      throw new ClustersError('unsupported', `a control plane has no nodes, so it takes no ${asked.join(', ')}`)
    if (spec.version !== undefined) versionOf(spec.version)
  }

  async create(spec: ClusterSpec, options: WorkOptions): Promise<FoundCluster> {
    const version = spec.version === undefined ? undefined : versionOf(spec.version)
    const binaries = await needBinaries(version, this.#host, options)
    const plane = await layOut(this.#folder(spec.name), binaries, spec.name)
    await startServers(plane, this.#host, { ...options, limitMs: spec.waitMs ?? START_MS })
    await this.#register(plane, spec.name, spec.setCurrent === true, options)
    return this.#need(spec.name)
  }

  async start(name: string, options: WorkOptions): Promise<FoundCluster> {
    const kept = await readPlane(this.#folder(name))
    if (kept === undefined)
      throw new ClustersError('not-found', `control plane ${name} was never made whole`, 'create it again')
    const plane = await this.#withFreePorts(kept, name, options)
    await startServers(plane, this.#host, { ...options, limitMs: START_MS })
    return this.#need(name)
  }

  async stop(name: string, options: WorkOptions): Promise<FoundCluster> {
    options.onEvent({ kind: 'step', title: 'Stopping the servers', state: 'running', index: 1, total: 1 })
    await stopServers(this.#folder(name))
    options.onEvent({ kind: 'step', title: 'Stopping the servers', state: 'done', index: 1, total: 1 })
    return this.#need(name)
  }

  async delete(name: string, options: WorkOptions): Promise<void> {
    await stopServers(this.#folder(name))
    await rm(this.#folder(name), { recursive: true, force: true, maxRetries: 3 })
    await unregisterContext(this.#host, 'control-plane', name, options)
  }

  async exportLogs(name: string, folder: string): Promise<void> {
    await mkdir(folder, { recursive: true })
    for (const daemon of logsOf(this.#folder(name))) {
      const copied = copyFile(logFile(daemon), path.join(folder, `${daemon.name}.log`))
      await copied.catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error
      })
    }
  }

  async #find(name: string): Promise<FoundCluster | undefined> {
    const folder = this.#folder(name)
    const plane = await readPlane(folder)
    if (plane === undefined) return undefined
    const running = await runningServers(plane)
    const made = await stat(kubeconfigFile(folder)).catch(() => undefined)
    const all = running.length === serversOf(plane)
    const without =
      plane.binaries.controllerManager === undefined
        ? 'no controller manager: objects are kept, nothing acts on them'
        : ''
    return {
      name,
      state: running.length === 0 ? 'stopped' : all ? 'running' : 'failed',
      context: contextOf('control-plane', name),
      kubeconfig: kubeconfigFile(folder),
      version: plane.binaries.version,
      nodes: 0,
      ...(made === undefined ? {} : { createdAt: new Date(made.birthtimeMs).toISOString() }),
      detail: running.length > 0 && !all ? `only ${running.join(' and ')} run; start it again` : without,
    }
  }

  async #need(name: string): Promise<FoundCluster> {
    const found = await this.#find(name)
    if (found === undefined) throw new ClustersError('not-found', `there is no control plane ${name}`)
    return found
  }

  /** Other programs may have taken its ports while it was stopped. */
  async #withFreePorts(plane: ControlPlane, name: string, options: Cancellable): Promise<ControlPlane> {
    if ((await runningServers(plane)).length > 0) return plane
    const port = await sameOrFree(plane.port)
    const moved = {
      ...plane,
      port,
      etcdPort: await sameOrFree(plane.etcdPort),
      etcdPeerPort: await sameOrFree(plane.etcdPeerPort),
    }
    await savePlane(moved)
    if (port === plane.port) return moved
    await writeKubeconfigs(moved, name)
    await this.#register(moved, name, false, options)
    return moved
  }

  async #register({ folder }: ControlPlane, name: string, current: boolean, options: Cancellable): Promise<void> {
    const kubeconfig = kubeconfigFile(folder)
    await registerContext(this.#host, { provider: 'control-plane', name, kubeconfig, current }, options)
  }

  #folder(name: string): string {
    return path.join(this.#parent, name)
  }

  get #parent(): string {
    return path.join(this.#host.state, 'clusters', 'control-plane')
  }
}

async function sameOrFree(port: number): Promise<number> {
  const server = createServer()
  const free = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
  return free ? port : freePort()
}
