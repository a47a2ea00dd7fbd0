import type { SyncRequest } from '../core/guards.ts'
import { healthOf } from '../core/health/health-of.ts'
import { runOperation } from '../core/operation/run-operation.ts'
import type { Ports, ReconcileOptions } from '../core/pass-context.ts'
import { PassMemory } from '../core/pass-memory.ts'
import { reconcile } from '../core/reconcile.ts'
import type { Pass } from '../core/status.ts'
import type { Application } from '../model/application.ts'
import { groupKindKey, resourceKey, type KubeObject } from '../model/kubernetes.ts'
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
  readonly simulatedMs: number
}

/**
 * Runs a sync on a world: the same core over the same ports as the real one, and watches what becomes of it until all has come
 * to rest.
 * @throws RehearsalError `unplanned` where the sync cannot even be planned
 */
export async function runOn(
  world: World,
  { application, ports, options, request, report, signal }: RunOptions,
): Promise<Run> {
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
  try {
    const synced = await runOperation(application, ports, {
      ...common,
      sync: { ...request, dryRun: false },
      report: (event) => {
        log.take(event)
        if (event.kind === 'planned')
          report({ kind: 'running', atMs: sinceStart(), stage: event.wave, stages: event.waves })
      },
    })
    await world.rest(() => observer.isUnsettled(), cancel)
    const end = await reconcile(application, ports, common)
    observer.flush()
    return { first, synced, end, log, observer, ...factsOf(first, end), simulatedMs: observer.lastMs }
  } finally {
    stop()
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
