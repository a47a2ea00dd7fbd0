import type { Json } from '../kinds/json.ts'
import { objectAt, textAt } from '../kinds/json.ts'
import type { KubeObject } from '../object.ts'
import { sameJson } from '../object.ts'
import { byAge } from './ownership.ts'
import { isFinished } from './pod-state.ts'
import { pods, replicaSets } from './resources.ts'
import { newReplicaSet } from './deployment-new-set.ts'
import type { Rollout } from './deployment-parts.ts'
import {
  availableOf,
  desiredReplicas,
  maxReplicas,
  oldSets,
  remember,
  replicasOf,
  scaledEvent,
  sizeAnnotations,
  specOf,
  sum,
  surgeOf,
  unavailableOf,
  wantedForNewSet,
} from './deployment-parts.ts'
import { cleanUp, isComplete, syncStatus } from './deployment-status.ts'

/** Sets a size and the annotations that go with it; answers whether the size changed. */
function resize(rollout: Rollout, set: KubeObject, size: number): boolean {
  const annotations = { ...set.metadata.annotations, ...sizeAnnotations(rollout.live) }
  const before = replicasOf(set)
  if (before === size && sameJson(annotations, set.metadata.annotations)) return false
  const changed = { ...set, metadata: { ...set.metadata, annotations }, spec: { ...specOf(set), replicas: size } }
  remember(rollout, rollout.setting.host.update(replicaSets, changed))
  if (before === size) return false
  const name = set.metadata.name ?? ''
  scaledEvent(rollout, `Scaled ${size > before ? 'up' : 'down'} replica set ${name} from ${before} to ${size}`)
  return true
}

const scaleTo = (rollout: Rollout, set: KubeObject, size: number): boolean =>
  replicasOf(set) !== size && resize(rollout, set, size)

/** One step of a rolling update: up with the new, or down with the old, or the status. */
export function rollOut(rollout: Rollout): void {
  newReplicaSet(rollout, true)
  const { current } = rollout
  if (current && scaleTo(rollout, current, newSize(rollout, current))) {
    syncStatus(rollout)
    return
  }
  if (shrinkOld(rollout)) {
    syncStatus(rollout)
    return
  }
  if (isComplete(rollout.live, objectAt(rollout.live, 'status') ?? {})) cleanUp(rollout)
  syncStatus(rollout)
}

function newSize(rollout: Rollout, set: KubeObject): number {
  return Math.min(wantedForNewSet(rollout, set), Math.max(replicasOf(rollout.live), 0))
}

function shrinkOld(rollout: Rollout): boolean {
  const { live, current } = rollout
  const old = oldSets(rollout).filter((set) => replicasOf(set) > 0)
  if (old.length === 0) return false
  const all = sum(rollout.sets, replicasOf)
  const least = replicasOf(live) - unavailableOf(live)
  const newUnavailable = current ? replicasOf(current) - availableOf(current) : 0
  const most = all - least - newUnavailable
  if (most <= 0) return false
  const cleaned = dropUnhealthy(rollout, old, most)
  const dropped = dropSpare(rollout, least)
  return cleaned + dropped > 0
}

/** First those old pods that do not serve anyway. */
function dropUnhealthy(rollout: Rollout, old: readonly KubeObject[], most: number): number {
  let dropped = 0
  for (const set of [...old].sort(byAge)) {
    const idle = replicasOf(set) - availableOf(set)
    if (dropped >= most || idle <= 0) continue
    const count = Math.min(most - dropped, idle)
    resize(rollout, set, replicasOf(set) - count)
    dropped += count
  }
  return dropped
}

/** Then as many as are available beyond the least. */
function dropSpare(rollout: Rollout, least: number): number {
  let spare = sum(rollout.sets, availableOf) - least
  let dropped = 0
  for (const set of oldSets(rollout).sort(byAge)) {
    if (spare <= 0) break
    const count = Math.min(replicasOf(set), spare)
    if (count === 0) continue
    resize(rollout, set, replicasOf(set) - count)
    spare -= count
    dropped += count
  }
  return dropped
}

