import type { Application } from '../model/application.ts'
import type { SyncEvent } from '../model/outcome.ts'
import type {
  Cancellable,
  ClusterFacts,
  Inventory,
  Judgement,
  LiveView,
  ClockPort,
  ClusterPort,
  Digest,
  JqPort,
  RendererPort,
  SourcePort,
  StorePort,
  VerifierPort,
} from '../model/ports.ts'
import { canonicalJson } from '../model/json.ts'
import type { KubeObject } from '../model/kubernetes.ts'
import type { Project } from '../model/project.ts'
import type { Health } from '../model/health.ts'
import { healthOf, type JudgeHealth } from './health/health-of.ts'
import { forbiddenNow } from './project/forbidden.ts'
import { projectOf } from './read-project.ts'
import { ignoreRules, type IgnoreRules } from './drift/ignore.ts'
import type { SyncRequest } from './guards.ts'
import type { DesiredState } from './desired.ts'
import type { OperationSlot } from './operation/operation-log.ts'
import type { PassInputs, PassMemory } from './pass-memory.ts'
import type { Checkouts } from './sources.ts'

/** Health rules that a person has written. */
export interface CustomHealth {
  /** Changes when the rules do. */
  readonly digest: string
  /** Undefined where no rule speaks for the kind. */
  healthOf(object: KubeObject): Health | undefined
}

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

export type ReconcileOptions = {
  readonly memory: PassMemory
  /** Another revision than the application names: `--revision`, `--worktree`. */
  readonly revision?: string
  /** AppProjects by name, as written. */
  readonly projects?: ReadonlyMap<string, KubeObject>
  /** Health rules of the person's own, which come before the built-in ones. */
  readonly health?: CustomHealth
  /** Managers that the person trusts on every object. */
  readonly trusted: readonly string[]
  /** Carries the plan out; without it a pass only looks. */
  readonly sync?: SyncRequest
  /** Carries the log of a sync from one of its passes to the next. */
  readonly slot?: OperationSlot
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
  readonly health: JudgeHealth
  /** Changes when rules of the person's own do. */
  readonly healthDigest: string
  /** Undefined where the application names one that there is not. */
  readonly project: Project | undefined
  /** What the plan is made for; a pass that only looks plans a whole sync with prune. */
  readonly request: SyncRequest
  readonly slot: OperationSlot
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
    health: judgeBy(options.health),
    healthDigest: options.health?.digest ?? '',
    project: projectOf(application.project, options.projects ?? new Map()),
    request: options.sync ?? { prune: true, dryRun: true },
    slot: options.slot ?? {},
    report: options.report ?? ignoreEvents,
    cancel: options.signal === undefined ? {} : { signal: options.signal },
  }
}

/** What the drift of this pass depends on, and the plan of one that only looks. */
export function inputsOf(
  pass: PassContext,
  found: {
    readonly desired: DesiredState
    readonly live: LiveView
    readonly inventory: Inventory
    readonly facts: ClusterFacts
    readonly checkouts: Checkouts
    readonly judgement: Judgement | undefined
  },
): PassInputs {
  const { desired, live, inventory, facts, checkouts, judgement } = found
  const { ignore, project } = pass
  // A window that opens or closes changes the plan, and nothing else does.
  const rules = `${canonicalJson(project ?? null)}|${forbiddenNow(pass).join()}|${pass.healthDigest}`
  const revision = `${checkouts.revision.name}@${checkouts.revision.sha}`
  return {
    desired,
    live,
    inventory,
    epoch: facts.epoch,
    revision,
    ignore: `${ignore.digest}|${rules}`,
    refusal: judgement?.refusal,
  }
}

function judgeBy(custom: CustomHealth | undefined): JudgeHealth {
  return custom === undefined ? healthOf : (object) => custom.healthOf(object) ?? healthOf(object)
}

function ignoreEvents(): void {}

/** Now, as Kubernetes writes times: RFC 3339 to the second. */
export function timeOf(clock: ClockPort): string {
  return `${new Date(clock.now()).toISOString().slice(0, 19)}Z`
}
