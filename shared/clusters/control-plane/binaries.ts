import { readdir } from 'node:fs/promises'
import path from 'node:path'
import type { ProviderRow, ToolFinding } from '../../model/cluster.ts'
import type { Cancellable } from '../../model/ports.ts'
import { ClustersError } from '../clusters-error.ts'
import type { Host, WorkOptions } from '../provider.ts'
import { downloadOf, thisPlatform } from '../tools/downloads.ts'
import { fetchTool } from '../tools/fetch-tool.ts'
import {
  askVersion,
  cachedBinaries,
  compareVersions,
  exe,
  homeOf,
  isExecutable,
  onPath,
  type Binary,
} from '../tools/find-binary.ts'

/** The programs of one control plane. Without a controller manager objects are kept and nothing acts on them. */
export type ControlPlaneBinaries = {
  readonly version: string
  readonly apiServer: string
  readonly etcd: string
  readonly controllerManager?: string
}

type Found = {
  readonly apiServers: readonly Binary[]
  readonly etcds: readonly string[]
  readonly managers: readonly Binary[]
}

/**
 * Finds the programs: in `KUBEBUILDER_ASSETS`, the tools folder, setup-envtest's store, kubebuilder's folder and on PATH.
 * @param version the one that is wanted; the newest when absent
 */
export async function findBinaries(
  version: string | undefined,
  host: Host,
  options: Cancellable,
): Promise<ControlPlaneBinaries | undefined> {
  const found = await findAll(host, options)
  const [etcd] = found.etcds
  const apiServer = found.apiServers.find((one) => version === undefined || matches(one.version, version))
  if (etcd === undefined || apiServer === undefined) return undefined
  // A controller manager works with its own minor version's server.
  const managers = found.managers.filter((one) => minorOf(one.version) === minorOf(apiServer.version))
  const manager = managers.find((one) => one.version === apiServer.version) ?? managers[0]
  const own = { version: apiServer.version, apiServer: apiServer.path, etcd }
  return manager === undefined ? own : { ...own, controllerManager: manager.path }
}

/** Finds them, or fetches what is missing. @throws ClustersError `tool-missing` that says what to do, `download`, `checksum` */
export async function needBinaries(
  version: string | undefined,
  host: Host,
  options: WorkOptions,
): Promise<ControlPlaneBinaries> {
  let found = await findBinaries(version, host, options)
  if (found === undefined) {
    if (downloadOf('envtest', version, thisPlatform()) === undefined) throw await missing(version, host, options)
    await fetchTool('envtest', host, { ...options, version })
    found = await findBinaries(version, host, options)
  }
  if (found === undefined) throw await missing(version, host, options)
  if (found.controllerManager !== undefined) return found
  const own = found
  // Objects without controllers are still worth having where Kubernetes publishes none, or none can be fetched.
  const [manager] = await fetchTool('kube-controller-manager', host, { ...options, version: own.version }).catch(
    (error: unknown) => {
      if (ClustersError.is(error, 'checksum') || !ClustersError.is(error)) throw error
      options.onEvent({ kind: 'line', text: `no kube-controller-manager ${own.version}: ${error.message}` })
      return []
    },
  )
  return manager === undefined ? own : { ...own, controllerManager: manager.path }
}

/** What is there, for the choice of a new cluster. */
export async function describeBinaries(
  host: Host,
  options: Cancellable,
): Promise<Pick<ProviderRow, 'state' | 'tools' | 'versions'>> {
  const found = await findAll(host, options)
  const offered = downloadOf('envtest', undefined, thisPlatform()) !== undefined
  const tools = [
    finding('kube-apiserver', found.apiServers[0], offered, true),
    finding('etcd', found.etcds[0] === undefined ? undefined : { path: found.etcds[0], version: '' }, offered, true),
    finding('kube-controller-manager', found.managers[0], process.platform === 'linux', false),
  ]
  const ready = tools.slice(0, 2).every(({ state }) => state === 'found')
  const versions = [...new Set(found.apiServers.map((one) => one.version))]
  const state = ready || tools.slice(0, 2).every((tool) => tool.state !== 'missing') ? 'ready' : 'missing'
  return { state, tools, versions }
}

function finding(tool: string, found: Binary | undefined, offered: boolean, needed: boolean): ToolFinding {
  if (found !== undefined) return { tool, state: 'found', version: found.version, path: found.path, next: '' }
  const without = needed ? '' : '; without it objects are kept and no controller acts on them'
  const next = offered
    ? `it is fetched once, when the first cluster is created, and checked against its checksum${without}`
    : `put it on PATH, or name its folder in KUBEBUILDER_ASSETS${without}`
  return { tool, state: offered ? 'downloadable' : 'missing', version: '', path: '', next }
}

async function missing(version: string | undefined, host: Host, options: Cancellable): Promise<ClustersError> {
  const { apiServers, etcds } = await findAll(host, options)
  const lack = [...(etcds.length === 0 ? ['etcd'] : []), `kube-apiserver${version === undefined ? '' : ` ${version}`}`]
  const have = apiServers.length === 0 ? '' : ` (there is ${apiServers.map((one) => one.version).join(', ')})`
  const next = 'choose a version that is there, put the programs on PATH, or name their folder in KUBEBUILDER_ASSETS'
  return new ClustersError('tool-missing', `this machine has no ${lack.join(' and no ')}${have}`, next)
}

async function findAll(host: Host, options: Cancellable): Promise<Found> {
  const folders = await envtestFolders(host)
  const apiServers = await everywhere('kube-apiserver', folders, host, options)
  const managers = await everywhere('kube-controller-manager', folders, host, options)
  const etcds = await inFolders('etcd', folders)
  const cached = (await cachedBinaries('etcd', host)).map(({ path: file }) => file)
  const own = await onPath('etcd', host.env)
  return { apiServers, managers, etcds: [...etcds, ...cached, ...(own === undefined ? [] : [own])] }
}

async function everywhere(
  name: string,
  folders: readonly string[],
  host: Host,
  options: Cancellable,
): Promise<readonly Binary[]> {
  const files = await inFolders(name, folders)
  const own = await onPath(name, host.env)
  const asked = await Promise.all(
    [...files, ...(own === undefined ? [] : [own])].map(async (file) => ({
      path: file,
      version: await askVersion(file, ['--version'], { ...options, env: host.env }),
    })),
  )
  const all = [...asked.filter(({ version }) => version !== ''), ...(await cachedBinaries(name, host))]
  return all.sort((a, b) => compareVersions(b.version, a.version))
}

async function inFolders(name: string, folders: readonly string[]): Promise<readonly string[]> {
  const files = folders.map((folder) => path.join(folder, exe(name)))
  const there = await Promise.all(files.map(isExecutable))
  return files.filter((_, index) => there[index])
}

async function envtestFolders({ env }: Host): Promise<readonly string[]> {
  const assets = env['KUBEBUILDER_ASSETS']
  const data = env['XDG_DATA_HOME'] || path.join(homeOf(env), '.local', 'share')
  const store = path.join(data, 'kubebuilder-envtest', 'k8s')
  const stored = await readdir(store).catch(() => [])
  return [
    ...(assets === undefined || assets === '' ? [] : [assets]),
    ...stored.map((name) => path.join(store, name)),
    '/usr/local/kubebuilder/bin',
  ]
}

/** `v1.36` takes any patch release. */
function matches(version: string, wanted: string): boolean {
  return version === wanted || (/^v\d+\.\d+$/.test(wanted) && minorOf(version) === wanted)
}

function minorOf(version: string): string {
  return version.split('.').slice(0, 2).join('.')
}
