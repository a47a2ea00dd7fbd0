import { sleep } from '../base/abort.ts'
import type { Pass } from '../core/status.ts'
import type { Cluster } from '../kube/cluster.ts'
import type { Application } from '../model/application.ts'
import { isArray, isObject, stringifyJson, type Json, type JsonObject } from '../model/json.ts'
import type { ResourceId } from '../model/kubernetes.ts'
import type { OperationPhase, Outcome, StepOutcome } from '../model/outcome.ts'
import type { StepReadiness } from '../model/plan.ts'
import type { Cancellable } from '../model/ports.ts'
import type { Session, SyncOptions } from '../session.ts'

const APPLICATION = { group: 'argoproj.io', version: 'v1alpha1', kind: 'Application' }
const POLL_MS = 1000
/** A controller that runs takes an operation up within seconds. */
const TAKEN_UP_MS = 60_000
const HALF_AN_HOUR = 30 * 60_000

/**
 * Whether an Argo CD that runs on the cluster looks after the application; then nothing here syncs it, for two would fight.
 * @param unsure the answer where it cannot be found out
 */
export async function isArgoCdAtWork(
  cluster: Pick<Cluster, 'read'>,
  application: Application,
  unsure: boolean,
  cancel: Cancellable,
): Promise<boolean> {
  try {
    const status = (await cluster.read(APPLICATION, idOf(application), cancel))?.object['status']
    // Its controller writes both at each look.
    return isObject(status) && (status['reconciledAt'] !== undefined || status['sync'] !== undefined)
  } catch (error) {
    cancel.signal?.throwIfAborted()
    return unsure && (error as { readonly reason?: unknown } | null)?.reason !== 'not-found'
  }
}

/**
 * Asks the Argo CD that looks after the application to sync it, and waits for what becomes of it. Undefined where there is
 * none, or where nothing is to be written.
 */
export async function syncThroughArgoCd(
  session: Session,
  application: Application,
  options: SyncOptions,
): Promise<Pass | undefined> {
  if (options.request.dryRun) return undefined
  const cancel = options.signal === undefined ? {} : { signal: options.signal }
  const cluster = await session.clusterOf(application)
  // A person who may not see Argo CD's objects is not kept from what they ask for.
  if (!(await isArgoCdAtWork(cluster, application, false, cancel))) return undefined
  const before = await session.look(application, cancel)
  const { only } = options.request
  const resources = only === undefined ? undefined : before.snapshot.resources.map(({ id }) => id).filter(only)
  const forbidden = before.plan?.steps.find(({ readiness }) => FORBIDDEN.has(ruleOf(readiness)))
  const user = session.options.user === undefined ? {} : { user: session.options.user }
  const outcome =
    forbidden?.readiness.kind === 'refused'
      ? refused(forbidden.readiness.reason)
      : await operate(cluster, application, { ...options, ...user }, resources)
  options.report?.({ kind: 'ended', outcome })
  return { ...(await session.look(application, cancel)), outcome }
}

/** What is not applied from here is not asked for either (invariant 2). */
const FORBIDDEN: ReadonlySet<string> = new Set(['commit-is-verified', 'project-allows'])

function ruleOf(readiness: StepReadiness): string {
  return readiness.kind === 'refused' ? readiness.rule : ''
}

type Asked = SyncOptions & { readonly user?: string }

async function operate(
  cluster: Cluster,
  application: Application,
  options: Asked,
  resources: readonly ResourceId[] | undefined,
): Promise<Outcome> {
  const { request, report } = options
  const cancel = options.signal === undefined ? {} : { signal: options.signal }
  if (request.teardown === true) return refused('Argo CD looks after it; delete its Application there')
  const before = await stateOf(cluster, application, cancel)
  if (before.pending) return refused('Argo CD is syncing it already')
  await write(cluster, application, operationOf(application, options, resources), cancel)
  const asked = Date.now()
  for (;;) {
    await sleep(POLL_MS, cancel)
    const { pending, state } = await stateOf(cluster, application, cancel)
    const taken = text(state['startedAt']) !== text(before.state['startedAt'])
    if (taken && !pending && ENDED.has(text(state['phase']))) return outcomeOf(state)
    if (!taken && Date.now() - asked > TAKEN_UP_MS) {
      await write(cluster, application, null, cancel)
      return refused(NOT_TAKEN_UP)
    }
    if (Date.now() - asked > (request.deadlineMs ?? HALF_AN_HOUR))
      return refused('Argo CD has not ended the sync in time')
    report?.({ kind: 'waiting', reason: text(state['message']) || 'Argo CD to sync it', wave: 0, waves: 0 })
  }
}

