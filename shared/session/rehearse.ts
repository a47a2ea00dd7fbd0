import { randomBytes } from 'node:crypto'
import { sha256 } from '../base/digest.ts'
import type { SyncRequest } from '../core/guards.ts'
import type { Ports } from '../core/pass-context.ts'
import { namespacesToObserve } from '../core/pair.ts'
import type { Pass } from '../core/status.ts'
import type { Application } from '../model/application.ts'
import type { Cancellable } from '../model/ports.ts'
import type { Fault, Rehearsal, RehearsalEvent } from '../model/rehearsal.ts'
import { EmbeddedWorld } from '../rehearsal/embedded-world.ts'
import { readCluster } from '../rehearsal/fill.ts'
import { lackingPermissions } from '../rehearsal/permissions.ts'
import { Placeholders } from '../rehearsal/placeholders.ts'
import { planDigest } from '../rehearsal/plan-digest.ts'
import type { Recording } from '../rehearsal/recording.ts'
import { RehearsalError } from '../rehearsal/rehearsal-error.ts'
import { runOn } from '../rehearsal/rehearse.ts'
import { reportOf } from '../rehearsal/report.ts'
import { withoutSecrets } from '../rehearsal/secret-free-renderer.ts'
import type { World } from '../rehearsal/world.ts'
import type { Session } from '../session.ts'
import { ClusterStore } from '../store/cluster-store.ts'
import { ClusterSettings } from './cluster-settings.ts'
import { withIgnoredBySettings } from './ignore-settings.ts'
import { storeClient } from './store-access.ts'

export type RehearseOptions = Cancellable & {
  readonly request: SyncRequest
  /** Another revision than the application names; `WORKTREE` for the files as they are. */
  readonly revision?: string
  readonly faults?: readonly Fault[]
  readonly report?: (event: RehearsalEvent) => void
}

/** A rehearsal, with the world that it was held on still there; the caller disposes it. */
export type Rehearsed = { readonly rehearsal: Rehearsal; readonly recording: Recording; readonly world: World }

type Real = { readonly pass: Pass; readonly plan: NonNullable<Pass['plan']>; readonly digest: string }

/**
 * Rehearses a sync: reads what it touches from the cluster, fills a world with it, and runs the whole sync there. Nothing is
 * written to the cluster that the sync is meant for.
 * @throws RehearsalError, ClusterError, GitError
 */
export async function rehearse(
  session: Session,
  application: Application,
  options: RehearseOptions,
): Promise<Rehearsed> {
  const started = performance.now()
  const { report = ignore, signal, faults = [] } = options
  const cancel = signal === undefined ? {} : { signal }
  report({ kind: 'filling', what: 'planning the sync on the real cluster' })
  const real = await planReal(session, application, options)
  const key = randomBytes(32)
  const placeholders = new Placeholders(key)
  report({ kind: 'filling', what: 'reading what the sync touches' })
  const recording = await record(session, application, real.pass, placeholders, sha256(key.toString('hex')), cancel)
  report({ kind: 'filled', objects: recording.objects.length })
  const world = new EmbeddedWorld(recording, { faults, real: real.plan })
  try {
    const run = await runIn(world, session, application, placeholders, options)
    const cluster = await session.clusterOf(application)
    const lacking = await lackingPermissions(cluster, real.plan, run.resources, cancel)
    const rehearsal = reportOf({
      application,
      recording,
      file: undefined,
      world,
      run,
      request: options.request,
      faults,
      real,
      lacking,
      comparesSecrets: true,
      tookMs: Math.round(performance.now() - started),
      rehearsedAt: new Date().toISOString(),
    })
    report({ kind: 'ended', rehearsal })
    return { rehearsal, recording, world }
  } catch (error) {
    await world.dispose()
    throw error
  }
}

/** What the sync would do, as the real cluster says; its own dry runs are asked, nothing else. */
async function planReal(
  session: Session,
  application: Application,
  { request, revision, signal }: RehearseOptions,
): Promise<Real> {
  const asked = { ...(revision === undefined ? {} : { revision }), ...(signal === undefined ? {} : { signal }) }
  const pass = await session.sync(application, { ...asked, request: { ...request, dryRun: true } })
  const digest = planDigest(pass, request)
  if (pass.plan === undefined || digest === undefined) {
    const { conditions, failure } = pass.snapshot
    throw new RehearsalError('unplanned', conditions[0]?.message ?? failure?.message ?? 'the sync cannot be planned')
  }
  return { pass, plan: pass.plan, digest }
}

async function record(
  session: Session,
  application: Application,
  { desired, plan }: Pass,
  placeholders: Placeholders,
  key: string,
  cancel: Cancellable,
): Promise<Recording> {
  const cluster = await session.clusterOf(application)
  const store = await session.store(application)
  const inventory = await store.inventory(application.name, cancel)
  const whole = desired ?? { objects: new Map(), hooks: [], failures: [] }
  const wanted = [...whole.objects.values(), ...whole.hooks]
  const owned = [...inventory.values()].map(({ id, version }) => ({ group: id.group, version, kind: id.kind }))
  const doomed = (plan?.steps ?? []).filter(({ action }) => action === 'prune').map(({ id }) => id)
  const scope = {
    kinds: [...wanted.map(({ gvk }) => gvk), ...owned],
    namespaces: namespacesToObserve(application, whole, inventory),
    wanted,
    doomed,
  }
  const [filled, facts] = await Promise.all([
    readCluster(cluster, scope, placeholders, cancel),
    cluster.describe(cancel),
  ])
  return {
    context: cluster.context,
    server: cluster.server,
    version: facts.version,
    readAt: new Date().toISOString(),
    application: application.name,
    key,
    ...filled,
  }
}

async function runIn(
  world: World,
  session: Session,
  application: Application,
  placeholders: Placeholders,
  { request, revision, report = ignore, signal }: RehearseOptions,
): ReturnType<typeof runOn> {
  const cancel = signal === undefined ? {} : { signal }
  const { source, renderer, jq, verifier } = session.parts
  const store = new ClusterStore(storeClient(world.client), sha256, world.clock)
  const { projects, settings: written } = await session.applications(cancel)
  const clusterSettings = new ClusterSettings(world.cluster)
  try {
    const { settings, health } = await clusterSettings.rulesFor(written, cancel)
    const ports: Ports = {
      source,
      verifier: verifier.portFor(store),
      renderer: withoutSecrets(renderer, placeholders),
      cluster: world.cluster,
      store,
      jq,
      clock: world.clock,
      digest: sha256,
    }
    return await runOn(world, {
      application: withIgnoredBySettings(application, settings),
      ports,
      options: {
        ...health,
        projects,
        trusted: session.options.trusted,
        ...(revision === undefined ? {} : { revision }),
      },
      request,
      report,
      ...cancel,
    })
  } finally {
    clusterSettings.dispose()
  }
}

function ignore(): void {}
