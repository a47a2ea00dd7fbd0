import { isObject, valueAt, type Json } from '../model/json.ts'
import type { KubeObject, ResourceId } from '../model/kubernetes.ts'
import { resourceKey } from '../model/kubernetes.ts'
import type { Effect, Step } from '../model/plan.ts'
import type { Pair } from './pair.ts'

/** What each step does beyond its own object: pods that restart, data that goes, Services that are left without a pod. */
export function withEffects(steps: readonly Step[], pairs: readonly Pair[]): readonly Step[] {
  const risky = steps.some(({ action, hook }) => hook === undefined && (action === 'update' || action === 'prune'))
  if (!risky) return steps
  const planned = new Map(steps.map((step) => [resourceKey(step.id), step]))
  const byKey = new Map(pairs.filter(({ key }) => planned.has(key)).map((pair) => [pair.key, pair]))
  const lost = endpointsLost(pairs, planned)
  return steps.map((step) => {
    const pair = step.hook === undefined ? byKey.get(resourceKey(step.id)) : undefined
    if (pair === undefined || (pair.kind !== 'both' && pair.kind !== 'extra')) return step
    const effects = [...restarts(step, pair), ...replaces(step), ...losesData(step), ...(lost.get(pair.key) ?? [])]
    return effects.length === 0 ? step : { ...step, effects }
  })
}

const ROLLED_OUT: ReadonlySet<string> = new Set(['apps|Deployment', 'apps|StatefulSet', 'apps|DaemonSet'])

/** A change of the pod template rolls every pod, unless the person has to do it (OnDelete) or has stopped it (paused). */
function restarts(step: Step, pair: Pair): readonly Effect[] {
  if (step.action !== 'update' || pair.kind !== 'both' || !ROLLED_OUT.has(`${step.id.group}|${step.id.kind}`)) return []
  const { object } = pair.live
  const anew = step.manner.method === 'recreate'
  if (!anew && !step.fields.some(({ path }) => path.startsWith('/spec/template/'))) return []
  const byHand =
    valueAt(object, ['spec', 'updateStrategy', 'type']) === 'OnDelete' || valueAt(object, ['spec', 'paused']) === true
  const pods = podsOf(object)
  return pods === 0 || (byHand && !anew) ? [] : [{ kind: 'pods-restart', pods }]
}

function replaces(step: Step): readonly Effect[] {
  if (step.action !== 'update' || step.manner.method !== 'recreate') return []
  return [{ kind: 'replacement', fields: step.fields.map(({ path }) => path) }]
}

/** What goes with an object of these kinds and does not come back with it. */
const DATA: ReadonlyMap<string, string> = new Map([
  ['|PersistentVolumeClaim', 'what is stored in its volume, unless the volume is kept (reclaim policy Retain)'],
  ['|PersistentVolume', 'the way to what is stored in it'],
  ['apps|StatefulSet', 'its pods; the volumes of its claim templates stay, unless its retention policy deletes them'],
  ['|Namespace', 'everything in it'],
  ['apiextensions.k8s.io|CustomResourceDefinition', 'every object of its kind in every namespace'],
])

function losesData({ action, manner, id }: Step): readonly Effect[] {
  if (action !== 'prune' && !(action === 'update' && manner.method === 'recreate')) return []
  const what = DATA.get(`${id.group}|${id.kind}`)
  return what === undefined ? [] : [{ kind: 'data-loss', what }]
}

type Workload = {
  readonly key: string
  readonly namespace: string
  readonly labels: Json | undefined
  readonly pods: number
}

/** By the key of the step that takes them away: Services of the application that had pods, and will have none. */
function endpointsLost(
  pairs: readonly Pair[],
  planned: ReadonlyMap<string, Step>,
): ReadonlyMap<string, readonly Effect[]> {
  const lost = new Map<string, readonly Effect[]>()
  const runs = (pair: Pair): boolean => planned.get(pair.key)?.readiness.kind !== 'refused'
  const after = (pair: Pair): readonly Workload[] => workload(pair, runs(pair) ? 'desired' : 'live')
  // Most steps touch no pod, and most Services none of those that are touched: only the rest is looked at whole.
  const changed = pairs.filter(({ key }) => planned.has(key))
  const touched = changed.flatMap((pair) => workload(pair, 'live'))
  const touchedThen = changed.flatMap(after)
  if (touched.length === 0 && !changed.some(({ id }) => id.kind === 'Service')) return lost
  for (const pair of pairs) {
    if (pair.id.kind !== 'Service' || pair.id.group !== '' || pair.kind !== 'both') continue
    if (!planned.has(pair.key) && matching(pair.live.object, pair.id, touched).length === 0) continue
    const wanted = runs(pair) ? pair.desired.object : pair.live.object
    if (matching(wanted, pair.id, touchedThen).some(({ pods }) => pods > 0)) continue
    const had = matching(
      pair.live.object,
      pair.id,
      pairs.flatMap((one) => workload(one, 'live')),
    )
    const endpoints = had.reduce((sum, { pods }) => sum + pods, 0)
    if (endpoints === 0 || matching(wanted, pair.id, pairs.flatMap(after)).some(({ pods }) => pods > 0)) continue
    const effect: Effect = { kind: 'endpoints-lost', service: pair.id, endpoints }
    const causes = had.map(({ key }) => key).filter((key) => planned.has(key))
    for (const key of causes.length > 0 ? causes : [pair.key]) lost.set(key, [...(lost.get(key) ?? []), effect])
  }
  return lost
}

function workload(pair: Pair, side: 'live' | 'desired'): readonly Workload[] {
  const { id, key } = pair
  const object =
    side === 'live'
      ? pair.kind === 'both' || pair.kind === 'extra'
        ? pair.live.object
        : undefined
      : pair.kind === 'extra'
        ? undefined
        : pair.desired.object
  if (object === undefined) return []
  const template = id.kind === 'Pod' ? object : valueAt(object, ['spec', 'template'])
  const labels = valueAt(template, ['metadata', 'labels'])
  return labels === undefined ? [] : [{ key, namespace: id.namespace, labels, pods: podsOf(object) }]
}

function matching(service: KubeObject, { namespace }: ResourceId, workloads: readonly Workload[]): readonly Workload[] {
  const selector = valueAt(service, ['spec', 'selector'])
  if (!isObject(selector) || Object.keys(selector).length === 0) return []
  return workloads.filter(
    (one) =>
      one.namespace === namespace &&
      isObject(one.labels) &&
      Object.entries(selector).every(([name, value]) => isObject(one.labels) && one.labels[name] === value),
  )
}

/** As many pods as an object runs; a DaemonSet says it in its status only. */
function podsOf(object: KubeObject): number {
  const replicas = valueAt(object, ['spec', 'replicas'])
  if (typeof replicas === 'number') return replicas
  const scheduled = valueAt(object, ['status', 'desiredNumberScheduled'])
  return object.kind === 'DaemonSet' && typeof scheduled === 'number' ? scheduled : 1
}
