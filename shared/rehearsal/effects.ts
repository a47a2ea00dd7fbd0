import { isObject, valueAt, type Json } from '../model/json.ts'
import { idOf, resourceKey, type KubeObject, type ResourceId } from '../model/kubernetes.ts'
import type { ReadyMark, RehearsedEffect, RehearsedStep } from '../model/rehearsal.ts'
import { wantedPods, type Observer } from './observer.ts'
import { selects } from './selector.ts'

/** What a sync did beyond its own objects, counted from what was observed. */
export function effectsOf(observer: Observer, steps: readonly RehearsedStep[]): readonly RehearsedEffect[] {
  return [
    ...replacements(observer, steps),
    ...restarts(observer),
    ...downtimes(observer),
    ...endpointsLost(observer),
    ...dataLost(observer),
    ...takenAlong(observer, steps),
    ...overruns(observer, steps),
  ]
}

function replacements({ before, now }: Observer, steps: readonly RehearsedStep[]): readonly RehearsedEffect[] {
  return steps.flatMap((step): readonly RehearsedEffect[] => {
    if (step.hook) return []
    const key = resourceKey(step.id)
    const [old, fresh] = [before.get(key), now.get(key)]
    if (old === undefined || fresh === undefined || old.metadata.uid === fresh.metadata.uid) return []
    return [{ kind: 'replaced', id: step.id, fields: step.fields.map(({ path }) => path) }]
  })
}

/** Pods of before that are gone although their workload is still there. */
function restarts({ before, now, pods }: Observer): readonly RehearsedEffect[] {
  const gone = new Map<string, number>()
  const left = new Set([...now.values()].map(({ metadata }) => metadata.uid))
  for (const object of before.values()) {
    const { uid = '' } = object.metadata
    if (object.kind !== 'Pod' || left.has(uid) || isEnded(object)) continue
    const workload = pods.workloadOf(uid)
    if (workload !== undefined && now.has(workload)) gone.set(workload, (gone.get(workload) ?? 0) + 1)
  }
  return [...gone].flatMap(([key, count]): readonly RehearsedEffect[] => {
    const workload = now.get(key)
    if (workload === undefined) return []
    // What is scaled down goes for good, and does not start again.
    const fewer = Math.max(0, wantedPods(before.get(key)) - wantedPods(workload))
    return count > fewer ? [{ kind: 'pods-restarted', id: idOf(workload), pods: count - fewer }] : []
  })
}

function isEnded(pod: KubeObject): boolean {
  const phase = valueAt(pod, ['status', 'phase'])
  return phase === 'Succeeded' || phase === 'Failed'
}

type Need = { readonly pods: number; readonly budget?: ResourceId }

function downtimes(observer: Observer): readonly RehearsedEffect[] {
  const { ready, now, before } = observer
  const found: RehearsedEffect[] = []
  for (const [key, marks] of Map.groupBy(ready, (mark) => mark.key)) {
    const workload = now.get(key)
    if (workload === undefined || !before.has(key)) continue
    found.push(...windowsOf(marks, idOf(workload), (wanted) => neededPods(observer, workload, wanted)))
  }
  return found
}

function windowsOf(
  marks: readonly ReadyMark[],
  id: ResourceId,
  needed: (wanted: number) => Need,
): readonly RehearsedEffect[] {
  const windows: RehearsedEffect[] = []
  let wasUp = false
  let open: { readonly fromMs: number; ready: number; readonly need: Need } | undefined
  for (const { atMs, ready, wanted } of marks) {
    const need = needed(wanted)
    const up = ready >= Math.min(need.pods, wanted)
    if (up && open !== undefined) windows.push(window(id, open, atMs))
    if (up) open = undefined
    else if (open !== undefined) open.ready = Math.min(open.ready, ready)
    else if (wasUp) open = { fromMs: atMs, ready, need }
    wasUp = wasUp || up
  }
  return open === undefined ? windows : [...windows, window(id, open, undefined)]
}

function window(
  id: ResourceId,
  { fromMs, ready, need }: { readonly fromMs: number; readonly ready: number; readonly need: Need },
  toMs: number | undefined,
): RehearsedEffect {
  const { budget, pods } = need
  return {
    kind: 'downtime',
    id,
    fromMs,
    ready,
    needed: pods,
    ...(toMs === undefined ? {} : { toMs }),
    ...(budget === undefined ? {} : { budget }),
  }
}

/** As many as a budget over its pods says, and one where there is none. */
function neededPods({ now, before }: Observer, workload: KubeObject, wanted: number): Need {
  const labels = valueAt(workload, ['spec', 'template', 'metadata', 'labels'])
  const { namespace } = workload.metadata
  for (const budget of [...now.values(), ...before.values()]) {
    if (budget.kind !== 'PodDisruptionBudget' || budget.metadata.namespace !== namespace) continue
    if (!selects(valueAt(budget, ['spec', 'selector']), labels)) continue
    return { pods: budgetedPods(budget, wanted), budget: idOf(budget) }
  }
  return { pods: 1 }
}

/** Percentages round up, of what must stay and of what may go alike (`pkg/controller/disruption`). */
function budgetedPods(budget: KubeObject, wanted: number): number {
  const least = scaled(valueAt(budget, ['spec', 'minAvailable']), wanted)
  if (least !== undefined) return least
  return Math.max(0, wanted - (scaled(valueAt(budget, ['spec', 'maxUnavailable']), wanted) ?? 0))
}

