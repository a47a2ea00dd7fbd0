import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { Agent, request } from 'undici'
import type { Cancellable } from '../../model/ports.ts'
import { ClustersError } from '../clusters-error.ts'
import { logTail, runningDaemon, startDaemon, stopDaemon, type Daemon } from '../daemon.ts'
import { endProcesses, processesNaming } from '../process-identity.ts'
import type { Host, WorkOptions } from '../provider.ts'
import { until } from '../until.ts'
import { apiServerFlags, controllerManagerFlags, etcdFlags, type ControlPlane } from './control-plane-files.ts'

const SERVERS = ['etcd', 'kube-apiserver', 'kube-controller-manager'] as const
type ServerName = (typeof SERVERS)[number]

/** etcd is given time to write what it has; a watch of the API server ends at once. */
const STOP_MS = 10_000
const READY_PATHS = ['/readyz', '/api/v1/namespaces/default', '/api/v1/namespaces/kube-system']
/** What two of the controllers make first: from here on the others are up too. */
const CONTROLLED_PATHS = [
  '/api/v1/namespaces/default/serviceaccounts/default',
  '/api/v1/namespaces/default/configmaps/kube-root-ca.crt',
]

/** Starts the servers, those that do not run, and waits until the API answers. @throws ClustersError `not-ready` with the log's end */
export async function startServers(
  plane: ControlPlane,
  host: Host,
  { limitMs, ...options }: WorkOptions & { readonly limitMs: number },
): Promise<void> {
  const { binaries } = plane
  const total = binaries.controllerManager === undefined ? 2 : 3
  const step = async (index: number, title: string, work: () => Promise<void>): Promise<void> => {
    options.onEvent({ kind: 'step', title, state: 'running', index, total })
    await work()
    options.onEvent({ kind: 'step', title, state: 'done', index, total })
  }
  const env = { PATH: host.env['PATH'] ?? '' }
  await step(1, 'Starting etcd', async () => startDaemon(daemon(plane, 'etcd'), binaries.etcd, etcdFlags(plane), env))
  await step(2, `Starting kube-apiserver ${binaries.version}`, async () => {
    await startDaemon(daemon(plane, 'kube-apiserver'), binaries.apiServer, apiServerFlags(plane), env)
    await answers(plane, READY_PATHS, { ...options, limitMs, servers: ['etcd', 'kube-apiserver'] })
  })
  const { controllerManager } = binaries
  if (controllerManager === undefined) return
  await step(3, 'Starting kube-controller-manager', async () => {
    await startDaemon(daemon(plane, 'kube-controller-manager'), controllerManager, controllerManagerFlags(plane), env)
    await answers(plane, CONTROLLED_PATHS, { ...options, limitMs, servers: SERVERS })
  })
}

/** Ends them, those too that a killed creation left without a note. */
export async function stopServers(folder: string): Promise<void> {
  for (const name of [...SERVERS].reverse()) await stopDaemon({ folder, name }, STOP_MS)
  await endProcesses(await processesNaming(folder, SERVERS), STOP_MS)
}

/** Servers that run, of those that should. */
export async function runningServers(plane: ControlPlane): Promise<readonly ServerName[]> {
  const wanted = SERVERS.filter(
    (name) => name !== 'kube-controller-manager' || plane.binaries.controllerManager !== undefined,
  )
  const marks = await Promise.all(wanted.map(async (name) => runningDaemon(daemon(plane, name))))
  return wanted.filter((_, index) => marks[index] !== undefined)
}

export function serversOf(plane: ControlPlane): number {
  return plane.binaries.controllerManager === undefined ? 2 : 3
}

export function logsOf(folder: string): readonly Daemon[] {
  return SERVERS.map((name) => ({ folder, name }))
}

async function answers(
  plane: ControlPlane,
  paths: readonly string[],
  options: Cancellable & { readonly limitMs: number; readonly servers: readonly ServerName[] },
): Promise<void> {
  const client = await adminClient(plane)
  const daemons = options.servers.map((name) => daemon(plane, name))
  const describe = async (): Promise<string> => tails(daemons)
  try {
    await until(
      'the API server',
      options.limitMs,
      async () => {
        for (const one of daemons) if ((await runningDaemon(one)) === undefined) throw await ended(one)
        const codes = await Promise.all(paths.map(async (at) => (await client.get(at, options)).status))
        return codes.every((code) => code === 200)
      },
      { ...options, describe },
    )
  } finally {
    await client.close()
  }
}

/** The API as its administrator asks it. */
async function adminClient(plane: ControlPlane): Promise<{
  get(at: string, options: Cancellable): Promise<{ readonly status: number }>
  close(): Promise<void>
}> {
  const read = async (name: string): Promise<Buffer> => readFile(path.join(plane.folder, name))
  const [ca, cert, key] = await Promise.all([read('ca.crt'), read('admin.crt'), read('admin.key')])
  const agent = new Agent({ connect: { ca, cert, key }, headersTimeout: 5000, bodyTimeout: 5000 })
  return {
    get: async (at, { signal }) => {
      const limits = { dispatcher: agent, ...(signal === undefined ? {} : { signal }) }
      const answer = await request(`https://127.0.0.1:${plane.port}${at}`, limits)
      await answer.body.dump()
      return { status: answer.statusCode }
    },
    close: async () => agent.close(),
  }
}

async function ended(server: Daemon): Promise<ClustersError> {
  const tail = await logTail(server, 6)
  const next = tail.includes('address already in use')
    ? 'another program took its port; start it again'
    : 'its log says why'
  return new ClustersError('not-ready', `${server.name} ended\n${tail}`, next)
}

async function tails(daemons: readonly Daemon[]): Promise<string> {
  const texts = await Promise.all(daemons.map(async (one) => `${one.name}: ${await logTail(one, 3)}`))
  return texts.join('\n')
}

function daemon({ folder }: ControlPlane, name: ServerName): Daemon {
  return { folder, name }
}
