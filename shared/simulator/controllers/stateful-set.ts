import type { Json } from '../kinds/json.ts'
import { numberAt, objectAt, textAt } from '../kinds/json.ts'
import type { KubeObject } from '../object.ts'
import type { Controller, Setting } from './controller.ts'
import { itsController, itself, keyOf, splitKey } from './controller.ts'
import { claimed, selectorOf } from './ownership.ts'
import { availableInMs, isFinished, isReady, isTerminating } from './pod-state.ts'
import { sameCounts } from './replica-set.ts'
import { claims, pods, statefulSets } from './resources.ts'
import { revisionHash, revisionsOf, trimRevisions } from './revisions.ts'
import { createSetPod, ordinalOf, retainClaims, startOf } from './stateful-set-pods.ts'

interface State {
  readonly set: KubeObject
  readonly spec: Json
  readonly replicas: number
  readonly start: number
  readonly pods: readonly KubeObject[]
  readonly current: KubeObject
  readonly update: KubeObject
  /** One pod at a time, each waiting for the one before it. */
  readonly ordered: boolean
}

/** StatefulSet, after `pkg/controller/statefulset`. */
export function statefulSetController(setting: Setting): Controller {
  const { host, queue } = setting
  const name = 'statefulsets'
  return {
    name,
    watches: [
      [statefulSets, itself(queue, name)],
      [pods, itsController(queue, name, 'StatefulSet')],
      [
        claims,
        ({ namespace, type }) => {
          if (type !== 'DELETED') return
          for (const set of host.list(statefulSets, namespace)) queue.add(name, keyOf(set))
        },
      ],
    ],
    reconcile(key) {
      const [namespace, object] = splitKey(key)
      const set = host.get(statefulSets, namespace, object)
      if (set) reconcile(setting, set, key)
    },
  }
}

/** Pods carry the full name of their revision. */
const revisionOf = (pod: KubeObject): string => pod.metadata.labels?.[revisionHash] ?? ''
const nameOf = (o: KubeObject): string => o.metadata.name ?? ''

function reconcile(setting: Setting, set: KubeObject, key: string): void {
  const { host } = setting
  if (isTerminating(set)) return
  const spec = objectAt(set, 'spec') ?? {}
  const mine = (): KubeObject[] =>
    claimed(host, set, pods, selectorOf(set))
      .filter((pod) => ordinalOf(set, pod) >= 0)
      .sort((a, b) => ordinalOf(set, a) - ordinalOf(set, b))
  const { all, update } = revisionsOf(host, set)
  const named = textAt(objectAt(set, 'status'), 'currentRevision')
  const current = all.find((revision) => nameOf(revision) === named) ?? update
  const state = (): State => ({
    set,
    spec,
    replicas: numberAt(spec, 'replicas') ?? 1,
    start: startOf(set),
    pods: mine(),
    current,
    update,
    ordered: textAt(spec, 'podManagementPolicy') !== 'Parallel',
  })
  const settled = fill(setting, state()) && shrink(setting, state())
  if (settled) replaceOutdated(setting, state())
  const last = state()
  retainClaims(host, set, last.pods, last.start, last.replicas)
  const status = writeStatus(setting, last, key)
  const inUse = new Set([textAt(status, 'currentRevision'), nameOf(update), ...last.pods.map((pod) => revisionOf(pod))])
  trimRevisions(host, all, inUse, numberAt(spec, 'revisionHistoryLimit') ?? 10)
}

/** Makes the pods that are missing, in order; answers whether all are there and, where order counts, ready. */
function fill(setting: Setting, state: State): boolean {
  const byOrdinal = new Map(state.pods.map((pod) => [ordinalOf(state.set, pod), pod]))
  let complete = true
  for (let ordinal = state.start; ordinal < state.start + state.replicas; ordinal++) {
    const pod = byOrdinal.get(ordinal)
    if (pod && isFinished(pod) && !isTerminating(pod)) setting.host.delete(pods, pod)
    else if (!pod)
      createSetPod(setting.host, state.set, ordinal, needsCurrent(state, ordinal) ? state.current : state.update)
    if (pod && !isFinished(pod) && !isTerminating(pod) && isAvailable(setting, state, pod)) continue
    complete = false
    if (state.ordered) return false
  }
  return complete
}

