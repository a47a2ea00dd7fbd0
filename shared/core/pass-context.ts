import type { Application } from '../model/application.ts'
import type { SyncEvent } from '../model/outcome.ts'
import type {
  Cancellable,
  ClockPort,
  ClusterPort,
  Digest,
  JqPort,
  RendererPort,
  SourcePort,
  StorePort,
  VerifierPort,
} from '../model/ports.ts'
import type { PreparedMemory } from './desired.ts'
import { ignoreRules, type IgnoreRules } from './drift/ignore.ts'
import type { DriftMemory } from './drift/memory.ts'
import type { SyncRequest } from './guards.ts'

/** Everything outside the core. */
export type Ports = {
  readonly source: SourcePort
  readonly verifier: VerifierPort
  readonly renderer: RendererPort
  readonly cluster: ClusterPort
  readonly store: StorePort
  readonly jq: JqPort
  readonly clock: ClockPort
  readonly digest: Digest
}

/** What one application keeps from pass to pass, only to be faster: losing it changes no answer. */
export type PassMemory = { readonly prepared: PreparedMemory; readonly drift: DriftMemory }

export type ReconcileOptions = {
  readonly memory: PassMemory
  /** Another revision than the application names: `--revision`, `--worktree`. */
  readonly revision?: string
  /** Managers that the person trusts on every object. */
  readonly trusted: readonly string[]
  /** Carries the plan out; without it a pass only looks. */
  readonly sync?: SyncRequest
  readonly report?: (event: SyncEvent) => void
  readonly signal?: AbortSignal
}

/** What every stage of one pass may ask for. */
export type PassContext = {
  readonly application: Application
  readonly ports: Ports
  readonly memory: PassMemory
  readonly revision: string | undefined
  readonly ignore: IgnoreRules
  /** What the plan is made for; a pass that only looks plans a whole sync with prune. */
  readonly request: SyncRequest
  readonly report: (event: SyncEvent) => void
  readonly cancel: Cancellable
}

export function startPass(application: Application, ports: Ports, options: ReconcileOptions): PassContext {
  return {
    application,
    ports,
    memory: options.memory,
    revision: options.revision,
    ignore: ignoreRules(application, options.trusted, ports.jq, ports.digest),
    request: options.sync ?? { prune: true, dryRun: true },
    report: options.report ?? ignoreEvents,
    cancel: options.signal === undefined ? {} : { signal: options.signal },
  }
}

function ignoreEvents(): void {}

/** Now, as Kubernetes writes times: RFC 3339 to the second. */
export function timeOf(clock: ClockPort): string {
  return `${new Date(clock.now()).toISOString().slice(0, 19)}Z`
}
