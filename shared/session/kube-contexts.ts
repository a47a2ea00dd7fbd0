import { stateFolder } from '../base/folders.ts'
import { ClusterRecords } from '../clusters/cluster-records.ts'
import { EMBEDDED_CONTEXT } from '../clusters/embedded.ts'
import { contextOf } from '../clusters/own-context.ts'
import { isProduction, readMarks } from '../clusters/production-marks.ts'
import { ClusterError } from '../kube/cluster-error.ts'
import { connectCluster } from '../kube/cluster.ts'
import { loadKubeconfig } from '../kube/config.ts'
import { listContexts, type ContextSummary, type Kubeconfig } from '../kube/kubeconfig.ts'
import { clusterId } from '../model/cluster.ts'
import { parseJson, isObject } from '../model/json.ts'
import type { ContextProbe, KubeContextRow } from '../model/kube-context.ts'
import type { Cancellable } from '../model/ports.ts'

export type ContextsOptions = Cancellable & {
  /** One file instead of what `KUBECONFIG` names. */
  readonly kubeconfig?: string | undefined
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly state?: string
}

/** A person waits for this answer. */
const PROBE_MS = 8000

/** The embedded cluster, then every context of all kubeconfig files. Reads files only: no server is asked, no plugin run. @throws ClusterError `config` */
export async function kubeContexts(options: ContextsOptions = {}): Promise<readonly KubeContextRow[]> {
  const env = options.env ?? process.env
  const state = options.state ?? stateFolder(env)
  const { kubeconfig, signal } = options
  const config = await loadKubeconfig({ kubeconfig, env, signal })
  const marks = await readMarks(state)
  const records = await new ClusterRecords({ env, state, cache: '' }).all()
  const local = new Map(records.map(({ ref }) => [contextOf(ref.provider, ref.name), clusterId(ref)]))
  const others = listContexts(config).map((context): KubeContextRow => {
    const of = local.get(context.name) ?? madeByKind(context)
    const problem = problemOf(context, config)
    return {
      ...pick(context),
      execCommand: config.users.get(context.user)?.exec?.command ?? '',
      simulated: of?.startsWith('embedded/') === true,
      production: isProduction(context.name, marks),
      ...(of === undefined ? {} : { clusterId: of }),
      ...(problem === undefined ? {} : { problem }),
    }
  })
  return [EMBEDDED_ROW, ...others]
}

const EMBEDDED_ROW: KubeContextRow = {
  name: EMBEDDED_CONTEXT,
  cluster: 'built in (simulated)',
  server: '',
  namespace: '',
  user: '',
  auth: 'none',
  execCommand: '',
  file: '',
  current: false,
  simulated: true,
  production: false,
  clusterId: 'embedded/embedded',
}

/** Asks a context's server for its version. This connects: a plugin that the context names is run. */
export async function probeContext(context: string, options: ContextsOptions = {}): Promise<ContextProbe> {
  const { kubeconfig, signal } = options
  const started = performance.now()
  const took = (): number => Math.round(performance.now() - started)
  const cancel = signal === undefined ? {} : { signal }
  try {
    const env = options.env === undefined ? {} : { env: options.env }
    const cluster = await connectCluster({
      context,
      kubeconfig,
      ...env,
      watch: false,
      timeoutMs: PROBE_MS,
      schemaFolder: false,
    })
    try {
      const answer = parseJson(await cluster.raw('/version', cancel))
      const version = isObject(answer) && typeof answer['gitVersion'] === 'string' ? answer['gitVersion'] : ''
      return { context, state: 'reachable', version, tookMs: took(), message: '' }
    } finally {
      await cluster.dispose()
    }
  } catch (error) {
    if (!ClusterError.is(error)) throw error
    return { context, state: stateOf(error), version: '', tookMs: took(), message: error.message }
  }
}

function stateOf({ reason }: ClusterError): ContextProbe['state'] {
  if (reason === 'certificate') return 'certificate'
  if (reason === 'unauthorized' || reason === 'credentials') return 'unauthorized'
  return reason === 'unreachable' || reason === 'timeout' ? 'unreachable' : 'refused'
}

function pick(context: ContextSummary): Omit<KubeContextRow, 'execCommand' | 'simulated' | 'production'> {
  const { name, cluster, server, namespace, user, auth, file, current } = context
  return { name, cluster, server, namespace, user, auth, file, current }
}

/** kind names all three parts alike. */
function madeByKind({ name, cluster, user }: ContextSummary): string | undefined {
  return name.startsWith('kind-') && cluster === name && user === name ? `kind/${name.slice(5)}` : undefined
}

function problemOf({ cluster, user }: ContextSummary, config: Kubeconfig): string | undefined {
  if (!config.clusters.has(cluster)) return `its cluster "${cluster}" is not in the kubeconfig`
  return user === '' || config.users.has(user) ? undefined : `its user "${user}" is not in the kubeconfig`
}
