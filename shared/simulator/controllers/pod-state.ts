import { numberAt, objectAt, objectsAt, textAt } from '../kinds/json.ts'
import type { KubeObject } from '../object.ts'
import { conditionOf, timeMs } from './conditions.ts'

export const phaseOf = (pod: KubeObject): string => textAt(objectAt(pod, 'status'), 'phase')
export const isTerminating = (o: KubeObject): boolean => o.metadata.deletionTimestamp !== undefined
export const isFinished = (pod: KubeObject): boolean => phaseOf(pod) === 'Succeeded' || phaseOf(pod) === 'Failed'
/** Counts towards its owner's replicas. */
export const isActive = (pod: KubeObject): boolean => !isFinished(pod) && !isTerminating(pod)
export const isReady = (pod: KubeObject): boolean =>
  conditionOf(objectAt(pod, 'status'), 'Ready')?.['status'] === 'True'

/** When the pod counts as available: `0` now, a number of milliseconds to wait, or undefined while it is not ready. */
export function availableInMs(pod: KubeObject, minReadySeconds: number, nowMs: number): number | undefined {
  if (!isReady(pod)) return undefined
  if (minReadySeconds === 0) return 0
  const since = timeMs(conditionOf(objectAt(pod, 'status'), 'Ready')?.['lastTransitionTime'])
  return Math.max(0, since + minReadySeconds * 1000 - nowMs)
}

/** Which of two pods should go first when there are too many; negative for `a`. */
export function goesFirst(a: KubeObject, b: KubeObject): number {
  const [x, y] = [deletionRank(a), deletionRank(b)]
  for (const [i, value] of x.entries()) {
    const other = y[i] ?? 0
    if (value !== other) return value - other
  }
  return 0
}

export function restarts(pod: KubeObject): number {
  const statuses = objectsAt(objectAt(pod, 'status'), 'containerStatuses')
  return statuses.reduce((most, status) => Math.max(most, numberAt(status, 'restartCount') ?? 0), 0)
}

function deletionRank(pod: KubeObject): readonly number[] {
  return [
    textAt(objectAt(pod, 'spec'), 'nodeName') === '' ? 0 : 1,
    ['Pending', 'Unknown', 'Running'].indexOf(phaseOf(pod)),
    isReady(pod) ? 1 : 0,
    Number(pod.metadata.annotations?.['controller.kubernetes.io/pod-deletion-cost'] ?? 0),
    -timeMs(conditionOf(objectAt(pod, 'status'), 'Ready')?.['lastTransitionTime']),
    -restarts(pod),
    -timeMs(pod.metadata.creationTimestamp),
  ]
}
