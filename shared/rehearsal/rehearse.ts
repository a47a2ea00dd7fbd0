import type { SyncRequest } from '../core/guards.ts'
import { healthOf } from '../core/health/health-of.ts'
import { runOperation } from '../core/operation/run-operation.ts'
import type { Ports, ReconcileOptions } from '../core/pass-context.ts'
import { PassMemory } from '../core/pass-memory.ts'
import { reconcile } from '../core/reconcile.ts'
import type { Pass } from '../core/status.ts'
import type { Application } from '../model/application.ts'
import { groupKindKey, resourceKey, type KubeObject } from '../model/kubernetes.ts'
import type { SyncEvent } from '../model/outcome.ts'
import type { Cancellable } from '../model/ports.ts'
import type { RehearsalEvent } from '../model/rehearsal.ts'
import { Observer } from './observer.ts'
import { RehearsalError } from './rehearsal-error.ts'
import { StepLog } from './steps.ts'
import type { World } from './world.ts'

export type RunOptions = Cancellable & {
  readonly application: Application
  /** The line as it runs on the world: the same sources, verifier and renderer, the world's cluster and clock. */
  readonly ports: Ports
  readonly options: Pick<ReconcileOptions, 'revision' | 'projects' | 'health' | 'trusted'>
  readonly request: SyncRequest
  readonly report: (event: RehearsalEvent) => void
  /** Carries the sync out by the given door; plainly where absent. */
  readonly carryOut?: (door: Door) => Promise<Carried>
}

/** The line on the world, as whoever syncs uses it. Only the first sync is the one that is rehearsed step by step. */
export type Door = {
  readonly sync: (application: Application, options: DoorOptions & { readonly request: SyncRequest }) => Promise<Pass>
  readonly look: (application: Application, options: DoorOptions) => Promise<Pass>
}

type DoorOptions = Cancellable & { readonly revision?: string }

export type Carried = {
  readonly pass: Pass
  /** The revision that was gone back to. */
  readonly rolledBackTo?: string
}

/** What happened on the world, before anything is concluded from it. */
export type Run = {
  /** The world's own plan, before the first step. */
  readonly first: Pass
  readonly synced: Pass
  /** How all stood when it had come to rest. */
  readonly end: Pass
  readonly log: StepLog
  readonly observer: Observer
  readonly wanted: ReadonlyMap<string, KubeObject>
  readonly resources: ReadonlyMap<string, { readonly resource: string; readonly namespaced: boolean }>
  /** `v1.36.2`. */
  readonly version: string
  readonly simulatedMs: number
  readonly rolledBackTo?: string
}

/**
 * Runs a sync on a world: the same core over the same ports as the real one, and watches what becomes of it until all has come
 * to rest.
 * @throws RehearsalError `unplanned` where the sync cannot even be planned
 */
export async function runOn(world: World, running: RunOptions): Promise<Run> {
  const { application, ports, options, request, report, signal, carryOut } = running
  const cancel = signal === undefined ? {} : { signal }
  const common = { ...options, ...cancel, memory: new PassMemory(ports.digest) }
  const first = await reconcile(application, ports, { ...common, sync: { ...request, dryRun: true } })
  const { plan } = first
  if (plan === undefined) throw unplanned(first)
  const started = ports.clock.now()
  const sinceStart = (): number => ports.clock.now() - started
  const observer = observerOf(first, options, report)
  observer.begin(world.objects())
  const stop = world.onObject((object, gone) => observer.change(sinceStart(), object, gone))
  const log = new StepLog(plan, sinceStart, (step) => report({ kind: 'step', atMs: sinceStart(), step }))
  const door = doorOf(ports, common, (event) => {
    log.take(event)
    if (event.kind === 'planned')
      report({ kind: 'running', atMs: sinceStart(), stage: event.wave, stages: event.waves })
  })
  try {
    const asked = { ...cancel, request: { ...request, dryRun: false } }
    const carried: Carried =
      carryOut === undefined ? { pass: await door.sync(application, asked) } : await carryOut(door)
    await world.rest(() => observer.isUnsettled(), cancel)
    const end = await reconcile(application, ports, common)
    observer.flush()
    const { pass: synced, ...back } = carried
    const { version } = await ports.cluster.describe(cancel)
    return { first, synced, end, log, observer, ...factsOf(first, end), version, simulatedMs: observer.lastMs, ...back }
  } finally {
    stop()
  }
}

type Common = Omit<ReconcileOptions, 'sync' | 'slot' | 'report'>

function doorOf(ports: Ports, common: Common, report: (event: SyncEvent) => void): Door {
  let syncs = 0
  return {
    sync: async (application, { request, ...asked }) => {
      syncs += 1
      const told = syncs === 1 ? { report } : {}
      const pass = await runOperation(application, ports, { ...common, ...asked, ...told, sync: request })
      if (pass.outcome === undefined) return pass
      // A sync ends with a look at what became of it.
      const after = await reconcile(application, ports, { ...common, ...asked })
      return { ...after, outcome: pass.outcome }
    },
    look: async (application, asked) => reconcile(application, ports, { ...common, ...asked }),
  }
}

function observerOf(
  { desired }: Pass,
  { health }: RunOptions['options'],
  report: (event: RehearsalEvent) => void,
): Observer {
  return new Observer({
    managed: new Set(desired?.objects.keys() ?? []),
    judge: (object) => health?.healthOf(object) ?? healthOf(object),
    onHealth: (mark) => report({ kind: 'health', mark }),
    onReady: (mark) => report({ kind: 'ready', mark }),
  })
}

/** What is wanted, and what its kinds are called; kinds that came with the sync are known at its end. */
function factsOf(first: Pass, end: Pass): Pick<Run, 'wanted' | 'resources'> {
  const wanted = new Map<string, KubeObject>()
  const resources = new Map<string, { readonly resource: string; readonly namespaced: boolean }>()
  for (const pass of [first, end]) {
    for (const { id, gvk, kind, object } of [
      ...(pass.desired?.objects.values() ?? []),
      ...(pass.desired?.hooks ?? []),
    ]) {
      wanted.set(resourceKey(id), object)
      if (kind !== undefined) resources.set(groupKindKey(gvk), { resource: kind.resource, namespaced: kind.namespaced })
    }
  }
  return { wanted, resources }
}

function unplanned({ snapshot }: Pass): RehearsalError {
  const message = snapshot.conditions[0]?.message ?? snapshot.failure?.message ?? 'nothing could be planned'
  return new RehearsalError('unplanned', message)
}
