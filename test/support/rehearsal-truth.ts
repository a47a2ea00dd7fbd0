import { setTimeout } from 'node:timers/promises'
import type { TestContext } from 'node:test'
import { healthOf } from '../../shared/core/health/health-of.ts'
import type { Pass } from '../../shared/core/status.ts'
import type { Application } from '../../shared/model/application.ts'
import { isArray, isObject, type Json } from '../../shared/model/json.ts'
import { idOf, resourceKey, type KubeObject } from '../../shared/model/kubernetes.ts'
import type { RehearsalEnd, RehearsedEffect, RehearsedStep, Unknown } from '../../shared/model/rehearsal.ts'
import { effectsOf } from '../../shared/rehearsal/effects.ts'
import { Observer } from '../../shared/rehearsal/observer.ts'
import { endOf } from '../../shared/rehearsal/report.ts'
import { StepLog } from '../../shared/rehearsal/steps.ts'
import { rehearse } from '../../shared/session/rehearse.ts'
import { effectSentence, resultMark, stepStage, unknownSentence } from '../../shared/view/rehearsal-words.ts'
import { fullLabel } from '../../shared/view/words.ts'
import type { JsonClient } from './control-plane-client.ts'
import { corpusFiles, meanwhileOn, openStage, type Scenario, type Stage } from './rehearsal-scenario.ts'
import type { StartedServer } from './test-servers.ts'

/** What was told beforehand and what happened, line by line. */
export type Verdict = {
  readonly scenario: string
  readonly agreed: readonly string[]
  /** Lines that only one of the two has. */
  readonly foretold: readonly string[]
  readonly happened: readonly string[]
  /** What the rehearsal itself said that it could not know. */
  readonly unknowns: readonly string[]
  /** True where all that differs is about what it said that of. */
  readonly explained: boolean
  readonly rehearsalMs: number
}

/** Rehearses a scenario against a real control plane, then really syncs it there, and holds the two against each other. */
export async function playScenario(
  t: TestContext,
  server: StartedServer,
  client: JsonClient,
  scenario: Scenario,
): Promise<Verdict> {
  const stage = await openStage(t, server, scenario)
  const base = await corpusFiles(scenario.corpus)
  const { before, after = (files) => files } = scenario
  if (before !== undefined) {
    await stage.commit(before(base))
    await syncFirst(stage)
  }
  await scenario.meanwhile?.(meanwhileOn(client, stage.name))
  await stage.commit(after(base))
  const application = await stage.application()
  const request = { prune: false, dryRun: false, ...scenario.request }
  const { faults = [] } = scenario
  const { rehearsal, dispose } = await rehearse(stage.session, application, { request, faults })
  await dispose()
  const foretold = [
    ...linesOf(rehearsal.operation, rehearsal.steps, rehearsal.effects, rehearsal.end),
    // The place was filled so that the same plan came out of it.
    ...rehearsal.unknowns.filter(({ kind }) => kind === 'plan-differs').map((one) => `plan ${unknownSentence(one)}`),
  ]
  const real = await syncForReal(stage, application, client, request)
  const happened = linesOf(real.operation, real.steps, real.effects, real.end)
  const [said, did] = [new Set(foretold), new Set(happened)]
  return {
    scenario: scenario.name,
    agreed: foretold.filter((line) => did.has(line)),
    foretold: foretold.filter((line) => !did.has(line)),
    happened: happened.filter((line) => !said.has(line)),
    unknowns: rehearsal.unknowns.map(unknownSentence),
    explained: isExplained(
      [...foretold.filter((line) => !did.has(line)), ...happened.filter((line) => !said.has(line))],
      rehearsal.unknowns,
    ),
    rehearsalMs: rehearsal.tookMs,
  }
}

/** Whether each line is about an object of which the rehearsal said that it could not know; the end is of all of them. */
function isExplained(lines: readonly string[], unknowns: readonly Unknown[]): boolean {
  const about = unknowns.flatMap((unknown) => {
    if (unknown.kind === 'image') return []
    return 'objects' in unknown ? unknown.objects.map(({ namespace, name }) => `${namespace}/${name}`) : []
  })
  return lines.every(
    (line) => line.startsWith('end ') || line.startsWith('operation ') || about.some((name) => line.includes(name)),
  )
}

