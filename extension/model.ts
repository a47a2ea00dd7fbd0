import { EventEmitter, type Event } from 'vscode'
import type { AgentState } from '../shared/agent/client.ts'
import type {
  ApplicationHead,
  ContextRow,
  KeyRow,
  Opened,
  SentSnapshot,
  SessionEvent,
} from '../shared/agent/contract.ts'
import type { ClusterRow } from '../shared/model/cluster.ts'
import type { Failure } from '../shared/model/failure.ts'
import type { SyncEvent } from '../shared/model/outcome.ts'

/** What is known of one application. */
export type Known = {
  readonly head: ApplicationHead
  readonly sent?: SentSnapshot
  /** Why the last pass could not be made. */
  readonly failure?: string
  /** How far a running sync is. */
  readonly syncing?: { readonly done: number; readonly total: number }
}

/** What changed: one application, what is known of this machine (contexts, clusters, keys), or more than that. */
export type Change =
  | { readonly kind: 'all' }
  | { readonly kind: 'machine' }
  | { readonly kind: 'application'; readonly name: string }

/** Everything that the views draw; only the connection writes it. */
export class Model {
  readonly #changed = new EventEmitter<Change>()
  readonly onChange: Event<Change> = this.#changed.event
  readonly #applications = new Map<string, Known>()
  agent: AgentState = { kind: 'stopped' }
  session: Opened | undefined
  context = ''
  /** True once the workspace's files have been gone through. */
  searched = false
  failures: readonly Failure[] = []
  /** Why no session could be opened. */
  problem: string | undefined
  contexts: readonly ContextRow[] = []
  /** Contexts that the person has marked as production. */
  marked: ReadonlySet<string> = new Set()
  /** Clusters on this machine; empty until somebody looks. */
  clusters: readonly ClusterRow[] = []
  keys: readonly KeyRow[] = []

  get applications(): readonly Known[] {
    return [...this.#applications.values()]
  }

  application(name: string): Known | undefined {
    return this.#applications.get(name)
  }

  /** Changes what is not of one application. */
  set(values: Partial<Pick<Model, 'agent' | 'session' | 'context' | 'problem'>>): void {
    Object.assign(this, values)
    this.#changed.fire({ kind: 'all' })
  }

  /** Changes what is known of this machine. */
  setMachine(values: Partial<Pick<Model, 'contexts' | 'clusters' | 'keys' | 'marked'>>): void {
    Object.assign(this, values)
    this.#changed.fire({ kind: 'machine' })
  }

  /** Forgets what a session told. */
  clear(): void {
    this.#applications.clear()
    this.searched = false
    this.failures = []
    this.session = undefined
    this.problem = undefined
    this.#changed.fire({ kind: 'all' })
  }

  take(event: SessionEvent): void {
    switch (event.kind) {
      case 'applications':
        this.#takeHeads(event.applications, event.failures)
        return
      case 'snapshot': {
        const name = event.snapshot.application.name
        const known = this.#applications.get(name)
        if (known === undefined) return
        const { failure: _, ...rest } = known
        this.#put(name, { ...rest, sent: { snapshot: event.snapshot, local: event.local } })
        return
      }
      case 'failed': {
        const known = this.#applications.get(event.application)
        if (known !== undefined) this.#put(event.application, { ...known, failure: event.message })
        return
      }
      case 'sync':
        this.#takeSync(event.application, event.event)
    }
  }

  /** A sync has ended, however it did. */
  syncEnded(name: string): void {
    const known = this.#applications.get(name)
    if (known?.syncing === undefined) return
    const { syncing: _, ...rest } = known
    this.#put(name, rest)
  }

  #takeHeads(heads: readonly ApplicationHead[], failures: readonly Failure[]): void {
    const before = new Map(this.#applications)
    this.#applications.clear()
    for (const head of heads) this.#applications.set(head.name, { ...before.get(head.name), head })
    this.failures = failures
    this.searched = true
    this.#changed.fire({ kind: 'all' })
  }

  #takeSync(name: string, event: SyncEvent): void {
    const known = this.#applications.get(name)
    if (known === undefined) return
    switch (event.kind) {
      case 'planned':
        this.#put(name, { ...known, syncing: { done: 0, total: event.total } })
        return
      case 'step-ended':
        this.#put(name, { ...known, syncing: { done: event.done, total: event.total } })
        return
      case 'ended':
        this.syncEnded(name)
        return
      default:
        // Steps that begin or wait do not move the count.
        return
    }
  }

  #put(name: string, known: Known): void {
    this.#applications.set(name, known)
    this.#changed.fire({ kind: 'application', name })
  }
}
