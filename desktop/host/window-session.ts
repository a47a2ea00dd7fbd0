import type { AgentClient } from '../../shared/agent/client.ts'
import type { Opened, SessionEvent } from '../../shared/agent/contract.ts'
import type { ApplicationSummary, WorkspaceState } from '../../shared/model/front.ts'
import type { HostEvent, SentSnapshot } from '../../shared/view/host.ts'
import { summaryOf, unknownSummary } from '../../shared/view/application-summary.ts'
import type { AgentHub } from './agent-hub.ts'
import { HostError } from './host-error.ts'
import type { HubSession } from './hub-session.ts'
import { SummaryNews } from './summary-news.ts'

const EMBEDDED = 'embedded'

export type WindowSessionOptions = {
  readonly hub: AgentHub
  readonly tell: (event: HostEvent) => void
  /** What a session is opened with beside folder and context. */
  readonly common: () => Promise<{ readonly kubeconfig?: string; readonly trusted: readonly string[] }>
  readonly isProduction: (context: string) => Promise<boolean>
}

/** What one window has open, and what it is told of it. */
export class WindowSession {
  readonly #options: WindowSessionOptions
  readonly #news: SummaryNews
  /** Applications whose snapshots the window is told of. */
  readonly watched = new Set<string>()
  #folder = ''
  #context = EMBEDDED
  #production = false
  #session: HubSession | undefined
  #stopListening: () => void = () => undefined
  #problem: string | undefined
  /** Settles once it is known whether there will be a session. */
  #acquired = Promise.withResolvers<void>()
  /** Counts openings, so that the end of an older one changes nothing. */
  #turn = 0

  constructor(options: WindowSessionOptions) {
    this.#options = options
    this.#news = new SummaryNews((changed, gone) => options.tell({ kind: 'applications', changed, gone }))
  }

  get folder(): string {
    return this.#folder
  }

  get context(): string {
    return this.#context
  }

  /** A folder is about to be opened: the page must not take the window for an empty one until then. */
  expect(folder: string): void {
    this.#folder = folder
    this.#renewAcquired()
  }

  /** The folder that was expected cannot be opened. */
  giveUp(): void {
    this.#folder = ''
    this.#acquired.resolve()
    this.#tellState()
  }