/** All old pods go before the first new one comes. */
export function rollRecreate(rollout: Rollout): void {
  newReplicaSet(rollout, false)
  let shrunk = false
  for (const set of oldSets(rollout)) shrunk = scaleTo(rollout, set, 0) || shrunk
  if (shrunk || oldPodsRun(rollout)) {
    syncStatus(rollout)
    return
  }
  newReplicaSet(rollout, true)
  if (rollout.current) scaleTo(rollout, rollout.current, replicasOf(rollout.live))
  if (isComplete(rollout.live, objectAt(rollout.live, 'status') ?? {})) cleanUp(rollout)
  syncStatus(rollout)
}

function oldPodsRun(rollout: Rollout): boolean {
  const { host } = rollout.setting
  return oldSets(rollout).some((set) =>
    host.index.controlled(set.metadata.uid ?? '', pods).some((pod) => !isFinished(pod)),
  )
}

/** After a change of the wanted number: one set takes it all, several share it by size. */
export function scaleProportionally(rollout: Rollout): void {
  const { live, current } = rollout
  const wanted = replicasOf(live)
  const only = activeOrLatest(rollout)
  if (only) {
    if (replicasOf(only) !== wanted) resize(rollout, only, wanted)
    return
  }
  if (current && isSaturated(live, current)) {
    for (const set of oldSets(rollout)) if (replicasOf(set) > 0) scaleTo(rollout, set, 0)
    return
  }
  if (textAt(objectAt(specOf(live), 'strategy'), 'type') === 'RollingUpdate') share(rollout)
}

function activeOrLatest(rollout: Rollout): KubeObject | undefined {
  const active = rollout.sets.filter((set) => replicasOf(set) > 0)
  if (active.length === 1) return active[0]
  if (active.length > 1) return undefined
  return rollout.current ?? oldSets(rollout).sort(byAge).at(-1)
}

function isSaturated(live: KubeObject, set: KubeObject): boolean {
  const wanted = replicasOf(live)
  const desired = Number(set.metadata.annotations?.[desiredReplicas] ?? -1)
  return replicasOf(set) === wanted && desired === wanted && availableOf(set) === wanted
}

function share(rollout: Rollout): void {
  const { live } = rollout
  const active = rollout.sets.filter((set) => replicasOf(set) > 0)
  const wanted = replicasOf(live)
  const allowed = wanted > 0 ? wanted + surgeOf(live) : 0
  const toAdd = allowed - sum(active, replicasOf)
  const growing = toAdd > 0
  const ordered = active.toSorted((a, b) => replicasOf(b) - replicasOf(a) || (growing ? byAge(b, a) : byAge(a, b)))
  let added = 0
  const sizes = ordered.map((set) => {
    const part = proportion(live, set, toAdd, added)
    added += part
    return Math.max(0, replicasOf(set) + part)
  })
  if (toAdd !== 0 && sizes[0] !== undefined) sizes[0] = Math.max(0, sizes[0] + toAdd - added)
  for (const [i, set] of ordered.entries()) resize(rollout, set, sizes[i] ?? replicasOf(set))
}

function proportion(live: KubeObject, set: KubeObject, toAdd: number, added: number): number {
  const size = replicasOf(set)
  if (size === 0 || toAdd === 0 || toAdd === added) return 0
  const fraction = setFraction(live, set)
  return toAdd > 0 ? Math.min(fraction, toAdd - added) : Math.max(fraction, toAdd - added)
}

function setFraction(live: KubeObject, set: KubeObject): number {
  const wanted = replicasOf(live)
  if (wanted === 0) return -replicasOf(set)
  const before = Number(set.metadata.annotations?.[maxReplicas] ?? 0)
  const status: Json | undefined = objectAt(live, 'status')
  const total = before > 0 ? before : Number(status?.['replicas'] ?? 0)
  if (total === 0) return 0
  return Math.round((replicasOf(set) * (wanted + surgeOf(live))) / total) - replicasOf(set)
}
