import { readFile } from 'node:fs/promises'
import path from 'node:path'
import {
  env,
  EventEmitter,
  l10n,
  workspace,
  type Disposable,
  type ExtensionContext,
  type LogOutputChannel,
} from 'vscode'
import { AgentError } from '../../shared/agent/agent-error.ts'
import { AgentClient, type AgentState, type ClientOptions } from '../../shared/agent/client.ts'
import { CLUSTER_METHODS } from '../../shared/agent/cluster-contract.ts'
import { METHODS, type Opened, type OpenParams, type SessionEvent } from '../../shared/agent/contract.ts'
import { isCancelled } from '../../shared/base/abort.ts'
import { stateFolder } from '../../shared/base/folders.ts'
import type { RehearsalEvent } from '../../shared/model/rehearsal.ts'
import type { Model } from '../model.ts'
import { settings } from '../settings.ts'

const CONTEXT_KEY = 'context'
const KUBECONFIG_KEY = 'kubeconfig'
const EMBEDDED = 'embedded'
const FIRST_AGAIN_MS = 1000
const LONGEST_AGAIN_MS = 15_000

type ToldEvent = Parameters<NonNullable<ClientOptions['onClusterEvent']>>[0]

/** Keeps the agent and one session on it, and writes what they tell into the model. */
export class Connection implements Disposable {
  readonly #extension: ExtensionContext
  readonly #model: Model
  readonly #log: LogOutputChannel
  #client: AgentClient | undefined
  readonly #event = new EventEmitter<SessionEvent>()
  readonly onEvent = this.#event.event
  readonly #agent = new EventEmitter<AgentState>()
  readonly onAgent = this.#agent.event
  readonly #rehearsal = new EventEmitter<{ readonly ticket: string; readonly event: RehearsalEvent }>()
  readonly onRehearsal = this.#rehearsal.event
  readonly #cluster = new EventEmitter<ToldEvent>()
  /** Of clusters on this machine, whichever window works on them. */
  readonly onCluster = this.#cluster.event
  #watchesClusters = false
  /** Counts the sessions, so that answers for an older one are dropped. */
  #turn = 0
  #again: NodeJS.Timeout | undefined
  #againMs = FIRST_AGAIN_MS

  constructor(extension: ExtensionContext, model: Model, log: LogOutputChannel) {
    this.#extension = extension
    this.#model = model
    this.#log = log
  }

  /** Starts the agent. Never called in a workspace that is not trusted: it renders, and may run exec plugins. */
  start(): void {
    if (this.#client !== undefined) return this.#client.start()
    this.#client = new AgentClient({
      node: process.execPath,
      main: path.join(this.#extension.extensionPath, 'dist', 'agent', 'main.js'),
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: '' },
      share: true,
      onLog: (text) => this.#log.info(`agent: ${text.trimEnd()}`),
      onState: (state) => void this.#onState(state),
      onEvent: (session, event) => {
        if (session !== this.#model.session?.session) return
        this.#model.take(event)
        this.#event.fire(event)
      },
      onRehearsalEvent: (ticket, event) => this.#rehearsal.fire({ ticket, event }),
      onClusterEvent: (told) => {
        this.#cluster.fire(told)
        if (told.event.kind === 'ended') void this.readClusters()
      },
    })
    this.#client.start()
  }

  /** Ends the agent that we started and starts one anew. */
  restart(): void {
    this.#client?.dispose()
    this.#client = undefined
    this.start()
  }

