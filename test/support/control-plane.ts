import { setTimeout } from 'node:timers/promises'
import { readAuditEvents } from './control-plane-audit.ts'
import type { AuditEvent } from './control-plane-audit.ts'
import { JsonClient } from './control-plane-client.ts'
import { makeFolder, removeFolder, writeKubeconfig } from './control-plane-files.ts'
import type { Tokens } from './control-plane-files.ts'
import { apiServerFlags, controllerManagerFlags, etcdFlags, layOut, readServingCa } from './control-plane-layout.ts'
import { startKubelet } from './control-plane-kubelet.ts'
import { startServer } from './control-plane-process.ts'
import type { ServerName, ServerProcess } from './control-plane-process.ts'
import { bindUsers, createNode, usersAreBound } from './control-plane-seed.ts'
import { toolPath } from './tools/find.ts'

export interface ControlPlaneOptions {
  /** Also run kube-controller-manager, and one ready node whose pods start at once. */
  readonly controllerManager?: boolean
  /** Record every request, for proof of what was and was not written. */
  readonly audit?: boolean
  /** More flags for kube-apiserver. */
  readonly apiServerFlags?: readonly string[]
  /** Stops the start, and whatever it had started. */
  readonly signal?: AbortSignal
}

/** A real kube-apiserver with its etcd, and no other client than the test's. */
export interface ControlPlane {
  readonly url: string
  /** The token of `admin`. */
  readonly token: string
  readonly tokens: Tokens
  /** One context a user, named as the user; `admin` is current. */
  readonly kubeconfigPath: string
  readonly caPem: string
  /** Signed in as `admin`. */
  readonly client: JsonClient
  /** Milliseconds from the call to the first ready answer. */
  readonly startMs: number
  /**
   * Every request answered so far, in the order of the log.
   *
   * @throws Error when it was started without `audit`.
   */
  audit(): Promise<readonly AuditEvent[]>
  /** Ends the servers and removes every file; a second call does nothing. */
  stop(): Promise<void>
}

/** A control plane that could not be started; the message holds the end of the server's own log. */
export class ControlPlaneError extends Error {
  readonly reason: 'port-taken' | 'server-ended' | 'not-ready'

  constructor(reason: ControlPlaneError['reason'], message: string) {
    super(message)
    this.name = 'ControlPlaneError'
    this.reason = reason
  }

  static is(value: unknown): value is ControlPlaneError {
    return value instanceof ControlPlaneError
  }
}

const START_TIMEOUT_MS = 120_000
const POLL_MS = 50

/**
 * Starts etcd and kube-apiserver on free loopback ports, everything in one temporary folder, and returns when
 * `/readyz` is ok and namespace `default` is there. A port that another process took meanwhile is tried again.
 *
 * @throws ControlPlaneError when a server ends or does not get ready.
 */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  for (let attempt = 1; ; attempt++) {
    const cleanups: Cleanup[] = []
    const stop = async (): Promise<void> => {
      for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
    }
    try {
      return { ...(await startOnce(options, cleanups)), stop }
    } catch (error) {
      await stop()
      if (!ControlPlaneError.is(error) || error.reason !== 'port-taken' || attempt === 3) throw error
    }
  }
}

type Cleanup = () => Promise<void>

async function startOnce(options: ControlPlaneOptions, cleanups: Cleanup[]): Promise<Omit<ControlPlane, 'stop'>> {
  const { signal } = options
  const started = performance.now()
  signal?.throwIfAborted()
  const layout = await layOut(makeFolder())
  cleanups.push(async () => removeFolder(layout.folder))
  const servers: ServerProcess[] = []
  const launch = (name: ServerName, argv: readonly string[]): void => {
    const server = startServer(name, toolPath(name), argv)
    servers.push(server)
    cleanups.push(() => server.kill())
  }
  launch('etcd', etcdFlags(layout))
  launch('kube-apiserver', [...apiServerFlags(layout, options.audit === true), ...(options.apiServerFlags ?? [])])
  const caPem = await until('a serving certificate', servers, signal, async () => readServingCa(layout))
  writeKubeconfig(layout.kubeconfigPath, layout.url, caPem, layout.tokens)
  const client = new JsonClient(layout.url, caPem, layout.tokens.admin)
  cleanups.push(() => client.close())
  await until('a ready API server', servers, signal, () => allAnswer(client, READY_PATHS, signal))
  await bindUsers(client)
  await until('users with roles', servers, signal, () => usersAreBound(client))
  if (options.controllerManager === true) {
    await createNode(client)
    launch('kube-controller-manager', controllerManagerFlags(layout))
    const kubelet = startKubelet(client)
    cleanups.push(() => kubelet.stop())
    await until('running controllers', servers, signal, () => allAnswer(client, CONTROLLED_PATHS, signal))
  }
  const { url, tokens, kubeconfigPath } = layout
  const startMs = performance.now() - started
  const audit = async (): Promise<readonly AuditEvent[]> => {
    if (options.audit !== true) throw new Error('this control plane was started without its audit log')
    return readAuditEvents(layout.auditLogPath, client)
  }
  return { url, token: tokens.admin, tokens, kubeconfigPath, caPem, client, startMs, audit }
}

/** Polls until `ask` has an answer; an error of `ask` means not yet. */
async function until<T>(
  what: string,
  servers: readonly ServerProcess[],
  signal: AbortSignal | undefined,
  ask: () => Promise<T | undefined>,
): Promise<T> {
  const deadline = performance.now() + START_TIMEOUT_MS
  const ended = Promise.race(servers.map(async (server) => ({ server, code: await server.gone })))
  while (performance.now() < deadline) {
    signal?.throwIfAborted()
    const answer = await ask().catch(() => undefined)
    if (answer !== undefined) return answer
    const fallen = await Promise.race([ended, setTimeout(POLL_MS, undefined)])
    if (fallen !== undefined) throw endedError(fallen.server, fallen.code)
  }
  const logs = servers.map((server) => `${server.name}: ${server.tail()}`).join('\n')
  throw new ControlPlaneError('not-ready', `no ${what} after ${START_TIMEOUT_MS / 1000} s\n${logs}`)
}

function endedError(server: ServerProcess, code: number | string): ControlPlaneError {
  const tail = server.tail()
  const reason = tail.includes('address already in use') ? 'port-taken' : 'server-ended'
  return new ControlPlaneError(reason, `${server.name} ended (${code})\n${tail}`)
}

// The system namespaces come a moment after /readyz, from a loop inside the API server.
const READY_PATHS = ['/readyz', '/api/v1/namespaces/default', '/api/v1/namespaces/kube-system']

// What two of the controllers make first: from here on the others are up too, or about to be.
const CONTROLLED_PATHS = [
  '/api/v1/namespaces/default/serviceaccounts/default',
  '/api/v1/namespaces/default/configmaps/kube-root-ca.crt',
]

async function allAnswer(
  client: JsonClient,
  paths: readonly string[],
  signal: AbortSignal | undefined,
): Promise<true | undefined> {
  const answers = await Promise.all(paths.map((path) => client.request(path, { signal })))
  return answers.every((answer) => answer.status === 200) ? true : undefined
}