async function syncFirst({ session, application }: Stage): Promise<void> {
  const first = await application()
  const pass = await session.sync(first, { request: { prune: true, dryRun: false } })
  if (pass.outcome?.phase !== 'Succeeded') throw new Error(`the first sync: ${pass.outcome?.message ?? 'nothing'}`)
  await atRest(session, first)
}

type Real = {
  readonly operation: { readonly phase: string; readonly message: string }
  readonly steps: readonly RehearsedStep[]
  readonly effects: readonly RehearsedEffect[]
  readonly end: RehearsalEnd
}

async function syncForReal(
  { session, name }: Stage,
  application: Application,
  client: JsonClient,
  request: Parameters<Stage['session']['sync']>[1]['request'],
): Promise<Real> {
  const first = await session.sync(application, { request: { ...request, dryRun: true } })
  if (first.plan === undefined) throw new Error('nothing could be planned')
  const started = performance.now()
  const clock = (): number => Math.round(performance.now() - started)
  const managed = new Set(first.desired?.objects.keys() ?? [])
  const observer = new Observer({ managed, judge: healthOf, onHealth: ignore, onReady: ignore })
  const places = new Set([name, ...[...(first.desired?.objects.values() ?? [])].map(({ id }) => id.namespace)])
  observer.begin(await everything(client, places))
  const watch = await watchPods(client, places, (pod, gone) => observer.change(clock(), pod, gone))
  const log = new StepLog(first.plan, clock, ignore)
  const synced = await session.sync(application, { request, report: (event) => log.take(event) })
  const end = await atRest(session, application)
  await watch.stop()
  const now = new Map((await everything(client, places)).map((object) => [resourceKey(idOf(object)), object]))
  for (const [key, object] of observer.now) if (!now.has(key)) observer.change(clock(), object, true)
  for (const object of now.values()) observer.change(clock(), object, false)
  observer.flush()
  const steps = log.finish(synced.outcome, () => undefined)
  const { phase = 'Error', message = '' } = synced.outcome ?? {}
  return { operation: { phase, message }, steps, effects: effectsOf(observer, steps), end: endOf(end) }
}

/** Nothing has moved for a while, and nothing is on its way that has a deadline. */
async function atRest(session: Stage['session'], application: Application): Promise<Pass> {
  let before = ''
  for (let quiet = 0, looks = 0; ; looks++) {
    const pass = await session.look(application)
    const { resources, tree, health } = pass.snapshot
    const state = JSON.stringify([
      resources.map(({ sync, health: own }) => [sync, own]),
      tree.map(({ uid, info }) => [uid, info]),
    ])
    quiet = state === before ? quiet + 1 : 0
    before = state
    const patience = health.status === 'Progressing' ? 40 : 5
    if (quiet >= patience || looks > 400) return pass
    await setTimeout(200)
  }
}

/** Kinds that say nothing of what a sync does. */
const NOISE = new Set([
  'events',
  'leases',
  'componentstatuses',
  'flowschemas',
  'prioritylevelconfigurations',
  'apiservices',
])

/** Every object of some namespaces, and every cluster-scoped one. */
async function everything(client: JsonClient, namespaces: ReadonlySet<string>): Promise<readonly KubeObject[]> {
  const lists = await Promise.all((await collections(client)).map(async (one) => listed(client, one)))
  return lists.flat().filter(({ metadata }) => metadata.namespace === undefined || namespaces.has(metadata.namespace))
}

type Collection = { readonly apiVersion: string; readonly kind: string; readonly path: string }