  /** @throws AgentError, CancelledError */
  ask: AgentClient['ask'] = async (type, params, options) => {
    if (this.#client === undefined) this.start()
    const client = this.#client
    if (client === undefined) throw new Error(l10n.t('the agent could not be started'))
    return client.ask(type, params, options)
  }

  get session(): string {
    return this.#model.session?.session ?? ''
  }

  /** @param kubeconfig the file that has the context, where it is none of the usual ones */
  async useContext(name: string, kubeconfig?: string): Promise<void> {
    await this.#extension.workspaceState.update(CONTEXT_KEY, name)
    await this.#extension.workspaceState.update(KUBECONFIG_KEY, kubeconfig)
    await this.open()
  }

  /** Opens the session anew, as settings and context are now. */
  async open(): Promise<void> {
    this.#turn += 1
    clearTimeout(this.#again)
    this.#againMs = FIRST_AGAIN_MS
    const before = this.#model.session
    this.#model.clear()
    const folder = workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')
    if (folder === undefined) return
    this.#model.set({ context: await this.#chosenContext() })
    await this.#attempt(folder.uri.fsPath, before, this.#turn)
  }

  /** A workspace that cannot be opened now may be in a moment: a folder comes back, a file is whole again. */
  async #attempt(folder: string, before: Opened | undefined, turn: number): Promise<void> {
    try {
      const opened = await this.ask(METHODS.open, this.#openParams(folder, this.#model.context))
      if (turn !== this.#turn) return
      this.#model.set({ session: opened, problem: undefined })
      if (before !== undefined && before.session !== opened.session) await this.#close(before.session)
      await this.ask(METHODS.subscribe, { session: opened.session })
      await this.readMachine()
    } catch (error) {
      // An agent that is gone is started again, and then all is opened anew.
      if (turn !== this.#turn || isCancelled(error) || AgentError.is(error, 'gone')) return
      const message = error instanceof Error ? error.message : String(error)
      this.#log.error(`session: ${message}; the next try is in ${this.#againMs} ms`)
      this.#model.set({ problem: message })
      this.#again = setTimeout(() => void this.#attempt(folder, before, turn), this.#againMs)
      this.#againMs = Math.min(this.#againMs * 2, LONGEST_AGAIN_MS)
    }
  }

  /** Contexts and keys of this machine. */
  async readMachine(): Promise<void> {
    const kubeconfig = settings.kubeconfig()
    const [contexts, keys, marked] = await Promise.all([
      this.ask(METHODS.contexts, kubeconfig === '' ? {} : { kubeconfig }).catch((error: unknown) => {
        this.#log.warn(`contexts: ${error instanceof Error ? error.message : String(error)}`)
        return []
      }),
      this.ask(METHODS.keys, null).catch(() => []),
      this.#markedContexts(),
    ])
    this.#model.setMachine({ contexts, keys, marked })
  }

  /** What cannot be read now is as marked as it was. */
  async #markedContexts(): Promise<ReadonlySet<string>> {
    const kubeconfig = settings.kubeconfig()
    try {
      const rows = await this.ask(CLUSTER_METHODS.contextRows, kubeconfig === '' ? {} : { kubeconfig })
      return new Set(rows.filter(({ production }) => production).map(({ name }) => name))
    } catch {
      return this.#model.marked
    }
  }

  /** Clusters on this machine. Their tools are run for it, so it waits until somebody looks. */
  async readClusters(): Promise<void> {
    try {
      if (!this.#watchesClusters) await this.ask(CLUSTER_METHODS.watch, null)
      this.#watchesClusters = true
      this.#model.setMachine({ clusters: await this.ask(CLUSTER_METHODS.list, null) })
    } catch (error) {
      this.#log.warn(`clusters: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  dispose(): void {
    clearTimeout(this.#again)
    this.#client?.dispose()
    this.#client = undefined
    this.#event.dispose()
    this.#agent.dispose()
    this.#cluster.dispose()
    this.#rehearsal.dispose()
  }

  async #onState(state: AgentState): Promise<void> {
    this.#model.set({ agent: state })
    this.#agent.fire(state)
    switch (state.kind) {
      case 'running':
        if (this.#watchesClusters) {
          this.#watchesClusters = false
          void this.readClusters()
        }
        this.#log.info(
          `agent ${state.pid} ${state.shared ? 'is shared with another window' : 'started'} (${env.appName})`,
        )
        return this.open()
      case 'waiting':
        this.#log.error(`agent: ${state.reason}; the next try is in ${state.retryMs} ms`)
        return
      default:
        return
    }
  }

  #openParams(folder: string, context: string): OpenParams {
    const own = this.#extension.workspaceState.get<string>(KUBECONFIG_KEY) ?? ''
    const kubeconfig = own === '' ? settings.kubeconfig() : own
    const apps = settings.applications()
    return {
      workspace: folder,
      context,
      trusted: settings.trustedManagers(),
      ...(kubeconfig === '' ? {} : { kubeconfig }),
      ...(apps === '' ? {} : { apps }),
    }
  }

  async #close(session: string): Promise<void> {
    await this.ask(METHODS.close, { session }).catch(() => undefined)
  }

  /** What was chosen here, else what the command line's `context use` chose, else the embedded cluster. */
  async #chosenContext(): Promise<string> {
    const own = this.#extension.workspaceState.get<string>(CONTEXT_KEY)
    if (own !== undefined && own !== '') return own
    const file = path.join(stateFolder(), 'context')
    return (await readFile(file, 'utf8').catch(() => '')).trim() || EMBEDDED
  }
}