  /** Opens a folder on a context in place of what was open; its end is told by a `workspace` event too. */
  async open(folder: string, context: string): Promise<WorkspaceState> {
    this.#turn += 1
    const turn = this.#turn
    this.#renewAcquired()
    this.#leave()
    this.#news.replace([])
    this.#folder = folder
    this.#context = context
    this.#problem = undefined
    this.#tellState()
    const [common, production] = await Promise.all([this.#options.common(), this.#options.isProduction(context)])
    if (turn !== this.#turn) return this.state()
    this.#production = production
    const session = this.#options.hub.acquire({ workspace: folder, context, ...common })
    this.#session = session
    this.#stopListening = session.onEvent((event) => this.#take(event))
    this.#acquired.resolve()
    this.#news.replace(this.summaries())
    try {
      await session.opened()
    } catch (error) {
      if (turn === this.#turn) this.#problem = error instanceof Error ? error.message : String(error)
    }
    if (turn === this.#turn) this.#tellState()
    return this.state()
  }

  /** Ends the watch; `reopen` begins it again. */
  async suspend(): Promise<void> {
    this.#turn += 1
    await this.#stop()?.end()
    if (this.#folder === '') return
    this.#problem = 'The watch is paused. Resume it from the View menu or the tray.'
    this.#tellState()
  }

  /** The same folder once more: settings or the mark of a context have changed. */
  async reopen(): Promise<WorkspaceState> {
    return this.#folder === '' ? this.state() : this.open(this.#folder, this.#context)
  }

  /** The same folder on another context, which is this window's choice alone. */
  async useContext(context: string): Promise<WorkspaceState> {
    if (this.#folder !== '') return this.open(this.#folder, context)
    this.#context = context
    this.#production = await this.#options.isProduction(context)
    this.#tellState()
    return this.state()
  }

  /** The person has marked the context anew. */
  markProduction(production: boolean): void {
    this.#production = production
    this.#tellState()
  }

  /** How many of the open applications go to a context. */
  applicationsOn(context: string): number {
    return (this.#session?.heads ?? []).filter((head) => head.context === context).length
  }

  state(): WorkspaceState {
    const heads = this.#session?.heads
    const problem = this.#problem
    const failures = this.#session?.failures ?? []
    const common = {
      workspace: this.#folder,
      context: this.#context,
      production: this.#production,
      simulated: this.#context === EMBEDDED,
    }
    if (this.#folder === '') return { ...common, kind: 'none', failures }
    if (problem !== undefined)
      return { ...common, kind: 'failed', failures: [{ stage: 'source', reason: 'failed', message: problem }] }
    if (heads === undefined) return { ...common, kind: 'starting', failures }
    return { ...common, kind: heads.length === 0 ? 'empty' : 'ready', failures }
  }

  /** The agent's name of the session; empty while there is none. */
  get id(): string {
    return this.#session?.id ?? ''
  }

  /** The agent's name of the session, once it is open. @throws HostError where no folder is open, AgentError */
  async whenOpen(): Promise<string> {
    return (await this.#whenAcquired()).session
  }

  /** Top folder of the open repository. @throws HostError, AgentError */
  async root(): Promise<string> {
    return (await this.#whenAcquired()).root
  }

  ask: AgentClient['ask'] = async (type, params, options) => this.#options.hub.ask(type, params, options)

  /** The context that an application goes to. */
  contextOf(application: string): string {
    const head = this.#session?.heads?.find(({ name }) => name === application)
    return this.snapshot(application)?.snapshot.context ?? head?.context ?? this.#context
  }

  snapshot(application: string): SentSnapshot | undefined {
    return this.#session?.snapshot(application)
  }

  /** @returns all that is known; from then on news are told */
  watchList(): readonly ApplicationSummary[] {
    const all = this.summaries()
    this.#news.begin(all)
    return all
  }

  dispose(): void {
    this.#turn += 1
    this.#news.dispose()
    this.#leave()
  }

  /** Whoever waits for an earlier session gets the later one. */
  #renewAcquired(): void {
    const before = this.#acquired
    this.#acquired = Promise.withResolvers()
    void this.#acquired.promise.then(before.resolve)
  }

  async #whenAcquired(): Promise<Opened> {
    if (this.#folder !== '' && this.#session === undefined && this.#problem === undefined) await this.#acquired.promise
    if (this.#session === undefined) throw new HostError('no-workspace', this.#problem ?? 'no repository is open')
    return this.#session.opened()
  }

  #leave(): void {
    this.#stop()?.release()
  }

  /** Forgets the session, and gives it to whoever ends it. */
  #stop(): HubSession | undefined {
    this.#stopListening()
    const before = this.#session
    this.#session = undefined
    this.watched.clear()
    return before
  }

  #take(event: SessionEvent): void {
    switch (event.kind) {
      case 'applications':
        this.#news.replace(this.summaries())
        return this.#tellState()
      case 'snapshot': {
        const { snapshot } = event
        this.#news.changed(summaryOf(snapshot))
        if (this.watched.has(snapshot.application.name)) this.#options.tell(event)
        return
      }
      case 'failed':
        this.#news.failed(event.application, event.message)
        return this.#options.tell(event)
      case 'sync':
        return this.#options.tell({ ...event, at: new Date().toISOString() })
    }
  }

  /** Every application as lists show it. */
  summaries(): readonly ApplicationSummary[] {
    return (this.#session?.heads ?? []).map((head) => {
      const known = this.#session?.snapshot(head.name)
      return known === undefined ? unknownSummary(head) : summaryOf(known.snapshot)
    })
  }

  #tellState(): void {
    this.#options.tell({ kind: 'workspace', state: this.state() })
  }
}
