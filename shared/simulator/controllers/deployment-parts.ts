import type { Json } from '../kinds/json.ts'
import { numberAt, objectAt, textAt } from '../kinds/json.ts'
import type { KubeObject } from '../object.ts'
import { conditionOf, withCondition } from './conditions.ts'
import type { Setting } from './controller.ts'
import { byAge } from './ownership.ts'
import { deployments } from './resources.ts'

/** What the steps of a deployment's reconciliation share. */

/** The annotations by which a deployment and its replica sets keep count. */
export const revision = 'deployment.kubernetes.io/revision'
export const desiredReplicas = 'deployment.kubernetes.io/desired-replicas'
export const maxReplicas = 'deployment.kubernetes.io/max-replicas'

/** A deployment in the middle of its reconciliation; `live` follows its own writes. */
export interface Rollout {
  readonly setting: Setting
  readonly key: string
  live: KubeObject
  /** All its replica sets, oldest first. */
  sets: KubeObject[]
  /** The one of the current template. */
  current: KubeObject | undefined
}

export const specOf = (o: KubeObject): Json => objectAt(o, 'spec') ?? {}
export const replicasOf = (o: KubeObject): number => numberAt(specOf(o), 'replicas') ?? 0
export const availableOf = (o: KubeObject): number => numberAt(objectAt(o, 'status'), 'availableReplicas') ?? 0

/** The sets of other templates. */
export function oldSets({ sets, current }: Rollout): KubeObject[] {
  return sets.filter((set) => set.metadata.uid !== current?.metadata.uid)
}

/** Puts a changed set in place of what is known of it. */
export function remember(rollout: Rollout, set: KubeObject): void {
  const others = rollout.sets.filter((known) => known.metadata.uid !== set.metadata.uid)
  rollout.sets = [...others, set].sort(byAge)
  if (rollout.current?.metadata.uid === set.metadata.uid) rollout.current = set
}

export const sum = (sets: readonly KubeObject[], of: (set: KubeObject) => number): number =>
  sets.reduce((total, set) => total + of(set), 0)

/** A number or a share of the replicas. */
export function resolve(value: unknown, total: number, roundUp: boolean): number {
  if (typeof value === 'number') return value
  const match = typeof value === 'string' ? /^(\d+)%$/u.exec(value) : null
  if (!match) return 0
  const share = (Number(match[1]) * total) / 100
  return roundUp ? Math.ceil(share) : Math.floor(share)
}

/** How many pods above, and how many below the wanted number a rolling update may go; never both none. */
function fences(live: KubeObject): { surge: number; unavailable: number } {
  const strategy = objectAt(specOf(live), 'strategy')
  if (textAt(strategy, 'type') === 'Recreate') return { surge: 0, unavailable: 0 }
  const rolling = objectAt(strategy, 'rollingUpdate')
  const wanted = replicasOf(live)
  const surge = resolve(rolling?.['maxSurge'], wanted, true)
  const unavailable = resolve(rolling?.['maxUnavailable'], wanted, false)
  return { surge, unavailable: surge === 0 && unavailable === 0 ? 1 : unavailable }
}

export function surgeOf(live: KubeObject): number {
  return fences(live).surge
}

export function unavailableOf(live: KubeObject): number {
  const wanted = replicasOf(live)
  return wanted === 0 ? 0 : Math.min(fences(live).unavailable, wanted)
}

/** The size that the new set should have now. */
export function wantedForNewSet({ live, sets }: Rollout, set: KubeObject): number {
  if (textAt(objectAt(specOf(live), 'strategy'), 'type') === 'Recreate') return replicasOf(live)
  const room = replicasOf(live) + surgeOf(live) - sum(sets, replicasOf)
  if (room <= 0) return replicasOf(set)
  return replicasOf(set) + Math.min(room, replicasOf(live) - replicasOf(set))
}

export function revisionOf(o: KubeObject): number {
  return Number(o.metadata.annotations?.[revision] ?? 0) || 0
}

export function sizeAnnotations(live: KubeObject): Record<string, string> {
  const desired = replicasOf(live)
  return { [desiredReplicas]: String(desired), [maxReplicas]: String(desired + surgeOf(live)) }
}

export function scaledEvent({ setting, live }: Rollout, message: string): void {
  setting.host.event(live, 'Normal', 'ScalingReplicaSet', message, 'deployment-controller')
}

export function deploymentCondition(live: KubeObject, type: string): Json | undefined {
  return conditionOf(objectAt(live, 'status'), type)
}

/** A deadline of the largest number means none. */
export function hasDeadline(live: KubeObject): boolean {
  const seconds = numberAt(specOf(live), 'progressDeadlineSeconds')
  return seconds !== undefined && seconds !== 2 ** 31 - 1
}

/** Writes one condition at once. */
export function setCondition(rollout: Rollout, condition: Parameters<typeof withCondition>[1], now: string): void {
  const status = objectAt(rollout.live, 'status') ?? {}
  const conditions = withCondition((status['conditions'] as Json[] | undefined) ?? [], condition, now, true)
  rollout.live = rollout.setting.host.updateStatus(deployments, { ...rollout.live, status: { ...status, conditions } })
}
