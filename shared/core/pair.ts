import type { Application } from '../model/application.ts'
import type { Failure } from '../model/failure.ts'
import {
  groupKindKey,
  idOf,
  resourceKey,
  type GroupVersionKind,
  type KubeObject,
  type ResourceId,
} from '../model/kubernetes.ts'
import type { LiveObject } from '../model/live.ts'
import type { Inventory, LiveView } from '../model/ports.ts'
import type { Desired, DesiredState } from './desired.ts'
import { OPERATION_ANNOTATION } from './hooks/hook-tasks.ts'
import { roleOf } from './hooks/read-hook.ts'
import { compareForApply } from './order.ts'
import { TRACKING_ANNOTATION, trackingOf } from './tracking.ts'

/** One object with what Git wants of it and what the cluster has. `key` is the id as one string. */
export type Pair = { readonly key: string } & PairSides

type PairSides =
  | {
      /** The cluster would not say whether it has the object. */
      readonly kind: 'unreadable'
      readonly id: ResourceId
      readonly desired: Desired
      readonly failure: Failure
    }
  | { readonly kind: 'missing'; readonly id: ResourceId; readonly desired: Desired }
  | {
      readonly kind: 'both'
      readonly id: ResourceId
      readonly desired: Desired
      readonly live: LiveObject
      /** True while it is being deleted: it is there until its finalizers are done, or its dependants gone. */
      readonly going: boolean
    }
  | {
      readonly kind: 'extra'
      readonly id: ResourceId
      readonly live: LiveObject
      /** True when the inventory, too, says that the application made it. Only then may it be pruned. */
      readonly owned: boolean
    }

/** Whether it is being deleted. */
export function isGoing({ object }: LiveObject): boolean {
  return object.metadata.deletionTimestamp !== undefined
}

/** Kinds that a pass has to look at: what is wanted, and what was applied before. */
export function kindsToObserve(desired: DesiredState, inventory: Inventory): readonly GroupVersionKind[] {
  const kinds = new Map(wantedKinds(desired))
  for (const entry of inventory.values()) {
    const key = groupKindKey(entry.id)
    if (!kinds.has(key)) kinds.set(key, { ...entry.id, version: entry.version })
  }
  return [...kinds.values()]
}

const wanted = new WeakMap<DesiredState, ReadonlyMap<string, GroupVersionKind>>()

function wantedKinds(desired: DesiredState): ReadonlyMap<string, GroupVersionKind> {
  const known = wanted.get(desired)
  if (known !== undefined) return known
  const kinds = new Map<string, GroupVersionKind>()
  for (const { gvk, kind } of [...desired.objects.values(), ...desired.hooks])
    if (kind !== undefined) kinds.set(groupKindKey(gvk), gvk)
  wanted.set(desired, kinds)
  return kinds
}

/** Namespaces that a pass has to look at. */
export function namespacesToObserve(
  application: Application,
  desired: DesiredState,
  inventory: Inventory,
): ReadonlySet<string> {
  const namespaces = new Set<string>()
  if (application.destination.namespace !== '') namespaces.add(application.destination.namespace)
  for (const { id } of desired.objects.values()) if (id.namespace !== '') namespaces.add(id.namespace)
  for (const { id } of desired.hooks) if (id.namespace !== '') namespaces.add(id.namespace)
  for (const { id } of inventory.values()) if (id.namespace !== '') namespaces.add(id.namespace)
  return namespaces
}

/** Holds the two sides together, in the order in which a sync would go through them. */
export function pair(
  application: Application,
  desired: DesiredState,
  live: LiveView,
  inventory: Inventory,
  teardown = false,
): readonly Pair[] {
  const pairs: Pair[] = []
  const unreadable = unreadableKinds(live)
  const paired = new Set<LiveObject>()
  for (const want of desired.objects.values()) {
    const { key, id } = want
    const have = live.get(id)
    const failure = have === undefined ? unreadable.get(groupKindKey(id)) : undefined
    if (failure !== undefined) pairs.push({ kind: 'unreadable', key, id, desired: want, failure })
    else if (have === undefined) pairs.push({ kind: 'missing', key, id, desired: want })
    else {
      pairs.push(both(want, have))
      paired.add(have)
    }
  }
  const extras: Pair[] = []
  for (const kind of kindsToObserve(desired, inventory)) {
    for (const have of live.ofKind(kind)) {
      // Most objects are paired already or not ours; both are told before anything is computed.
      if (paired.has(have)) continue
      if (have.object.metadata.annotations?.[TRACKING_ANNOTATION] === undefined) continue
      const id = idOf(have.object)
      const key = resourceKey(id)
      if (desired.objects.has(key) || trackingOf(have.object, id)?.application !== application.name) continue
      // What a controller made from our object carries a copy of the annotation in its pods; it has an owner.
      if ((have.object.metadata.ownerReferences ?? []).length > 0) continue
      if (isPassing(have.object, teardown)) continue
      extras.push({ kind: 'extra', key, id, live: have, owned: inventory.has(key) })
    }
  }
  return [...pairs, ...extras.sort((a, b) => compareForApply(a.id, b.id))]
}

/** Pairs of objects that have not changed, so that ten thousand are not made anew for the one that has. */
const known = new WeakMap<Desired, Pair & { readonly kind: 'both' }>()

function both(desired: Desired, live: LiveObject): Pair {
  const before = known.get(desired)
  if (before?.live === live) return before
  const { key, id } = desired
  const fresh = { kind: 'both', key, id, desired, live, going: isGoing(live) } as const
  known.set(desired, fresh)
  return fresh
}

/** Hooks come and go by their own policies; only a deletion takes along what syncs have left of them. */
function isPassing(object: KubeObject, teardown: boolean): boolean {
  const { kind } = roleOf(object)
  if (kind === 'plain' || !teardown) return kind !== 'plain'
  const phase = object.metadata.annotations?.[OPERATION_ANNOTATION]?.split('/').at(-1)
  return kind === 'skipped' || phase === 'PreDelete' || phase === 'PostDelete'
}

/** A kind that the server does not have is no riddle: there is nothing of it, whatever the inventory expected. */
function unreadableKinds({ failures }: LiveView): ReadonlyMap<string, Failure> {
  const riddles = failures.filter(({ reason }) => reason !== 'not-found')
  return new Map(riddles.map(({ gvk, reason, message }) => [groupKindKey(gvk), liveFailure(reason, message)]))
}

function liveFailure(reason: string, message: string): Failure {
  return { stage: 'live', reason, message }
}
