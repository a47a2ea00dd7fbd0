import type { Json } from '../kinds/json.ts'
import { numberAt, objectAt, textMapAt } from '../kinds/json.ts'
import type { KubeObject } from '../object.ts'
import { sameJson } from '../object.ts'
import { selectorMatches } from '../kinds/checks.ts'
import { withCondition, withoutCondition } from './conditions.ts'
import type { Controller, Setting } from './controller.ts'
import { itsController, itself, splitKey } from './controller.ts'
import { HostError } from './host.ts'
import { claimed, selectorOf } from './ownership.ts'
import { availableInMs, goesFirst, isActive, isReady, isTerminating } from './pod-state.ts'
import { podFromTemplate } from './pod-template.ts'
import type { Resource } from './resources.ts'
import { pods } from './resources.ts'

/** Pods made or removed in one pass. */
const burst = 500

/** ReplicaSet, and ReplicationController, which is the same with an older selector. */
export function replicaController(setting: Setting, resource: Resource): Controller {
  const { host, queue } = setting
  const name = resource.resource
  return {
    name,
    watches: [
      [resource, itself(queue, name)],
      [pods, itsController(queue, name, resource.kind)],
      [
        pods,
        ({ object, type }) => {
          if (type === 'ADDED' && !object.metadata.ownerReferences) wakeMatching(setting, resource, object)
        },
      ],
    ],
    reconcile(key) {
      const [namespace, set] = splitKey(key)
      const live = host.get(resource, namespace, set)
      if (live) reconcile(setting, resource, live, key)
    },
  }
}

/** An orphan may be what a set is waiting for. */
function wakeMatching({ host, queue }: Setting, resource: Resource, pod: KubeObject): void {
  for (const set of host.list(resource, pod.metadata.namespace ?? '')) {
    if (!selectorMatches(selector(resource, set), pod.metadata.labels ?? {})) continue
    queue.add(resource.resource, `${set.metadata.namespace ?? ''}/${set.metadata.name ?? ''}`)
  }
}

function selector(resource: Resource, set: KubeObject): Json | undefined {
  const found = selectorOf(set)
  return resource.kind === 'ReplicationController' && found ? { matchLabels: found } : found
}

function reconcile(setting: Setting, resource: Resource, set: KubeObject, key: string): void {
  const { host } = setting
  const wanted = numberAt(objectAt(set, 'spec'), 'replicas') ?? 1
  const mine = claimed(host, set, pods, selector(resource, set))
  let active = mine.filter(isActive)
  let failure: string | undefined
  if (!isTerminating(set)) {
    failure = adjust(setting, set, active, wanted)
    active = host.index.controlled(set.metadata.uid ?? '', pods).filter(isActive)
  }
  updateStatus(setting, resource, set, active, mine.filter(isTerminating).length, failure, key)
}

/** Makes or removes pods; answers with what went wrong. */
function adjust({ host }: Setting, set: KubeObject, active: readonly KubeObject[], wanted: number): string | undefined {
  const surplus = active.length - wanted
  if (surplus > 0) {
    for (const pod of active.toSorted(goesFirst).slice(0, Math.min(surplus, burst))) {
      host.delete(pods, pod)
      host.event(set, 'Normal', 'SuccessfulDelete', `Deleted pod: ${pod.metadata.name ?? ''}`, 'replicaset-controller')
    }
    return undefined
  }
  const template = objectAt(objectAt(set, 'spec'), 'template') ?? {}
  const generateName = `${set.metadata.name ?? ''}-`
  for (let i = 0; i < Math.min(-surplus, burst); i++) {
    try {
      const pod = host.create(pods, podFromTemplate(template, set, { generateName }))
      host.event(set, 'Normal', 'SuccessfulCreate', `Created pod: ${pod.metadata.name ?? ''}`, 'replicaset-controller')
    } catch (error) {
      if (!HostError.is(error)) throw error
      host.event(set, 'Warning', 'FailedCreate', `Error creating: ${error.message}`, 'replicaset-controller')
      return error.message
    }
  }
  return undefined
}

function updateStatus(
  { host, queue }: Setting,
  resource: Resource,
  set: KubeObject,
  active: readonly KubeObject[],
  terminating: number,
  failure: string | undefined,
  key: string,
): void {
  const spec = objectAt(set, 'spec') ?? {}
  const minReady = numberAt(spec, 'minReadySeconds') ?? 0
  const templateLabels = textMapAt(objectAt(objectAt(spec, 'template'), 'metadata'), 'labels')
  const labelled = active.filter((pod) => selectorMatches({ matchLabels: templateLabels }, pod.metadata.labels ?? {}))
  const waits = active.flatMap((pod) => availableInMs(pod, minReady, host.clock.now()) ?? [])
  const old = objectAt(set, 'status') ?? {}
  const conditions = (old['conditions'] as Json[] | undefined) ?? []
  const failed = { type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: failure ?? '' } as const
  const nextConditions =
    failure === undefined
      ? withoutCondition(conditions, 'ReplicaFailure')
      : withCondition(conditions, failed, host.now())
  const status: Json = {
    replicas: active.length,
    fullyLabeledReplicas: labelled.length,
    readyReplicas: active.filter(isReady).length,
    availableReplicas: waits.filter((ms) => ms === 0).length,
    ...(resource.kind === 'ReplicaSet' && { terminatingReplicas: terminating }),
    observedGeneration: set.metadata.generation ?? 0,
    ...(nextConditions.length > 0 && { conditions: nextConditions }),
  }
  const later = waits.filter((ms) => ms > 0)
  if (later.length > 0) queue.addAfter(resource.resource, key, Math.min(...later))
  if (failure !== undefined) queue.addAfter(resource.resource, key, 1000)
  if (!sameCounts(status, old)) host.updateStatus(resource, { ...set, status })
}

/** Equal but for counts that are left out when zero. */
export function sameCounts(a: Json, b: Json): boolean {
  return sameJson(withoutZeros(a), withoutZeros(b))
}

function withoutZeros(o: Json): Json {
  return Object.fromEntries(Object.entries(o).filter(([, value]) => value !== 0))
}
