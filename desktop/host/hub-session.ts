import type { AgentClient } from '../../shared/agent/client.ts'
import {
  METHODS,
  type ApplicationHead,
  type Opened,
  type OpenParams,
  type SessionEvent,
} from '../../shared/agent/contract.ts'
import type { Failure } from '../../shared/model/failure.ts'
import type { SentSnapshot } from '../../shared/view/host.ts'

export type HubSessionOptions = {
  readonly params: OpenParams
  readonly ask: AgentClient['ask']
  /** Called when the last user has released it. */
  readonly onEmpty: () => void
}

const LINGER_MS = 30_000

/** One workspace on one context, as all windows that have it open share it: what is known of it, and what happens. */
export class HubSession {
  readonly params: OpenParams
  readonly #options: HubSessionOptions
  readonly #listeners = new Set<(event: SessionEvent) => void>()
  readonly #snapshots = new Map<string, SentSnapshot>()
  #opening: Promise<Opened>
  #opened: Opened | undefined
  #failed = false
  #heads: readonly ApplicationHead[] | undefined
  #failures: readonly Failure[] = []
  #users = 0
  #lingering: NodeJS.Timeout | undefined

  constructor(options: HubSessionOptions) {
    this.params = options.params
    this.#options = options
    this.#opening = this.#open()
  }

  /** The agent's own name of it; empty until it is open. */
  get id(): string {
    return this.#opened?.session ?? ''
  }

  get failed(): boolean {
    return this.#failed
  }

  /** Undefined until the applications are known. */
  get heads(): readonly ApplicationHead[] | undefined {
    return this.#heads
  }

  get failures(): readonly Failure[] {
    return this.#failures
  }

  snapshot(application: string): SentSnapshot | undefined {
    return this.#snapshots.get(application)
  }

  /** @throws AgentError */
  async opened(): Promise<Opened> {
    return this.#opening
  }

  /** @returns the listener's removal */
  onEvent(listener: (event: SessionEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  use(): void {
    clearTimeout(this.#lingering)
    this.#users += 1
  }

  /** Ends it for one user. It lingers a while, so that a page that is loaded anew finds all that was compared. */
  release(): void {
    this.#users -= 1
    if (this.#users > 0) return
    this.#lingering = setTimeout(() => void this.#end(), LINGER_MS)
    this.#lingering.unref()
  }

  /** Ends it for one user, and at once where nobody else uses it: the watch is to stop. */
  async end(): Promise<void> {
    this.#users -= 1
    if (this.#users === 0) await this.#end()
  }

  async #end(): Promise<void> {
    this.#options.onEmpty()
    const opened = await this.#opening.catch(() => undefined)
    if (opened !== undefined) await this.#options.ask(METHODS.close, { session: opened.session }).catch(() => undefined)
  }

  /** The agent is another one: what was known is asked for again. The first opening waits for the agent by itself. */
  reopen(): void {
    if (this.#opened === undefined && !this.#failed) return
    this.#failed = false
    this.#opening = this.#open()
  }

  take(event: SessionEvent): void {
    switch (event.kind) {
      case 'applications': {
        this.#heads = event.applications
        this.#failures = event.failures
        const names = new Set(event.applications.map(({ name }) => name))
        for (const name of this.#snapshots.keys()) if (!names.has(name)) this.#snapshots.delete(name)
        break
      }
      case 'snapshot':
        this.#snapshots.set(event.snapshot.application.name, { snapshot: event.snapshot, local: event.local })
        break
      default:
        break
    }
    for (const listener of this.#listeners) listener(event)
  }

  #open(): Promise<Opened> {
    const opening = this.#openNow()
    opening.catch(() => (this.#failed = true))
    return opening
  }

  async #openNow(): Promise<Opened> {
    const opened = await this.#options.ask(METHODS.open, this.params)
    this.#opened = opened
    await this.#options.ask(METHODS.subscribe, { session: opened.session })
    return opened
  }
}