async function collections(client: JsonClient): Promise<readonly Collection[]> {
  const groups = (await client.request('/apis')).body as {
    readonly groups: readonly { readonly preferredVersion: { readonly groupVersion: string } }[]
  }
  const versions = ['v1', ...groups.groups.map(({ preferredVersion }) => preferredVersion.groupVersion)]
  const found = await Promise.all(
    versions.map(async (apiVersion): Promise<readonly Collection[]> => {
      const root = apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`
      const { body } = await client.request(root)
      const resources =
        isObject(body as Json) && isArray((body as { resources?: Json }).resources)
          ? (body as { resources: readonly { name: string; kind: string; verbs: readonly string[] }[] }).resources
          : []
      return resources
        .filter(({ name, verbs }) => !name.includes('/') && verbs.includes('list') && !NOISE.has(name))
        .map(({ name, kind }) => ({ apiVersion, kind, path: `${root}/${name}` }))
    }),
  )
  return found.flat()
}

async function listed(client: JsonClient, { apiVersion, kind, path }: Collection): Promise<readonly KubeObject[]> {
  const { body, status } = await client.request(path)
  if (status !== 200) return []
  const { items } = body as { readonly items: readonly KubeObject[] | null }
  return (items ?? []).map((item) => ({ ...item, apiVersion, kind }))
}

async function watchPods(
  client: JsonClient,
  namespaces: ReadonlySet<string>,
  told: (pod: KubeObject, gone: boolean) => void,
): Promise<{ stop(): Promise<void> }> {
  const abort = new AbortController()
  const follow = async (path: string, from: string): Promise<void> => {
    for await (const line of client.lines(`${path}?watch=1&resourceVersion=${from}`, { signal: abort.signal })) {
      const { type, object } = line as { readonly type: string; readonly object: KubeObject }
      if (type !== 'BOOKMARK' && namespaces.has(object.metadata.namespace ?? '')) told(object, type === 'DELETED')
    }
  }
  const running = [
    '/apis/apps/v1/replicasets',
    '/apis/apps/v1/deployments',
    '/apis/apps/v1/statefulsets',
    '/apis/apps/v1/daemonsets',
    '/api/v1/pods',
  ].map(async (path) => {
    const { body } = await client.request(`${path}?limit=1`)
    return {
      ended: follow(path, (body as { metadata: { resourceVersion: string } }).metadata.resourceVersion).catch(
        () => undefined,
      ),
    }
  })
  const started = await Promise.all(running)
  return {
    stop: async () => {
      // Events come after the answers that they belong to.
      await setTimeout(200)
      abort.abort()
      await Promise.all(started.map(({ ended }) => ended))
    },
  }
}

/** Everything that is compared, one line each. How long it took is another question on another machine. */
function linesOf(
  operation: Real['operation'],
  steps: readonly RehearsedStep[],
  effects: readonly RehearsedEffect[],
  end: RehearsalEnd,
): readonly string[] {
  return [
    `operation ${operation.phase}: ${neutral(operation.message)}`,
    ...steps.map((step) => {
      const { stage, result, id, hook } = step
      const reason = 'reason' in result ? `: ${neutral(result.reason)}` : ''
      const fields = step.fields.map(({ path, kind }) => `${kind} ${path}`).join(', ')
      return `step ${stage} ${stepStage(step)} ${hook ? 'hook ' : ''}${neutral(fullLabel(id))} ${resultMark(result).word}${reason} ${fields}`.trim()
    }),
    `end ${end.sync} ${end.health}`,
    ...end.off.map(({ id, sync, health }) => `off ${fullLabel(id)} ${sync} ${health ?? ''}`.trim()),
    ...effects.map((effect) => `effect ${effectLine(effect)}`),
  ]
}

function effectLine(effect: RehearsedEffect): string {
  if (effect.kind === 'downtime')
    return `downtime ${fullLabel(effect.id)} ${effect.toMs === undefined ? 'stays' : 'ends'}, needs ${effect.needed}`
  if (effect.kind === 'quota-overrun') return `quota-overrun ${fullLabel(effect.id)}`
  if (effect.kind === 'taken-along')
    return `taken along by ${fullLabel(effect.id)}: ${effect.objects.map(fullLabel).sort().join(', ')}`
  return effectSentence(effect)
}

/** Names that the server makes up (of hooks, pods, and the hash of a template in a ReplicaSet's), and versions. */
function neutral(text: string): string {
  return text
    .replaceAll(/-(presync|sync|postsync|syncfail)-\d{9,}/g, '-$1')
    .replaceAll(/"([a-z0-9-]+?)(-[bcdfghjklmnpqrstvwxz2456789]{5,10}){1,2}"/g, '"$1-?"')
    .replaceAll(/resourceVersion "?\d+"?/g, 'resourceVersion ?')
}

function ignore(): void {}
