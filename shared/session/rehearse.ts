import path from 'node:path'
import { stateFolder } from '../base/folders.ts'
import type { DesiredState } from '../core/desired.ts'
import type { SyncRequest } from '../core/guards.ts'
import { namespacesToObserve } from '../core/pair.ts'
import type { Pass } from '../core/status.ts'
import type { Cluster } from '../kube/cluster.ts'
import type { Application } from '../model/application.ts'
import type { KubeObject } from '../model/kubernetes.ts'
import type { Plan } from '../model/plan.ts'
import type { Cancellable } from '../model/ports.ts'
import type { Fault, Rehearsal, RehearsalEvent } from '../model/rehearsal.ts'
import { RehearsalArchive, type Kept } from '../rehearsal/archive.ts'
import { EmbeddedWorld } from '../rehearsal/embedded-world.ts'
import { readCluster } from '../rehearsal/fill.ts'
import { lackingPermissions } from '../rehearsal/permissions.ts'
import { Placeholders } from '../rehearsal/placeholders.ts'
import { planDigest } from '../rehearsal/plan-digest.ts'
import { askForPods, NOTHING_ASKED, type PodAnswers } from '../rehearsal/real-pods.ts'
import { readRecording, writeRecording, type Recording } from '../rehearsal/recording.ts'
import { freshKey, machineKey, type RecordingKey } from '../rehearsal/recording-key.ts'
import { RehearsalError } from '../rehearsal/rehearsal-error.ts'
import type { Run } from '../rehearsal/rehearse.ts'
import { reportOf, type ReportInputs } from '../rehearsal/report.ts'
import type { World } from '../rehearsal/world.ts'
import type { Session } from '../session.ts'
import { runLine } from './rehearse-run.ts'

export type RehearseOptions = Cancellable & {
  readonly request: SyncRequest
  /** Another revision than the application names; `WORKTREE` for the files as they are. */
  readonly revision?: string
  readonly faults?: readonly Fault[]
  readonly report?: (event: RehearsalEvent) => void
  /** Goes back to the last healthy revision where the application comes out degraded in this time, as the sync would. */
  readonly rollbackAfterMs?: number
  /** A recording to fill from instead of the cluster, which is not asked at all then. */
  readonly from?: string
  /** Writes down what was read, for a rehearsal without the cluster. */
  readonly record?: string
  /** Makes the place to rehearse on; the embedded server in this process where absent. */
  readonly place?: (recording: Recording) => Promise<World>
}

/** A rehearsal, with the world that it was held on still there. */
export type Rehearsed = {
  readonly id: string
  readonly rehearsal: Rehearsal
  readonly recording: Recording
  readonly world: World
  /** Takes the world away. */
  readonly dispose: () => Promise<void>
}

type Real = {
  readonly pass: Pass
  readonly plan: Plan
  readonly digest: string
  /** Says which cluster it is. */
  readonly cluster: string
}
type Filled = {
  readonly recording: Recording
  readonly key: RecordingKey
  readonly real: Real | undefined
  readonly pods: PodAnswers
}

/** Where rehearsals are kept on this machine. */
export function rehearsalArchive(): RehearsalArchive {
  return new RehearsalArchive(path.join(stateFolder(), 'rehearsals'))
}

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
  const { report = ignore, faults = [], from, request } = options
  const { recording, key, real, pods } = await fill(session, application, options)
  report({ kind: 'filled', objects: recording.objects.length })
  const world =
    options.place === undefined
      ? new EmbeddedWorld(recording, { faults, real: real?.plan, pods })
      : await options.place(recording)
  try {
    const run = await runLine(world, session, application, new Placeholders(key.key), options)
    const rehearsal = reportOf({
      application,
      recording,
      file: from,
      world,
      run,
      request,
      faults,
      real,
      lacking: await lackingOf(session, application, real, run, options),
      comparesSecrets: key.id === recording.key,
      pods,
      tookMs: Math.round(performance.now() - started),
      rehearsedAt: new Date().toISOString(),
    } satisfies ReportInputs)
    const id = await rehearsalArchive().keep(rehearsal)
    report({ kind: 'ended', rehearsal })
    return { id, rehearsal, recording, world, dispose: async () => world.dispose() }
  } catch (error) {
    await world.dispose()
    throw error
  }
}

/**
 * The request of a sync that needs a rehearsal: of exactly the plan that it would carry out now, and then carries out or ends.
 * @throws RehearsalError `not-rehearsed`, `did-not-pass` or `moved`
 */
