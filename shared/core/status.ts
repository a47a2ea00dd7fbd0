import type { Application } from '../model/application.ts'
import type { ObjectDrift } from '../model/drift.ts'
import type { Failure } from '../model/failure.ts'
import { HEALTH_ORDER, type Health } from '../model/health.ts'
import { groupKindKey, idOf, parseApiVersion, resourceKey } from '../model/kubernetes.ts'
import type { LiveObject } from '../model/live.ts'
import type { Place } from '../model/manifest.ts'
import type { Outcome } from '../model/outcome.ts'
import type { Plan } from '../model/plan.ts'
import type { Inventory, InventoryEntry, Judgement, LiveView } from '../model/ports.ts'
import type { ApplicationSnapshot, Condition, ResourceStatus, SyncCode, TreeNode } from '../model/status.ts'
import type { DesiredState } from './desired.ts'
import { aggregateOf } from './health/aggregate.ts'
import { ignoresHealthCheck, type JudgeHealth } from './health/health-of.ts'
import { roleOf, waveOf } from './hooks/read-hook.ts'
import { orphanCondition, orphansOf } from './orphans.ts'
import type { Pair } from './pair.ts'
import { timeOf, type PassContext } from './pass-context.ts'
import type { Checkouts, RenderedSources } from './sources.ts'
import { projectConditions } from './project/forbidden.ts'
import { APPLICATION_GROUP } from './read-application.ts'
import { TRACKING_ANNOTATION, trackingOf } from './tracking.ts'
import { treeOf } from './tree.ts'
import { wordProblems } from './word-problems.ts'

/** What a pass found and did. `plan` and `outcome` are absent where it did not get that far. */
export type Pass = {
  readonly snapshot: ApplicationSnapshot
  readonly plan?: Plan
  readonly outcome?: Outcome
  /** Live objects of the managed resources, by resource key, for those who want to show one. */
  readonly live: ReadonlyMap<string, LiveObject>
  readonly desired?: DesiredState
}

/** What the stages of a pass gave. */
type Found = {
  readonly checkouts: Checkouts
  readonly judgement: Judgement | undefined
  readonly rendered: RenderedSources
  readonly desired: DesiredState
  readonly live: LiveView
  readonly inventory: Inventory
  readonly pairs: readonly Pair[]
  readonly drift: readonly ObjectDrift[]
  readonly plan: Plan
  readonly outcome: Outcome | undefined
}

/** The whole of a pass as one value for the fronts. */
export async function assess(pass: PassContext, found: Found): Promise<Pass> {
  const { application, ports, cancel } = pass
  const live = new Map<string, LiveObject>()
  for (const pair of found.pairs) if (pair.kind === 'both' || pair.kind === 'extra') live.set(pair.key, pair.live)
  const resources = found.drift.map((drift, index) =>
    resourceStatus(pass, drift, live.get(found.pairs[index]?.key ?? ''), found.desired),
  )
  const hooks = liveHooks(pass, found)
  const orphans = await orphansOf(pass, found.live, live)
  const at = timeOf(ports.clock)
  const operation = found.outcome ?? (await ports.store.lastOperation(application.name, cancel))
  const conditions = conditionsOf(pass, found, operation, orphans, at)
  const snapshot: ApplicationSnapshot = {
    application,
    context: ports.cluster.context,
    sync: syncOf(resources, found.desired.failures),
    health: worstHealth(application, resources),
    revision: found.checkouts.revision,
    resources,
    tree: treeOf([...live.values(), ...hooks], found.live, pass),
    ...(orphans === undefined ? {} : { orphans }),
    conditions,
    history: await ports.store.history(application.name, cancel),
    sourceType: found.rendered.type,
    observedAt: at,
    ...(found.judgement === undefined ? {} : { verdict: found.judgement.verdict }),
    ...(operation === undefined ? {} : { operation }),
  }
  return {
    snapshot,
    plan: found.plan,
    live,
    desired: found.desired,
    ...(found.outcome === undefined ? {} : { outcome: found.outcome }),
  }
}

