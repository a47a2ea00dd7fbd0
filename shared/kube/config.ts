import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import path from 'node:path'
import { ClusterError } from './cluster-error.ts'
import type { KubeCluster, Kubeconfig, KubeContext, KubeUser } from './kubeconfig.ts'
import { parseKubeconfig } from './kubeconfig-parse.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Where a kubeconfig comes from. */
export type ConfigOptions = {
  /** One file that must exist, as `--kubeconfig` names it; `KUBECONFIG` is then not looked at. */
  readonly kubeconfig?: string | undefined
  readonly env?: Environment
  /** Where a pod finds its service account, as every cluster mounts it when absent. */
  readonly serviceAccountFolder?: string
  readonly signal?: AbortSignal | undefined
}

/** One context with all that it refers to. */
export type ConnectionConfig = {
  readonly name: string
  readonly context: KubeContext
  readonly cluster: KubeCluster
  readonly user: KubeUser
}

const mountedServiceAccount = '/var/run/secrets/kubernetes.io/serviceaccount'
/** The context's name where a pod's service account is all there is. */
const inClusterContext = 'in-cluster'

/**
 * Loads and merges kubeconfig files as kubectl does (client-go `tools/clientcmd/loader.go`): the list of `KUBECONFIG`
 * or `~/.kube/config`, missing files skipped, the first file that has an entry wins it whole. In a pod without a
 * kubeconfig it is the service account.
 * @throws ClusterError `config`
 */
export async function loadKubeconfig(options: ConfigOptions = {}): Promise<Kubeconfig> {
  const env = options.env ?? process.env
  if (options.kubeconfig !== undefined && options.kubeconfig !== '') {
    const only = await readOne(path.resolve(options.kubeconfig), options.signal)
    if (only === undefined) throw new ClusterError('config', `the kubeconfig ${options.kubeconfig} does not exist`)
    return only
  }
  const files = kubeconfigFiles(env)
  const read = await Promise.all(files.map((file) => readOne(file, options.signal)))
  const merged = mergeKubeconfigs(read.filter((config) => config !== undefined))
  if (merged.contexts.size > 0 || merged.clusters.size > 0) return merged
  return (await inClusterConfig(env, options.serviceAccountFolder ?? mountedServiceAccount)) ?? merged
}

/** The files that count, in order of precedence, whether they exist or not. */
function kubeconfigFiles(env: Environment): readonly string[] {
  const list = env['KUBECONFIG']
  if (list === undefined || list === '') return [path.join(homeFolder(env), '.kube', 'config')]
  return [...new Set(list.split(path.delimiter).filter((file) => file !== ''))].map((file) => path.resolve(file))
}

/** Earlier files win: a map entry whole, the current context where it is set. */
function mergeKubeconfigs(configs: readonly Kubeconfig[]): Kubeconfig {
  const lowestFirst = [...configs].reverse()
  return {
    currentContext: configs.find((config) => config.currentContext !== '')?.currentContext ?? '',
    contexts: new Map(lowestFirst.flatMap((config) => [...config.contexts])),
    clusters: new Map(lowestFirst.flatMap((config) => [...config.clusters])),
    users: new Map(lowestFirst.flatMap((config) => [...config.users])),
  }
}

/** Picks a context and all that it names. @throws ClusterError `config` that says what is missing. */
export function connectionOf(config: Kubeconfig, contextName?: string): ConnectionConfig {
  const name = contextName ?? config.currentContext
  if (name === '') throw new ClusterError('config', noContext(config))
  const context = config.contexts.get(name)
  if (context === undefined) {
    throw new ClusterError('config', `there is no context "${name}" in the kubeconfig${known(config)}`)
  }
  const cluster = config.clusters.get(context.cluster)
  if (cluster === undefined || cluster.server === '') {
    const lack = cluster === undefined ? 'is not in the kubeconfig' : 'has no server'
    throw new ClusterError('config', `the cluster "${context.cluster}" of context "${name}" ${lack}`)
  }
  const user = context.user === '' ? anonymous(context.file) : config.users.get(context.user)
  if (user === undefined) {
    throw new ClusterError('config', `the user "${context.user}" of context "${name}" is not in the kubeconfig`)
  }
  return { name, context, cluster, user }
}

/** The configuration of a server that no kubeconfig names: no credentials, and an address that nobody dials. */
export function wiredConnection(name: string): ConnectionConfig {
  const context = { file: '', cluster: name, user: '', namespace: '' }
  return { name, context, cluster: plainCluster('http://127.0.0.1'), user: anonymous('') }
}

function noContext(config: Kubeconfig): string {
  if (config.contexts.size === 0) return 'no kubeconfig was found: set KUBECONFIG or write ~/.kube/config'
  return `no context is chosen: set current-context or name one${known(config)}`
}

function known(config: Kubeconfig): string {
  const names = [...config.contexts.keys()].sort()
  if (names.length === 0) return ''
  const shown = names.slice(0, 10).join(', ')
  return ` (it has ${shown}${names.length > 10 ? `, and ${names.length - 10} more` : ''})`
}

function homeFolder(env: Environment): string {
  const home = env['HOME']
  return home === undefined || home === '' ? homedir() : home
}

async function readOne(file: string, signal: AbortSignal | undefined): Promise<Kubeconfig | undefined> {
  let text: string
  try {
    text = await readFile(file, { encoding: 'utf8', ...(signal === undefined ? {} : { signal }) })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    const reason = error instanceof Error ? error.message : String(error)
    throw new ClusterError('config', `the kubeconfig ${file} cannot be read: ${reason}`, { cause: error })
  }
  return parseKubeconfig(text, file)
}

/** client-go `rest.InClusterConfig`. */
async function inClusterConfig(env: Environment, folder: string): Promise<Kubeconfig | undefined> {
  const host = env['KUBERNETES_SERVICE_HOST']
  const port = env['KUBERNETES_SERVICE_PORT']
  if (host === undefined || host === '' || port === undefined || port === '') return undefined
  const tokenFile = path.join(folder, 'token')
  const namespace = await textOf(path.join(folder, 'namespace'))
  if ((await textOf(tokenFile)) === undefined) return undefined
  const caFile = path.join(folder, 'ca.crt')
  const hasCa = (await textOf(caFile)) !== undefined
  const server = `https://${host.includes(':') ? `[${host}]` : host}:${port}`
  const from = { file: '' }
  return {
    currentContext: inClusterContext,
    contexts: new Map([
      [inClusterContext, { ...from, cluster: inClusterContext, user: inClusterContext, namespace: namespace ?? '' }],
    ]),
    clusters: new Map([[inClusterContext, { ...plainCluster(server), caFile: hasCa ? caFile : '' }]]),
    users: new Map([[inClusterContext, { ...anonymous(''), tokenFile }]]),
  }
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch {
    return undefined
  }
}

function plainCluster(server: string): KubeCluster {
  return {
    file: '',
    server,
    caFile: '',
    caData: '',
    insecure: false,
    tlsServerName: '',
    proxyUrl: '',
    disableCompression: false,
    execConfig: undefined,
  }
}

function anonymous(file: string): KubeUser {
  return {
    file,
    certFile: '',
    certData: '',
    keyFile: '',
    keyData: '',
    token: '',
    tokenFile: '',
    username: '',
    password: '',
    impersonate: undefined,
    exec: undefined,
    authProvider: undefined,
  }
}
