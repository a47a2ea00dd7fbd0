import { objectAt, objectsAt, textAt } from '../kinds/json.ts'
import type { KubeObject } from '../object.ts'
import { timeMs } from './conditions.ts'
import type { Controller, Setting } from './controller.ts'
import { keyOf, splitKey } from './controller.ts'
import type { PodFate } from './kubelet-status.ts'
import { podStatus } from './kubelet-status.ts'
import { missingReference } from './pod-references.ts'
import { isFinished, isTerminating, phaseOf, restarts } from './pod-state.ts'
import { configMaps, pods, secrets } from './resources.ts'
import { behaviourKey } from './scheduler.ts'

const component = 'kubelet'

/** What becomes of pods that cannot start: the first wait before a container is tried again, and the longest. */
const backOffMs = 10_000
const longestBackOffMs = 300_000

/**
 * The kubelets of all nodes: pods start after a set time, run, end and go, as their annotation has it. Nothing runs; their
 * status says so.
 */
export function kubelet(setting: Setting): Controller {
  const { host, queue, options } = setting
  const name = 'kubelet'
  const retryWaiting = (namespace: string): void => {
    for (const pod of host.list(pods, namespace)) if (phaseOf(pod) === 'Pending') queue.add(name, keyOf(pod))
  }
  return {
    name,
    watches: [
      [
        pods,
        ({ object, previous, type }) => {
          if (type === 'DELETED' || textAt(objectAt(object, 'spec'), 'nodeName') === '') return
          const known = previous && textAt(objectAt(previous, 'spec'), 'nodeName') !== ''
          if (!known || isTerminating(object) || changedByHand(object, previous)) queue.add(name, keyOf(object))
        },
      ],
      [
        configMaps,
        ({ namespace, type }) => {
          if (type === 'ADDED') retryWaiting(namespace)
        },
      ],
      [
        secrets,
        ({ namespace, type }) => {
          if (type === 'ADDED') retryWaiting(namespace)
        },
      ],
    ],
    reconcile(key) {
      const [namespace, pod] = splitKey(key)
      const live = host.get(pods, namespace, pod)
      if (!live || textAt(objectAt(live, 'spec'), 'nodeName') === '') return
      const left = options.leavesPod?.(live.metadata.uid ?? '') === true && !isTerminating(live)
      if (!left) advance(setting, live, key)
    },
  }
}

function changedByHand(object: KubeObject, previous: KubeObject): boolean {
  return (
    object.metadata.annotations?.[behaviourKey] !== previous.metadata.annotations?.[behaviourKey] ||
    object.metadata.generation !== previous.metadata.generation
  )
}

function advance(setting: Setting, pod: KubeObject, key: string): void {
  const { host, queue, options } = setting
  if (isTerminating(pod)) {
    const grace = (pod.metadata.deletionGracePeriodSeconds ?? 0) * 1000
    const gone = timeMs(pod.metadata.deletionTimestamp) - grace + Math.min(grace, options.podStopMs)
    const left = gone - host.clock.now()
    if (left > 0 && left <= options.podStopMs) queue.addAfter('kubelet', key, left)
    else host.delete(pods, pod, { gracePeriodSeconds: 0 })
    return
  }
  if (isFinished(pod)) return
  const startTime = textAt(objectAt(pod, 'status'), 'startTime')
  if (startTime === '') {
    report(setting, pod, { kind: 'waiting', reason: 'ContainerCreating', message: '' })
    queue.addAfter('kubelet', key, options.podStartMs)
    return
  }
  if (phaseOf(pod) === 'Pending') start(setting, pod, key)
  else goOn(setting, pod, key)
}