export async function rehearsedRequest(
  session: Session,
  application: Application,
  options: Pick<RehearseOptions, 'request' | 'revision' | 'signal'>,
): Promise<{ readonly request: SyncRequest; readonly approval: Kept }> {
  const { request } = options
  const { digest, cluster } = await planReal(session, application, options)
  const approval = await rehearsalArchive().approval(application.name, digest)
  const objection = (plan: Plan, desired: DesiredState): string | undefined =>
    planDigest(plan, desired, request, cluster) === digest ? undefined : MOVED
  return { request: { ...request, objection }, approval }
}

const MOVED = 'the plan has moved since it was rehearsed; nothing was applied'

async function fill(session: Session, application: Application, options: RehearseOptions): Promise<Filled> {
  const { report = ignore, from } = options
  if (from !== undefined) {
    const recording = await readRecording(from)
    if (recording.application !== application.name) {
      const message = `the recording ${from} is of the application ${recording.application}, not of ${application.name}`
      throw new RehearsalError('recording', message)
    }
    return { recording, key: await machineKey(stateFolder()), real: undefined, pods: NOTHING_ASKED }
  }
  report({ kind: 'filling', what: 'planning the sync on the real cluster' })
  const real = await planReal(session, application, options)
  report({ kind: 'filling', what: 'reading what the sync touches' })
  const key = options.record === undefined ? freshKey() : await machineKey(stateFolder())
  const cancel = cancelOf(options)
  const [recording, pods] = await Promise.all([
    record(session, application, real.pass, key, cancel),
    askForPods(await session.clusterOf(application), real.plan, wantedOf(real.pass), cancel),
  ])
  if (options.record !== undefined) await writeRecording(options.record, recording)
  return { recording, key, real, pods }
}

function wantedOf({ desired }: Pass): ReadonlyMap<string, KubeObject> {
  const wanted = [...(desired?.objects.values() ?? []), ...(desired?.hooks ?? [])]
  return new Map(wanted.map(({ key, object }) => [key, object]))
}

async function lackingOf(
  session: Session,
  application: Application,
  real: Real | undefined,
  { resources }: Run,
  options: Cancellable,
): Promise<ReportInputs['lacking']> {
  if (real === undefined) return []
  return lackingPermissions(await session.clusterOf(application), real.plan, resources, cancelOf(options))
}

/** What the sync would do, as the real cluster says; its own dry runs are asked, nothing else. */
async function planReal(
  session: Session,
  application: Application,
  { request, revision, signal }: Pick<RehearseOptions, 'request' | 'revision' | 'signal'>,
): Promise<Real> {
  const cancel = signal === undefined ? {} : { signal }
  const asked = { ...(revision === undefined ? {} : { revision }), ...cancel }
  const pass = await session.sync(application, { ...asked, request: { ...request, dryRun: true } })
  if (pass.plan === undefined) {
    const { conditions, failure } = pass.snapshot
    const next = failure?.stage === 'live' ? OFFLINE : undefined
    const message = conditions[0]?.message ?? failure?.message ?? 'the sync cannot be planned'
    throw new RehearsalError('unplanned', message, next === undefined ? {} : { next })
  }
  const cluster = await identityOf(await session.clusterOf(application), cancel)
  return { pass, plan: pass.plan, digest: planDigest(pass.plan, pass.desired, request, cluster), cluster }
}

const OFFLINE = 'a recording made by --record rehearses without the cluster: --from FILE'

/** A cluster is told by the uid of a namespace that every cluster has, else by its address. */
async function identityOf(cluster: Cluster, cancel: Cancellable): Promise<string> {
  const id = { group: '', kind: 'Namespace', namespace: '', name: 'kube-system' }
  const found = await cluster.read({ group: '', version: 'v1', kind: 'Namespace' }, id, cancel).catch(() => undefined)
  return found?.uid ?? cluster.server
}

async function record(
  session: Session,
  application: Application,
  { desired, plan }: Pass,
  key: RecordingKey,
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
    readCluster(cluster, scope, new Placeholders(key.key), cancel),
    cluster.describe(cancel),
  ])
  return {
    context: cluster.context,
    server: cluster.server,
    version: facts.version,
    readAt: new Date().toISOString(),
    application: application.name,
    key: key.id,
    namespaces: [...scope.namespaces],
    ...filled,
  }
}

function cancelOf({ signal }: Cancellable): Cancellable {
  return signal === undefined ? {} : { signal }
}

function ignore(): void {}