const NOT_TAKEN_UP =
  'Argo CD has not taken the sync up; is its controller running? Where it is gone for good, delete its Application object'
const ENDED: ReadonlySet<string> = new Set<OperationPhase>(['Succeeded', 'Failed', 'Error'])

/** Argo CD's `operation` (`manifests/crds/application-crd.yaml`). */
function operationOf(
  { sources }: Application,
  { request, revision, user }: Asked,
  resources: readonly ResourceId[] | undefined,
): Json {
  const { prune, force, replace, hooks, initiatedBy, retry } = request
  const strategy = { [hooks === false ? 'apply' : 'hook']: force === true ? { force: true } : {} }
  const revisions = revision === undefined ? sources.map(({ targetRevision }) => targetRevision) : [revision]
  return {
    initiatedBy: { username: initiatedBy?.username ?? user ?? process.env['USER'] ?? 'plumbline' },
    ...(retry === undefined ? {} : { retry: { limit: retry.limit, backoff: { ...retry.backoff } } }),
    sync: {
      prune,
      ...(sources.length > 1 ? { revisions } : { revision: revisions[0] ?? 'HEAD' }),
      syncStrategy: strategy,
      ...(replace === true ? { syncOptions: ['Replace=true'] } : {}),
      ...(resources === undefined ? {} : { resources: resources.map((id) => ({ ...id })) }),
    },
  }
}

type State = { readonly pending: boolean; readonly state: JsonObject }

async function stateOf(cluster: Cluster, application: Application, cancel: Cancellable): Promise<State> {
  const found = (await cluster.read(APPLICATION, idOf(application), cancel))?.object
  const status = isObject(found?.['status']) ? found['status'] : {}
  const state = isObject(status['operationState']) ? status['operationState'] : {}
  return { pending: isObject(found?.['operation']), state }
}

async function write(cluster: Cluster, application: Application, operation: Json, cancel: Cancellable): Promise<void> {
  const { name, namespace } = application
  const path = `/apis/argoproj.io/v1alpha1/namespaces/${namespace}/applications/${name}?fieldManager=plumbline`
  const body = stringifyJson({ operation })
  await cluster.send({ method: 'PATCH', path, body, contentType: 'application/merge-patch+json' }, cancel)
}

function outcomeOf(state: JsonObject): Outcome {
  const result = isObject(state['syncResult']) ? state['syncResult'] : {}
  const resources = isArray(result['resources']) ? result['resources'].filter(isObject) : []
  return {
    phase: text(state['phase']) as OperationPhase,
    message: `Argo CD: ${text(state['message'])}`,
    startedAt: text(state['startedAt']),
    finishedAt: text(state['finishedAt']),
    revision: text(result['revision']),
    steps: resources.map(stepOf),
  }
}

function stepOf(resource: JsonObject): StepOutcome {
  const [group, kind, namespace, name] = ['group', 'kind', 'namespace', 'name'].map((key) => text(resource[key]))
  const id = { group: group ?? '', kind: kind ?? '', namespace: namespace ?? '', name: name ?? '' }
  const version = text(resource['version'])
  const result = (text(resource['status']) || 'Synced') as StepOutcome['result']
  return {
    id,
    apiVersion: id.group === '' ? version : `${id.group}/${version}`,
    action: result === 'Pruned' || result === 'PruneSkipped' ? 'prune' : 'update',
    result,
    message: text(resource['message']),
    moved: false,
  }
}

function refused(message: string): Outcome {
  const now = new Date().toISOString()
  return { phase: 'Failed', message, startedAt: now, finishedAt: now, revision: '', steps: [] }
}

function idOf({ name, namespace }: Application): ResourceId {
  return { group: APPLICATION.group, kind: APPLICATION.kind, namespace, name }
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}