/** What is shown when a pass could not be finished: the reason, and nothing that is not known. */
export function assessFailure({ application, ports }: PassContext, error: unknown): Pass {
  const failure = failureFrom(error)
  const at = timeOf(ports.clock)
  const snapshot: ApplicationSnapshot = {
    application,
    context: ports.cluster.context,
    sync: 'Unknown',
    health: { status: 'Unknown' },
    resources: [],
    tree: [],
    conditions: [{ type: 'ComparisonError', message: placed(failure), lastTransitionTime: at }],
    failure,
    history: [],
    sourceType: '',
    observedAt: at,
  }
  return { snapshot, live: new Map() }
}

/** A failure's message with its place, which most of those who write one name themselves. */
function placed({ message, place }: Failure): string {
  if (place === undefined || message.includes(`${place.file}:`)) return message
  return `${place.file}:${place.line}:${place.column}: ${message}`
}

/** An object whose drift was not found anew has not changed, and its status is the one it had. */
const statuses = new WeakMap<ObjectDrift, { readonly status: ResourceStatus; readonly rules: string }>()

function resourceStatus(
  pass: PassContext,
  drift: ObjectDrift,
  live: LiveObject | undefined,
  desired: DesiredState,
): ResourceStatus {
  const known = statuses.get(drift)
  if (known?.rules === pass.healthDigest) return known.status
  const object = desired.objects.get(resourceKey(drift.id))?.object ?? live?.object
  const wave = object === undefined ? 0 : waveOf(object)
  const status = { ...freshStatus(drift, live, pass.health), ...(wave === 0 ? {} : { wave }) }
  statuses.set(drift, { status, rules: pass.healthDigest })
  return status
}

function freshStatus(drift: ObjectDrift, live: LiveObject | undefined, judge: JudgeHealth): ResourceStatus {
  const judged = healthOf(drift, live, judge)
  const { aggregateAs: said, ...health } = judged ?? { status: 'Unknown' }
  const aggregateAs = aggregateOf(live?.object, health.status) ?? said
  return {
    id: drift.id,
    version: parseApiVersion(drift.apiVersion).version,
    sync: drift.state === 'synced' ? 'Synced' : drift.state === 'unknown' ? 'Unknown' : 'OutOfSync',
    requiresPruning: drift.state === 'extra',
    drift,
    ...(judged === undefined ? {} : { health }),
    ...(judged === undefined || aggregateAs === undefined ? {} : { aggregateAs }),
  }
}

function healthOf({ state }: ObjectDrift, live: LiveObject | undefined, judge: JudgeHealth): Health | undefined {
  // What is being deleted is missed, and is there.
  if (state === 'missing' && live === undefined) return { status: 'Missing' }
  return live === undefined || ignoresHealthCheck(live.object) ? undefined : judge(live.object)
}

function syncOf(resources: readonly ResourceStatus[], failures: readonly Failure[]): SyncCode {
  if (failures.length > 0 || resources.some((resource) => resource.sync === 'Unknown')) return 'Unknown'
  return resources.some((resource) => resource.sync === 'OutOfSync') ? 'OutOfSync' : 'Synced'
}

/** As healthy as the worst resource that health means something for; what is to be pruned does not count. */
function worstHealth(application: Application, resources: readonly ResourceStatus[]): Health {
  let worst = 0
  for (const resource of resources) {
    const { health, aggregateAs, requiresPruning } = resource
    if (health === undefined || requiresPruning) continue
    const rank = HEALTH_ORDER.indexOf(aggregateAs ?? health.status)
    if (rank > worst && !isAside(application, resource)) worst = rank
  }
  return { status: HEALTH_ORDER[worst] ?? 'Unknown' }
}

/** An application does not count for itself, nor a child that nothing is known of (Argo CD `controller/health.go`). */
function isAside({ name, namespace }: Application, { id, health }: ResourceStatus): boolean {
  if (id.kind !== 'Application' || id.group !== APPLICATION_GROUP) return false
  return (
    (id.name === name && id.namespace === namespace) || health?.status === 'Missing' || health?.status === 'Unknown'
  )
}

