import type { Json } from '../kinds/json.ts'
import { numberAt, objectAt } from '../kinds/json.ts'
import type { KubeObject } from '../object.ts'
import { conditionOf, timeMs, withCondition, withoutCondition } from './conditions.ts'
import { isTerminating } from './pod-state.ts'
import { sameCounts } from './replica-set.ts'
import { deployments, replicaSets } from './resources.ts'
import type { Rollout } from './deployment-parts.ts'
import { availableOf, hasDeadline, oldSets, replicasOf, revisionOf, specOf, unavailableOf } from './deployment-parts.ts'

const count = (status: Json | undefined, key: string): number => numberAt(status, key) ?? 0
const total = (sets: readonly KubeObject[], key: string): number =>
  sets.reduce((sum, set) => sum + count(objectAt(set, 'status'), key), 0)

/** All wanted pods are of the current template, available, and the only ones. */
export function isComplete(live: KubeObject, status: Json): boolean {
  const wanted = replicasOf(live)
  return (
    count(status, 'updatedReplicas') === wanted &&
    count(status, 'replicas') === wanted &&
    count(status, 'availableReplicas') === wanted &&
    count(status, 'observedGeneration') >= (live.metadata.generation ?? 0)
  )
}

/** Writes the status where it changed, and sees to it that a deadline is noticed when it passes. */
export function syncStatus(rollout: Rollout): void {
  const { live, setting } = rollout
  const before = objectAt(live, 'status') ?? {}
  const status = countPods(rollout, before)
  status['conditions'] = progress(rollout, before, status)
  if ((status['conditions'] as readonly Json[]).length === 0) delete status['conditions']
  if (!sameCounts(status, before)) rollout.live = setting.host.updateStatus(deployments, { ...live, status })
  watchDeadline(rollout, status)
}

function countPods({ live, sets, current, setting }: Rollout, before: Json): Json {
  const available = sets.reduce((sum, set) => sum + availableOf(set), 0)
  const sized = sets.reduce((sum, set) => sum + replicasOf(set), 0)
  const enough = available >= replicasOf(live) - unavailableOf(live)
  const availability = enough
    ? ({ status: 'True', reason: 'MinimumReplicasAvailable', message: 'Deployment has minimum availability.' } as const)
    : ({
        status: 'False',
        reason: 'MinimumReplicasUnavailable',
        message: 'Deployment does not have minimum availability.',
      } as const)
  const known = (before['conditions'] as Json[] | undefined) ?? []
  return {
    observedGeneration: live.metadata.generation ?? 0,
    replicas: total(sets, 'replicas'),
    updatedReplicas: current ? total([current], 'replicas') : 0,
    readyReplicas: total(sets, 'readyReplicas'),
    availableReplicas: available,
    unavailableReplicas: Math.max(0, sized - available),
    terminatingReplicas: total(sets, 'terminatingReplicas'),
    ...(before['collisionCount'] !== undefined && { collisionCount: before['collisionCount'] }),
    conditions: withCondition(known, { type: 'Available', ...availability }, setting.host.now(), true),
  }
}

/** The Progressing condition, and a failure that the sets report. */
function progress(rollout: Rollout, before: Json, status: Json): readonly Json[] {
  const { live, setting, sets } = rollout
  const now = setting.host.now()
  let conditions = status['conditions'] as readonly Json[]
  if (!hasDeadline(live)) conditions = withoutCondition(conditions, 'Progressing')
  else conditions = deadlineCondition(rollout, before, status, conditions)
  const failed = sets.map((set) => conditionOf(objectAt(set, 'status'), 'ReplicaFailure')).find((found) => found)
  if (!failed) return withoutCondition(conditions, 'ReplicaFailure')
  const { reason, message } = failed as { reason: string; message: string }
  return withCondition(conditions, { type: 'ReplicaFailure', status: 'True', reason, message }, now, true)
}

