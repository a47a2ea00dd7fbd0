import type { CancellationToken, MessageConnection, RequestType } from 'vscode-jsonrpc/node'
import type { Cancellable } from '../model/ports.ts'
import { addKeys, removeKeys, storedKeyFiles } from '../session/key-store.ts'
import { keyFolder } from '../session/keyring.ts'
import { verifyCommits } from '../session/verify-commits.ts'
import { AgentError, toResponse } from './agent-error.ts'
import { answerApplicationMethods, resultOf } from './application-methods.ts'
import { answerClusterMethods } from './cluster-methods.ts'
import { METHODS, PROTOCOL, sessionEvent, type FailureData, type KeyRow } from './contract.ts'
import { contextRows, type AgentHost } from './host.ts'
import type { HostedSession } from './hosted-session.ts'
import { answerInstallMethods } from './install-methods.ts'
import { committedText, liveYaml, manifestsYaml } from './read-objects.ts'
import { sidesOf } from './sides.ts'
import { SnapshotSender } from './snapshot-sender.ts'
import { answerRehearsalMethods } from './rehearsal-methods.ts'
import { answerWindowMethods } from './window-methods.ts'

type Served = {
  readonly connection: MessageConnection
  readonly host: AgentHost
  /** Sessions that this client opened, each with the end of its subscription. */
  readonly opened: Map<string, (() => void) | undefined>
}

/** Answers one client until its connection ends; what it had open is closed then. */
export function serveClient(connection: MessageConnection, host: AgentHost): void {
  const served: Served = { connection, host, opened: new Map() }
  answerSessions(served)
  answerApplications(served)
  answerApplicationMethods({ host, answer: (type, work) => answer(connection, type, work) })
  answerWindowMethods({ host, answer: (type, work) => answer(connection, type, work) })
  answerClusterMethods({ connection, answer: (type, work) => answer(connection, type, work) })
  answerRehearsalMethods({ connection, host, answer: (type, work) => answer(connection, type, work) })
  answerInstallMethods({ host, answer: (type, work) => answer(connection, type, work) })
  answerMachine(connection)
  connection.onClose(() => {
    for (const [id, unsubscribe] of served.opened) {
      unsubscribe?.()
      void host.close(id).catch(() => undefined)
    }
    served.opened.clear()
  })
  connection.listen()
}

function answerSessions({ connection, host, opened }: Served): void {
  answer(connection, METHODS.hello, async ({ protocol }) => {
    if (protocol !== PROTOCOL)
      throw new AgentError('version', `this agent speaks protocol ${PROTOCOL}, not ${protocol}`)
    return { protocol: PROTOCOL, pid: process.pid }
  })
  answer(connection, METHODS.open, async (params) => {
    const { id, session } = await host.open(params)
    // A client that asks for the same twice still holds it once.
    if (opened.has(id)) await host.close(id)
    else opened.set(id, undefined)
    return { session: id, root: session.root, isRepository: session.session.source.root !== undefined }
  })
  answer(connection, METHODS.close, async ({ session }) => {
    opened.get(session)?.()
    if (opened.delete(session)) await host.close(session)
    return null
  })
  answer(connection, METHODS.subscribe, async ({ session }) => {
    opened.get(session)?.()
    const hosted = await host.get(session)
    const sender = new SnapshotSender(async (event) =>
      connection.sendNotification(sessionEvent, { session, event }).catch(() => undefined),
    )
    const unsubscribe = await hosted.subscribe((event) => sender.take(event))
    opened.set(session, () => {
      unsubscribe()
      sender.end()
    })
    return null
  })
  answer(connection, METHODS.refresh, async ({ session, application, hard }) => {
    await (await host.get(session)).refresh(application, hard)
    return null
  })
  answer(connection, METHODS.startEmbedded, async ({ session }, options) => {
    const cluster = await (await host.get(session)).session.cluster('embedded')
    return (await cluster.describe(options)).version
  })
}

function answerApplications({ connection, host }: Served): void {
  answer(connection, METHODS.plan, async (params, options) =>
    resultOf(await (await host.get(params.session)).plan(params, options)),
  )
  answer(connection, METHODS.sync, async (params, options) =>
    resultOf(await (await host.get(params.session)).sync(params, options)),
  )
  answer(connection, METHODS.sides, async ({ session, application, keys }, options) =>
    sidesOf(await (await host.get(session)).pass(application, options), keys),
  )
  const objects = async (session: string): Promise<HostedSession> => host.get(session)
  answer(connection, METHODS.live, async (params, options) => liveYaml(await objects(params.session), params, options))
  answer(connection, METHODS.manifests, async (params, options) =>
    manifestsYaml(await objects(params.session), params, options),
  )
  answer(connection, METHODS.committedText, async (params, options) =>
    committedText(await objects(params.session), params, options),
  )
}

function answerMachine(connection: MessageConnection): void {
  answer(connection, METHODS.contexts, async ({ kubeconfig }) => contextRows(kubeconfig))
  answer(connection, METHODS.verify, async (params, options) =>
    verifyCommits({ ...params, ...options, keys: keyFolder() }),
  )
  answer(connection, METHODS.keys, async () => {
    const files = await storedKeyFiles(keyFolder())
    return files.flatMap(({ file, keys }) =>
      keys.map(({ fingerprint, names, format, notes }): KeyRow => ({ fingerprint, names, format, notes, file })),
    )
  })
  answer(connection, METHODS.addKey, async ({ file }) => addKeys(file, keyFolder()))
  answer(connection, METHODS.removeKey, async ({ id }) => (await removeKeys(id, keyFolder())) !== undefined)
}

function answer<P, R>(
  connection: MessageConnection,
  type: RequestType<P, R, FailureData>,
  work: (params: P, options: Cancellable) => Promise<R>,
): void {
  connection.onRequest<unknown, FailureData>(type.method, async (params: P, token: CancellationToken) => {
    try {
      return await work(params, { signal: signalOf(token) })
    } catch (error) {
      throw toResponse(error)
    }
  })
}

function signalOf(token: CancellationToken): AbortSignal {
  const abort = new AbortController()
  if (token.isCancellationRequested) abort.abort()
  token.onCancellationRequested(() => abort.abort())
  return abort.signal
}