/** What syncs have left of hooks: those of today, by kind, and those that Git no longer has, by the inventory. */
function liveHooks({ application }: PassContext, { desired, live, inventory }: Found): readonly LiveObject[] {
  const hooks = new Set<LiveObject>()
  const add = (one: LiveObject | undefined): void => {
    if (one === undefined || roleOf(one.object).kind !== 'hook') return
    if (trackingOf(one.object, idOf(one.object))?.application === application.name) hooks.add(one)
  }
  const kinds = new Map(desired.hooks.map(({ gvk }) => [groupKindKey(gvk), gvk]))
  for (const kind of kinds.values()) live.ofKind(kind).forEach(add)
  for (const { id } of notWanted(desired, inventory)) add(live.get(id))
  return [...hooks]
}

const leftovers = new WeakMap<
  Inventory,
  { readonly desired: DesiredState; readonly entries: readonly InventoryEntry[] }
>()

/** What the inventory has and Git does not; the same for the same two. */
function notWanted(desired: DesiredState, inventory: Inventory): readonly InventoryEntry[] {
  const known = leftovers.get(inventory)
  if (known?.desired === desired) return known.entries
  const entries = [...inventory].flatMap(([key, entry]) => (desired.objects.has(key) ? [] : [entry]))
  leftovers.set(inventory, { desired, entries })
  return entries
}

function conditionsOf(
  pass: PassContext,
  found: Found,
  operation: Outcome | undefined,
  orphans: readonly TreeNode[] | undefined,
  at: string,
): readonly Condition[] {
  const told: Condition[] = []
  const tell = (type: string, message: string): void => void told.push({ type, message, lastTransitionTime: at })
  if (found.judgement?.refusal !== undefined) tell('ComparisonError', found.judgement.refusal)
  for (const failure of found.desired.failures) {
    tell(failure.reason === 'duplicate-object' ? 'RepeatedResourceWarning' : 'ComparisonError', failure.message)
  }
  for (const drift of found.drift) {
    if (drift.failure === undefined) continue
    const { kind, namespace, name } = drift.id
    tell('ComparisonError', `${kind} ${namespace === '' ? '' : `${namespace}/`}${name}: ${drift.failure.message}`)
  }
  for (const message of sharedWords(pass.application, found.pairs)) tell('SharedResourceWarning', message)
  for (const { type, message } of projectConditions(pass)) tell(type, message)
  for (const problem of wordProblems(pass.application, found.desired)) tell('InvalidSpecWarning', problem)
  for (const warning of found.rendered.warnings) tell('RenderWarning', warning)
  const orphaned = orphanCondition(pass, orphans)
  if (orphaned !== undefined) tell(orphaned.type, orphaned.message)
  if (operation?.phase === 'Failed' || operation?.phase === 'Error') tell('SyncError', operation.message)
  return told
}

/** Argo CD's condition, in its words, for what another application tracks too. */
function sharedWords({ name }: Application, pairs: readonly Pair[]): readonly string[] {
  const words: string[] = []
  for (const pair of pairs) {
    // An object that has not moved is tracked by whom it was.
    if (pair.kind !== 'both') continue
    const other = trackers.get(pair) ?? trackerOf(pair)
    if (other !== '' && other !== name) {
      words.push(`${pair.id.kind}/${pair.id.name} is part of applications ${name} and ${other}`)
    }
  }
  return words
}

const trackers = new WeakMap<Pair, string>()

/** The application that an object is tracked by; empty for none. */
function trackerOf(pair: Pair & { readonly kind: 'both' }): string {
  const { object } = pair.live
  const tracked = object.metadata.annotations?.[TRACKING_ANNOTATION] !== undefined
  const tracker = (tracked ? trackingOf(object, pair.id)?.application : undefined) ?? ''
  trackers.set(pair, tracker)
  return tracker
}

function failureFrom(error: unknown): Failure {
  const { reason, place, stage } = (error ?? {}) as {
    readonly reason?: unknown
    readonly place?: Place
    readonly stage?: Failure['stage']
  }
  return {
    stage: stage ?? 'source',
    reason: typeof reason === 'string' ? reason : 'internal',
    message: error instanceof Error ? error.message : String(error),
    ...(place === undefined ? {} : { place }),
  }
}