function deadlineCondition(
  { live, setting, current }: Rollout,
  before: Json,
  status: Json,
  conditions: readonly Json[],
): readonly Json[] {
  const now = setting.host.now()
  const known = conditionOf(before, 'Progressing')
  const settled = count(status, 'replicas') === count(status, 'updatedReplicas')
  if (settled && known?.['reason'] === 'NewReplicaSetAvailable') return conditions
  const subject = current ? `ReplicaSet "${current.metadata.name ?? ''}"` : `Deployment "${live.metadata.name ?? ''}"`
  const make = (status: 'True' | 'False', reason: string, text: string): readonly Json[] =>
    withCondition(conditions, { type: 'Progressing', status, reason, message: `${subject} ${text}` }, now, true)
  if (isComplete(live, status)) return make('True', 'NewReplicaSetAvailable', 'has successfully progressed.')
  if (advanced(before, status)) {
    const since = known?.['status'] === 'True' ? known['lastTransitionTime'] : now
    const message = `${subject} is progressing.`
    const reason = 'ReplicaSetUpdated'
    const moved = {
      type: 'Progressing',
      status: 'True',
      reason,
      message,
      lastUpdateTime: now,
      lastTransitionTime: since,
    }
    return [...withoutCondition(conditions, 'Progressing'), moved]
  }
  if (!timedOut(live, known, setting.host.clock.now())) return conditions
  return make('False', 'ProgressDeadlineExceeded', 'has timed out progressing.')
}

function advanced(before: Json, status: Json): boolean {
  const old = (s: Json): number => count(s, 'replicas') - count(s, 'updatedReplicas')
  return (
    count(status, 'updatedReplicas') > count(before, 'updatedReplicas') ||
    old(status) < old(before) ||
    count(status, 'readyReplicas') > count(before, 'readyReplicas') ||
    count(status, 'availableReplicas') > count(before, 'availableReplicas')
  )
}

function timedOut(live: KubeObject, known: Json | undefined, nowMs: number): boolean {
  if (!known || known['reason'] === 'NewReplicaSetAvailable') return false
  if (known['reason'] === 'ProgressDeadlineExceeded') return true
  return deadlineOf(live, known) < nowMs
}

function deadlineOf(live: KubeObject, known: Json): number {
  return timeMs(known['lastUpdateTime']) + (numberAt(specOf(live), 'progressDeadlineSeconds') ?? 0) * 1000
}

function watchDeadline({ live, setting, key }: Rollout, status: Json): void {
  const known = conditionOf(status, 'Progressing')
  if (!hasDeadline(live) || !known || isComplete(live, status) || specOf(live)['paused'] === true) return
  if (known['reason'] === 'ProgressDeadlineExceeded' || known['reason'] === 'NewReplicaSetAvailable') return
  const left = deadlineOf(live, known) - setting.host.clock.now()
  setting.queue.addAfter('deployments', key, Math.max(0, left) + 1000)
}

/** Removes empty sets beyond the history that is to be kept, the oldest revisions first. */
export function cleanUp(rollout: Rollout): void {
  const { live, setting } = rollout
  const limit = numberAt(specOf(live), 'revisionHistoryLimit')
  if (limit === undefined || limit === 2 ** 31 - 1) return
  const old = oldSets(rollout).filter((set) => !isTerminating(set))
  const surplus = old.length - limit
  for (const set of old.toSorted((a, b) => revisionOf(a) - revisionOf(b)).slice(0, Math.max(0, surplus))) {
    const status = objectAt(set, 'status')
    const unobserved = (set.metadata.generation ?? 0) > count(status, 'observedGeneration')
    if (count(status, 'replicas') !== 0 || replicasOf(set) !== 0 || unobserved) continue
    setting.host.delete(replicaSets, set, { propagationPolicy: 'Background' })
    rollout.sets = rollout.sets.filter((known) => known.metadata.uid !== set.metadata.uid)
  }
}