function scaled(value: Json | undefined, of: number): number | undefined {
  if (typeof value === 'number') return value
  const percent = typeof value === 'string' ? /^(\d+)%$/.exec(value)?.[1] : undefined
  return percent === undefined ? undefined : Math.ceil((Number(percent) * of) / 100)
}

function endpointsLost(observer: Observer): readonly RehearsedEffect[] {
  return [...observer.before.values()].flatMap((service): readonly RehearsedEffect[] => {
    if (service.kind !== 'Service' || service.apiVersion !== 'v1') return []
    const endpoints = observer.endpoints(service, observer.before)
    if (endpoints === 0 || observer.endpoints(service, observer.now) > 0) return []
    return [{ kind: 'endpoints-lost', id: idOf(service), endpoints }]
  })
}

function dataLost({ before, now }: Observer): readonly RehearsedEffect[] {
  return [...before.values()].flatMap((object): readonly RehearsedEffect[] => {
    const { uid } = object.metadata
    if (now.get(resourceKey(idOf(object)))?.metadata.uid === uid) return []
    if (object.kind === 'PersistentVolumeClaim') {
      const volume = valueAt(object, ['spec', 'volumeName'])
      const bound = typeof volume === 'string' ? before.get(`|PersistentVolume||${volume}`) : undefined
      const kept = valueAt(bound, ['spec', 'persistentVolumeReclaimPolicy']) === 'Retain'
      if (kept) return []
      return [{ kind: 'data-lost', id: idOf(object), what: 'what is stored in its volume' }]
    }
    if (object.kind !== 'PersistentVolume') return []
    return [{ kind: 'data-lost', id: idOf(object), what: 'the way to what is stored in it' }]
  })
}

/** What controllers make and take away all the time. */
const PASSING: ReadonlySet<string> = new Set([
  'Pod',
  'ReplicaSet',
  'ControllerRevision',
  'Endpoints',
  'EndpointSlice',
  'Event',
  'Lease',
  'Node',
])

/** Objects that nobody asked to delete, and that are gone with what was. */
function takenAlong({ before, now }: Observer, steps: readonly RehearsedStep[]): readonly RehearsedEffect[] {
  const asked = new Set(steps.map(({ id }) => resourceKey(id)))
  const gone = new Map<string, KubeObject>()
  for (const [key, object] of before) if (!now.has(key)) gone.set(key, object)
  const byUid = new Map([...gone.values()].map((object) => [object.metadata.uid, object]))
  const taken = new Map<string, { readonly id: ResourceId; readonly objects: ResourceId[] }>()
  for (const [key, object] of gone) {
    if (asked.has(key) || PASSING.has(object.kind) || isStoreRecord(object)) continue
    const cause = causeOf(object, gone, byUid)
    if (cause === undefined) continue
    const causeKey = resourceKey(idOf(cause))
    const known = taken.get(causeKey) ?? { id: idOf(cause), objects: [] }
    known.objects.push(idOf(object))
    taken.set(causeKey, known)
  }
  return [...taken.values()].map(({ id, objects }) => ({ kind: 'taken-along', id, objects }))
}

function causeOf(
  object: KubeObject,
  gone: ReadonlyMap<string, KubeObject>,
  byUid: ReadonlyMap<string | undefined, KubeObject>,
): KubeObject | undefined {
  for (const { uid } of object.metadata.ownerReferences ?? []) {
    const owner = byUid.get(uid)
    if (owner !== undefined) return owner
  }
  const namespace = gone.get(`|Namespace||${object.metadata.namespace ?? ''}`)
  if (namespace !== undefined) return namespace
  for (const one of gone.values()) {
    const names = one.kind === 'CustomResourceDefinition' ? valueAt(one, ['spec', 'names']) : undefined
    const { group, kind } = idOf(object)
    if (isObject(names) && names['kind'] === kind && valueAt(one, ['spec', 'group']) === group) return one
  }
  return undefined
}

function isStoreRecord({ metadata }: KubeObject): boolean {
  return metadata.labels?.['plumbline.dev/record'] !== undefined
}

const EXCEEDED = /exceeded quota: ([^,\s]+)/

/** Quotas that kept an object or a pod out: in a step's answer, or in what a controller was told. */
function overruns({ now }: Observer, steps: readonly RehearsedStep[]): readonly RehearsedEffect[] {
  const found = new Map<string, RehearsedEffect>()
  const note = (namespace: string, message: string): void => {
    const name = EXCEEDED.exec(message)?.[1]
    if (name === undefined) return
    const id = { group: '', kind: 'ResourceQuota', namespace, name }
    if (!found.has(resourceKey(id))) found.set(resourceKey(id), { kind: 'quota-overrun', id, message })
  }
  for (const { id, result } of steps) if ('reason' in result) note(id.namespace, result.reason)
  for (const object of now.values()) {
    const conditions = valueAt(object, ['status', 'conditions'])
    for (const one of Array.isArray(conditions) ? (conditions as readonly Json[]) : []) {
      const message = valueAt(one, ['message'])
      if (typeof message === 'string') note(object.metadata.namespace ?? '', message)
    }
  }
  return [...found.values()]
}