function isAvailable({ host }: Setting, { spec }: State, pod: KubeObject): boolean {
  return availableInMs(pod, numberAt(spec, 'minReadySeconds') ?? 0, host.clock.now()) === 0
}

/** A pod below the partition of a rolling update stays at the old revision. */
function needsCurrent({ spec, set, start }: State, ordinal: number): boolean {
  const strategy = objectAt(spec, 'updateStrategy')
  if (textAt(strategy, 'type') !== 'RollingUpdate') return false
  const partition = numberAt(objectAt(strategy, 'rollingUpdate'), 'partition')
  if (partition === undefined) return ordinal < start + (numberAt(objectAt(set, 'status'), 'currentReplicas') ?? 0)
  return ordinal < start + partition
}

/** Removes the pods beyond the wanted number, the last first. */
function shrink(setting: Setting, state: State): boolean {
  const surplus = state.pods.filter((pod) => {
    const ordinal = ordinalOf(state.set, pod)
    return ordinal < state.start || ordinal >= state.start + state.replicas
  })
  for (const pod of surplus.toReversed()) {
    if (isTerminating(pod)) {
      if (state.ordered) return false
      continue
    }
    setting.host.delete(pods, pod)
    if (state.ordered) return false
  }
  return true
}

/** Deletes one pod of an old revision, the last first; the next pass makes it anew. */
function replaceOutdated(setting: Setting, state: State): void {
  const strategy = objectAt(state.spec, 'updateStrategy')
  if (textAt(strategy, 'type') !== 'RollingUpdate') return
  const partition = numberAt(objectAt(strategy, 'rollingUpdate'), 'partition') ?? 0
  for (const pod of state.pods.toReversed()) {
    if (ordinalOf(state.set, pod) < state.start + partition) return
    if (!isTerminating(pod) && revisionOf(pod) !== nameOf(state.update)) {
      setting.host.delete(pods, pod)
      return
    }
    if (!isReady(pod) || isTerminating(pod)) return
  }
}

function writeStatus(setting: Setting, state: State, key: string): Json {
  const { host, queue } = setting
  const { set, spec, update } = state
  const before = objectAt(set, 'status') ?? {}
  const alive = state.pods.filter((pod) => !isTerminating(pod))
  const minReady = numberAt(spec, 'minReadySeconds') ?? 0
  const waits = alive.flatMap((pod) => availableInMs(pod, minReady, host.clock.now()) ?? [])
  const updated = alive.filter((pod) => revisionOf(pod) === nameOf(update)).length
  const ready = alive.filter(isReady).length
  const partition = numberAt(objectAt(objectAt(spec, 'updateStrategy'), 'rollingUpdate'), 'partition') ?? 0
  const rolling = textAt(objectAt(spec, 'updateStrategy'), 'type') === 'RollingUpdate'
  const done = rolling && partition === 0 && updated === state.replicas && ready === state.replicas
  const current = done ? update : state.current
  const status: Json = {
    observedGeneration: set.metadata.generation ?? 0,
    replicas: alive.length,
    readyReplicas: ready,
    currentReplicas: alive.filter((pod) => revisionOf(pod) === nameOf(current)).length,
    updatedReplicas: updated,
    currentRevision: nameOf(current),
    updateRevision: nameOf(update),
    collisionCount: numberAt(before, 'collisionCount') ?? 0,
    availableReplicas: waits.filter((ms) => ms === 0).length,
  }
  const later = waits.filter((ms) => ms > 0)
  if (later.length > 0) queue.addAfter('statefulsets', key, Math.min(...later))
  const same = sameCounts(status, before) && before['collisionCount'] !== undefined
  if (!same) host.updateStatus(statefulSets, { ...set, status })
  return status
}