/** The containers of a pod that arrived: they run, or something keeps them from it. */
function start(setting: Setting, pod: KubeObject, key: string): void {
  const { host, queue, options } = setting
  const missing = missingReference(host, pod)
  if (missing) {
    report(setting, pod, { kind: 'waiting', ...missing })
    host.event(pod, 'Warning', missing.eventReason, missing.message, component)
    return
  }
  switch (pod.metadata.annotations?.[behaviourKey]) {
    case 'image-pull-error':
      pullFails(setting, pod)
      return
    case 'fail':
      failOnce(setting, pod, key)
      return
    case 'crash-loop':
      crash(setting, pod, key)
      return
    case 'never-ready':
    case 'probe-failing':
      report(setting, pod, { kind: 'running', ready: false })
      if (pod.metadata.annotations[behaviourKey] === 'probe-failing') {
        host.event(pod, 'Warning', 'Unhealthy', 'Readiness probe failed (simulated)', component)
      }
      return
    default:
      report(setting, pod, { kind: 'running', ready: true })
      host.event(pod, 'Normal', 'Started', 'Started containers (simulated)', component)
      if (runsToEnd(pod)) queue.addAfter('kubelet', key, options.podRunMs)
  }
}

function pullFails({ host, ...setting }: Setting, pod: KubeObject): void {
  const image = textAt(objectsAt(objectAt(pod, 'spec'), 'containers')[0], 'image')
  const message = `Back-off pulling image "${image}" (simulated)`
  report({ host, ...setting }, pod, { kind: 'waiting', reason: 'ImagePullBackOff', message })
  host.event(pod, 'Warning', 'Failed', `Failed to pull image "${image}" (simulated)`, component)
}

const runsToEnd = (pod: KubeObject): boolean => textAt(objectAt(pod, 'spec'), 'restartPolicy') !== 'Always'

function failOnce(setting: Setting, pod: KubeObject, key: string): void {
  if (textAt(objectAt(pod, 'spec'), 'restartPolicy') === 'Never') report(setting, pod, { kind: 'ended', exitCode: 1 })
  else crash(setting, pod, key)
}

/** Ends with an error and is started again, after ever longer waits. */
function crash(setting: Setting, pod: KubeObject, key: string): void {
  const count = phaseOf(pod) === 'Pending' ? 0 : restarts(pod) + 1
  report(setting, pod, { kind: 'crashing', restarts: count })
  setting.host.event(pod, 'Warning', 'BackOff', 'Back-off restarting failed container (simulated)', component)
  setting.queue.addAfter('kubelet', key, Math.min(longestBackOffMs, backOffMs * 2 ** Math.min(count, 10)))
}

/** A pod that runs: it ends when its time has come, or changes with its annotation. */
function goOn(setting: Setting, pod: KubeObject, key: string): void {
  const { host, queue, options } = setting
  const behaviour = pod.metadata.annotations?.[behaviourKey]
  if (behaviour === 'crash-loop' || (behaviour === 'fail' && !runsToEnd(pod))) {
    crash(setting, pod, key)
    return
  }
  if (behaviour === 'fail') {
    failOnce(setting, pod, key)
    return
  }
  const ready = behaviour !== 'never-ready' && behaviour !== 'probe-failing'
  report(setting, pod, { kind: 'running', ready })
  if (!runsToEnd(pod) || !ready) return
  const started = objectsAt(objectAt(pod, 'status'), 'containerStatuses')[0]
  const since = timeMs(objectAt(objectAt(started, 'state'), 'running')?.['startedAt'])
  // Times are whole seconds: what started within this second may have started just now.
  const left = since + options.podRunMs - host.clock.now()
  if (left > 0) queue.addAfter('kubelet', key, left)
  else report(setting, pod, { kind: 'ended', exitCode: 0 })
}

function report({ host }: Setting, pod: KubeObject, fate: PodFate): void {
  const live = host.get(pods, pod.metadata.namespace ?? '', pod.metadata.name ?? '')
  if (!live) return
  const before = objectAt(live, 'status') ?? {}
  const status = podStatus(live, fate, host.now())
  if (JSON.stringify(status) !== JSON.stringify(before)) host.updateStatus(pods, { ...live, status }, 'kubelet')
}
