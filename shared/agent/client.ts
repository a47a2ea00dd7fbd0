import { CancellationTokenSource, type MessageConnection, type RequestType } from 'vscode-jsonrpc/node'
import { CancelledError, onAbort } from '../base/abort.ts'
import type { Cancellable } from '../model/ports.ts'
import type { RehearsalEvent } from '../model/rehearsal.ts'
import { AgentError, fromResponse, isWithdrawn } from './agent-error.ts'
import type { ToldEvent } from '../clusters/cluster-operations.ts'
import { clusterEvent } from './cluster-contract.ts'
import { METHODS, PROTOCOL, sessionEvent, type FailureData, type SentEvent, type SessionEvent } from './contract.ts'
import { launchAgent, type AgentLink, type LaunchOptions } from './launch.ts'
import { rehearsalEvent } from './rehearsal-contract.ts'
import { SnapshotGathering } from './snapshot-gathering.ts'
import { connectWire } from './wire.ts'

/** What a client tells of its agent. `running` comes anew after each restart: sessions have to be opened again then. */
export type AgentState =
  | { readonly kind: 'starting' }
  | { readonly kind: 'running'; readonly pid: number; readonly shared: boolean }
  | { readonly kind: 'waiting'; readonly reason: string; readonly retryMs: number }
  | { readonly kind: 'stopped' }

export type ClientOptions = LaunchOptions & {
  readonly onState: (state: AgentState) => void
  readonly onEvent: (session: string, event: SessionEvent) => void
  /** What happens to local clusters, once `CLUSTER_METHODS.watch` was asked for. */
  readonly onClusterEvent?: (told: ToldEvent) => void
  /** What a rehearsal that this client asked for tells while it runs, by its ticket. */
  readonly onRehearsalEvent?: (ticket: string, event: RehearsalEvent) => void
}

const FIRST_RETRY_MS = 250
const LONGEST_RETRY_MS = 30_000
/** An agent that lived this long did not fail at its start. */
const SOUND_MS = 60_000

/** Keeps one agent at hand: starts it, starts it again when it dies, and asks it. */
export class AgentClient {
  readonly #options: ClientOptions
  #link: AgentLink | undefined
  #connection: MessageConnection | undefined
  #retryMs = FIRST_RETRY_MS
  #timer: NodeJS.Timeout | undefined
  #disposed = false
  #avoidShared = false
  /** By session. */
  readonly #gatherings = new Map<string, SnapshotGathering>()

  constructor(options: ClientOptions) {
    this.#options = options
  }

  /** Begins; from then on `onState` tells. Called again while it waits, it tries at once. */
  start(): void {
    if (this.#disposed || this.#link !== undefined) return
    clearTimeout(this.#timer)
    void this.#run()
  }

  get running(): boolean {
    return this.#connection !== undefined
  }

  /** @throws AgentError, CancelledError */
  async ask<P, R>(type: RequestType<P, R, FailureData>, params: P, { signal }: Cancellable = {}): Promise<R> {
    const connection = this.#connection
    if (connection === undefined) throw new AgentError('gone', 'the agent is not running')
    const source = new CancellationTokenSource()
    const remove = onAbort(signal, () => source.cancel())
    try {
      return await connection.sendRequest<R>(type.method, params, source.token)
    } catch (error) {
      if (isWithdrawn(error)) throw new CancelledError(error)
      throw fromResponse(error)
    } finally {
      remove()
      source.dispose()
    }
  }

  dispose(): void {
    this.#disposed = true
    clearTimeout(this.#timer)
    this.#end()
    this.#options.onState({ kind: 'stopped' })
  }

  async #run(): Promise<void> {
    this.#options.onState({ kind: 'starting' })
    const startedAt = Date.now()
    let reason: string
    try {
      const link = await launchAgent({ ...this.#options, share: this.#options.share && !this.#avoidShared })
      if (this.#disposed) return link.dispose()
      this.#link = link
      reason = await this.#serve(link)
    } catch (error) {
      reason = error instanceof Error ? error.message : String(error)
    }
    this.#end()
    if (this.#disposed) return
    if (Date.now() - startedAt > SOUND_MS) this.#retryMs = FIRST_RETRY_MS
    const retryMs = this.#retryMs
    this.#retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS)
    this.#timer = setTimeout(() => void this.#run(), retryMs)
    this.#options.onState({ kind: 'waiting', reason, retryMs })
  }

  /** Lives as long as the link does. @returns why it ended */
  async #serve(link: AgentLink): Promise<string> {
    const connection = connectWire(link.input, link.output)
    this.#gatherings.clear()
    connection.onNotification(clusterEvent, (told) => this.#options.onClusterEvent?.(told))
    connection.onNotification(rehearsalEvent, ({ ticket, event }) => this.#options.onRehearsalEvent?.(ticket, event))
    connection.onNotification(sessionEvent, ({ session, event }) => this.#take(session, event))
    connection.onError(() => undefined)
    connection.listen()
    const greeted = connection.sendRequest(METHODS.hello, { protocol: PROTOCOL })
    const first = await Promise.race([greeted, link.ended.then((reason) => new AgentError('gone', reason))])
    if (first instanceof AgentError) throw first
    if (first.protocol !== PROTOCOL) {
      this.#avoidShared = true
      throw new AgentError('version', `the running agent speaks protocol ${first.protocol}, not ${PROTOCOL}`)
    }
    this.#connection = connection
    this.#options.onState({ kind: 'running', pid: first.pid, shared: link.shared })
    return link.ended
  }

  #take(session: string, event: SentEvent): void {
    if (event.kind !== 'snapshot-part') return this.#options.onEvent(session, event)
    const gathering = this.#gatherings.get(session) ?? new SnapshotGathering()
    this.#gatherings.set(session, gathering)
    const whole = gathering.take(event)
    if (whole !== undefined) this.#options.onEvent(session, { kind: 'snapshot', ...whole })
  }

  #end(): void {
    this.#connection?.dispose()
    this.#connection = undefined
    this.#link?.dispose()
    this.#link = undefined
  }
}
