import { AgentClient, type AgentState, type ClientOptions } from '../../shared/agent/client.ts'
import { CLUSTER_METHODS } from '../../shared/agent/cluster-contract.ts'
import type { OpenParams, SessionEvent } from '../../shared/agent/contract.ts'
import type { LaunchOptions } from '../../shared/agent/launch.ts'
import { HubSession } from './hub-session.ts'

type ClusterTold = Parameters<NonNullable<ClientOptions['onClusterEvent']>>[0]

/** One agent for all windows of this process: each session is opened once, and again when the agent had to be started anew. */
export class AgentHub {
  readonly #client: AgentClient
  readonly #sessions = new Map<string, HubSession>()
  readonly #listeners = new Set<(state: AgentState) => void>()
  readonly #clusterListeners = new Set<(told: ClusterTold) => void>()
  #state: AgentState = { kind: 'starting' }

  constructor(options: LaunchOptions) {
    this.#client = new AgentClient({
      ...options,
      onState: (state) => this.#onState(state),
      onEvent: (session, event) => this.#onEvent(session, event),
      onClusterEvent: (told) => {
        for (const listener of this.#clusterListeners) listener(told)
      },
    })
    this.#client.start()
  }

  get state(): AgentState {
    return this.#state
  }

  /** @throws AgentError, CancelledError */
  ask: AgentClient['ask'] = async (type, params, options) => {
    await this.#running()
    return this.#client.ask(type, params, options)
  }

  /** @returns the listener's removal */
  onState(listener: (state: AgentState) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** What is done with local clusters, whichever window asked for it. @returns the listener's removal */
  onClusterEvent(listener: (told: ClusterTold) => void): () => void {
    this.#clusterListeners.add(listener)
    return () => this.#clusterListeners.delete(listener)
  }

  /** The session of these parameters, for one more user, who has to `release` it. */
  acquire(params: OpenParams): HubSession {
    const key = JSON.stringify(params)
    const known = this.#sessions.get(key)
    // What failed is tried anew by whoever opens it next.
    const session = known === undefined || known.failed ? this.#newSession(key, params) : known
    session.use()
    return session
  }

  #newSession(key: string, params: OpenParams): HubSession {
    const session: HubSession = new HubSession({
      params,
      ask: this.ask,
      onEmpty: () => {
        if (this.#sessions.get(key) === session) this.#sessions.delete(key)
      },
    })
    this.#sessions.set(key, session)
    return session
  }

  dispose(): void {
    this.#client.dispose()
    this.#sessions.clear()
    this.#listeners.clear()
  }

  #onState(state: AgentState): void {
    const before = this.#state
    this.#state = state
    if (state.kind === 'running') void this.#client.ask(CLUSTER_METHODS.watch, null).catch(() => undefined)
    if (state.kind === 'running' && before.kind !== 'running')
      for (const session of this.#sessions.values()) session.reopen()
    for (const listener of this.#listeners) listener(state)
  }

  #onEvent(id: string, event: SessionEvent): void {
    for (const session of this.#sessions.values()) if (session.id === id) session.take(event)
  }

  /** A question that comes while the agent starts waits for it; one that fails to start is told by its next state. */
  async #running(): Promise<void> {
    if (this.#client.running) return
    this.#client.start()
    await new Promise<void>((resolve) => {
      const remove = this.onState(({ kind }) => {
        if (kind === 'starting') return
        remove()
        resolve()
      })
    })
  }
}
