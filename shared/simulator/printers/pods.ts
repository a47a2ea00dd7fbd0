import { isObject, textAt, valueAt } from '../object.ts'
import type { JsonObject, KubeObject } from '../object.ts'
import { age, ageCell, itemsAt, numberAt, orNone, shape } from './cells.ts'
import type { TableShape } from './table-shape.ts'

interface PodSummary {
  readonly reason: string
  readonly ready: number
  readonly total: number
  readonly restarts: number
  readonly lastRestart: string
}

function restartable(pod: KubeObject, name: string): boolean {
  return itemsAt(pod, 'spec', 'initContainers').some(
    (container) => container['name'] === name && container['restartPolicy'] === 'Always',
  )
}

/** The word of a container that is not simply running: why it waits or how it ended. */
function stateReason(status: JsonObject): string {
  const { waiting, terminated } = isObject(status['state']) ? status['state'] : {}
  if (isObject(waiting) && textAt(waiting, 'reason') !== '') return textAt(waiting, 'reason')
  if (!isObject(terminated)) return ''
  if (textAt(terminated, 'reason') !== '') return textAt(terminated, 'reason')
  const signal = numberAt(terminated, 'signal')
  return signal === 0 ? `ExitCode:${numberAt(terminated, 'exitCode')}` : `Signal:${signal}`
}

/** What init containers hold a pod up with; undefined where they are done. */
function initReason(pod: KubeObject): string | undefined {
  const statuses = itemsAt(pod, 'status', 'initContainerStatuses')
  const total = itemsAt(pod, 'spec', 'initContainers').length
  for (const [i, status] of statuses.entries()) {
    const terminated = valueAt(status, 'state', 'terminated')
    if (isObject(terminated) && numberAt(terminated, 'exitCode') === 0) continue
    if (restartable(pod, textAt(status, 'name')) && status['started'] === true) continue
    if (isObject(terminated)) return `Init:${stateReason(status)}`
    const waiting = textAt(status, 'state', 'waiting', 'reason')
    return waiting !== '' && waiting !== 'PodInitializing' ? `Init:${waiting}` : `Init:${i}/${total}`
  }
  return undefined
}

function summary(pod: KubeObject): PodSummary {
  const statuses = itemsAt(pod, 'status', 'containerStatuses')
  const sidecars = itemsAt(pod, 'status', 'initContainerStatuses').filter((status) =>
    restartable(pod, textAt(status, 'name')),
  )
  const counted = [...statuses, ...sidecars]
  let reason = textAt(pod, 'status', 'reason') || textAt(pod, 'status', 'phase')
  if (
    itemsAt(pod, 'status', 'conditions').some((c) => c['type'] === 'PodScheduled' && c['reason'] === 'SchedulingGated')
  )
    reason = 'SchedulingGated'
  const init = initReason(pod)
  if (init === undefined) reason = containerReason(pod, statuses, reason)
  else reason = init
  if (pod.metadata.deletionTimestamp !== undefined) {
    const phase = textAt(pod, 'status', 'phase')
    if (textAt(pod, 'status', 'reason') === 'NodeLost') reason = 'Unknown'
    else if (phase !== 'Failed' && phase !== 'Succeeded') reason = 'Terminating'
  }
  const finished = counted
    .map((status) => textAt(status, 'lastState', 'terminated', 'finishedAt'))
    .filter((time) => time !== '')
  return {
    reason,
    ready: counted.filter((status) => status['ready'] === true && isObject(valueAt(status, 'state', 'running'))).length,
    total:
      itemsAt(pod, 'spec', 'containers').length +
      itemsAt(pod, 'spec', 'initContainers').filter((c) => c['restartPolicy'] === 'Always').length,
    restarts: counted.reduce((sum, status) => sum + numberAt(status, 'restartCount'), 0),
    lastRestart: finished.sort().at(-1) ?? '',
  }
}

function containerReason(pod: KubeObject, statuses: readonly JsonObject[], phase: string): string {
  let reason = phase
  let running = false
  for (const status of statuses.toReversed()) {
    const own = stateReason(status)
    if (own !== '') reason = own
    else if (status['ready'] === true && isObject(valueAt(status, 'state', 'running'))) running = true
  }
  if (reason !== 'Completed' || !running) return reason
  const ready = itemsAt(pod, 'status', 'conditions').some((c) => c['type'] === 'Ready' && c['status'] === 'True')
  return ready ? 'Running' : 'NotReady'
}

function restartsCell(pod: KubeObject, nowMs: number): string {
  const { restarts, lastRestart } = summary(pod)
  return restarts > 0 && lastRestart !== '' ? `${restarts} (${ageCell(lastRestart, nowMs)} ago)` : String(restarts)
}

function gates(pod: KubeObject): string {
  const all = itemsAt(pod, 'spec', 'readinessGates')
  if (all.length === 0) return '<none>'
  const met = all.filter((gate) =>
    itemsAt(pod, 'status', 'conditions').some((c) => c['type'] === gate['conditionType'] && c['status'] === 'True'),
  )
  return `${met.length}/${all.length}`
}

export const podTable: TableShape = shape(
  ['Ready', (pod) => `${summary(pod).ready}/${summary(pod).total}`],
  ['Status', (pod) => summary(pod).reason],
  ['Restarts', restartsCell],
  age,
  ['IP', (pod) => orNone(textAt(pod, 'status', 'podIP')), 'wide'],
  ['Node', (pod) => orNone(textAt(pod, 'spec', 'nodeName')), 'wide'],
  ['Nominated Node', (pod) => orNone(textAt(pod, 'status', 'nominatedNodeName')), 'wide'],
  ['Readiness Gates', gates, 'wide'],
)
