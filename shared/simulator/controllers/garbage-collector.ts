import type { KubeObject, OwnerReference } from '../object.ts'
import type { ResourceKey } from '../storage/store.ts'
import type { Controller, Setting } from './controller.ts'
import type { Host } from './host.ts'
import { HostError } from './host.ts'
import type { Place } from './owner-index.ts'
import type { Resource } from './resources.ts'

const foreground = 'foregroundDeletion'
const orphan = 'orphan'

/**
 * Deletes what nobody owns any more, after `pkg/controller/garbagecollector`: dependents of owners that are gone, dependents
 * of an owner that waits for them (Foreground), and it lets go of those of one that leaves them behind (Orphan).
 */
export function garbageCollector({ host, queue }: Setting): Controller {
  const name = 'garbage'
  return {
    name,
    watches: [],
    watchAll({ type, resource, namespace, name: object, object: state }) {
      const { uid = '', finalizers = [], deletionTimestamp, ownerReferences = [] } = state.metadata
      if (type === 'DELETED') {
        for (const place of host.index.dependents(uid)) queue.add(name, placeKey(place))
        for (const owner of ownerReferences) wakeOwner(host, owner.uid, (key) => queue.add(name, key))
        return
      }
      const waits = deletionTimestamp !== undefined && (finalizers.includes(foreground) || finalizers.includes(orphan))
      if (waits || (type === 'ADDED' && ownerReferences.length > 0)) {
        queue.add(name, placeKey({ resource, namespace, name: object }))
      }
    },
    reconcile(key) {
      const place = placeOf(key)
      const live = host.store.get(place.resource, place.namespace, place.name)
      const resource = live && resourceOf(host, place.resource)
      if (live && resource) collect(host, resource, live, (wake) => queue.add(name, placeKey(wake)))
    },
  }
}

function wakeOwner(host: Host, uid: string, add: (key: string) => void): void {
  const place = host.index.find(uid)
  const owner = place && host.store.get(place.resource, place.namespace, place.name)
  if (place && owner?.metadata.finalizers?.includes(foreground)) add(placeKey(place))
}

function placeKey({ resource, namespace, name }: Place): string {
  return JSON.stringify([resource.group, resource.resource, namespace, name])
}

function placeOf(key: string): Place {
  const [group, resource, namespace, name] = JSON.parse(key) as [string, string, string, string]
  return { resource: { group, resource }, namespace, name }
}

/** The resource of a table, in the version that the server prefers. */
export function resourceOf(host: Host, key: ResourceKey): Resource | undefined {
  const type = host.registry.byResource(key.group, key.resource)
  if (!type) return undefined
  const apiVersion = type.group === '' ? type.version : `${type.group}/${type.version}`
  return { group: type.group, resource: type.resource, apiVersion, kind: type.kind, namespaced: type.namespaced }
}

function collect(host: Host, resource: Resource, live: KubeObject, wake: (place: Place) => void): void {
  const { finalizers = [], deletionTimestamp, uid = '' } = live.metadata
  if (deletionTimestamp !== undefined && finalizers.includes(orphan)) {
    letGo(host, uid)
    dropFinalizer(host, resource, live, orphan)
    return
  }
  if (deletionTimestamp !== undefined && finalizers.includes(foreground)) {
    finishForeground(host, resource, live, wake)
    return
  }
  if (deletionTimestamp === undefined) checkOwners(host, resource, live)
}

function dropFinalizer(host: Host, resource: Resource, live: KubeObject, finalizer: string): void {
  const finalizers = (live.metadata.finalizers ?? []).filter((name) => name !== finalizer)
  tolerate(() => host.patch(resource, live, { metadata: { finalizers } }))
}

function tolerate(write: () => unknown): void {
  try {
    write()
  } catch (error) {
    if (!HostError.is(error) || (error.status !== 404 && error.status !== 409)) throw error
  }
}

/** Dependents stay, without the reference to this owner. */
function letGo(host: Host, uid: string): void {
  for (const place of host.index.dependents(uid)) {
    const dependent = host.store.get(place.resource, place.namespace, place.name)
    const resource = resourceOf(host, place.resource)
    if (!dependent || !resource) continue
    const ownerReferences = (dependent.metadata.ownerReferences ?? []).filter((owner) => owner.uid !== uid)
    tolerate(() => host.patch(resource, dependent, { metadata: { ownerReferences } }))
  }
}

/** The owner goes when no dependent is left that blocks it. */
function finishForeground(host: Host, resource: Resource, live: KubeObject, wake: (place: Place) => void): void {
  const { uid = '' } = live.metadata
  let blocked = false
  for (const place of host.index.dependents(uid)) {
    const dependent = host.store.get(place.resource, place.namespace, place.name)
    if (!dependent) continue
    const reference = dependent.metadata.ownerReferences?.find((owner) => owner.uid === uid)
    blocked ||= reference?.blockOwnerDeletion === true
    if (dependent.metadata.deletionTimestamp === undefined) wake(place)
  }
  if (!blocked) dropFinalizer(host, resource, live, foreground)
}

type OwnerState = 'solid' | 'gone' | 'waiting'

function checkOwners(host: Host, resource: Resource, live: KubeObject): void {
  const { ownerReferences = [], namespace = '' } = live.metadata
  if (ownerReferences.length === 0) return
  const states = ownerReferences.map((owner) => [owner, ownerState(host, owner, namespace)] as const)
  const solid = states.filter(([, state]) => state === 'solid').map(([owner]) => owner)
  if (solid.length === states.length) return
  if (solid.length > 0) {
    tolerate(() => host.patch(resource, live, { metadata: { ownerReferences: solid } }))
    return
  }
  const waiting = states.some(([, state]) => state === 'waiting')
  const hasDependents = host.index.dependents(live.metadata.uid ?? '').length > 0
  host.delete(resource, live, { propagationPolicy: policy(live, waiting && hasDependents) })
}

function policy({ metadata }: KubeObject, foregroundToo: boolean): 'Foreground' | 'Orphan' | 'Background' {
  if (foregroundToo) return 'Foreground'
  if (metadata.finalizers?.includes(orphan)) return 'Orphan'
  return metadata.finalizers?.includes(foreground) ? 'Foreground' : 'Background'
}

/** An owner of a kind that nobody serves cannot be looked up, and counts as being there. */
function ownerState(host: Host, owner: OwnerReference, namespace: string): OwnerState {
  const place = host.index.find(owner.uid)
  const found = place && host.store.get(place.resource, place.namespace, place.name)
  if (!place || !found || (place.namespace !== '' && place.namespace !== namespace)) {
    return host.registry.byKind(owner.apiVersion, owner.kind) ? 'gone' : 'solid'
  }
  const { deletionTimestamp, finalizers = [] } = found.metadata
  const waits = deletionTimestamp !== undefined && finalizers.includes(foreground)
  return waits ? 'waiting' : 'solid'
}
