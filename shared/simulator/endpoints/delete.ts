import { rfc3339 } from '../clock.ts'
import { markDefinitionTerminating } from '../crd/definition-status.ts'
import { conflict, notFound } from '../errors.ts'
import { isObject, privateCopy } from '../object.ts'
import type { KubeObject } from '../object.ts'
import type { ApiResponse } from './api-types.ts'
import { deleteOptions } from './delete-options.ts'
import type { DeleteOptions, Propagation } from './delete-options.ts'
import { listOf } from './list.ts'
import { readSelection } from './list-options.ts'
import { groupKind, groupResource } from './resource-type.ts'
import type { ResourceType } from './resource-type.ts'
import { encoded, objectResponse } from './respond.ts'
import type { ResourceRequest, ServerContext } from './server-context.ts'
import { strategyContext } from './server-context.ts'

interface Deletion {
  /** The last state, in the version of the request. */
  readonly object: KubeObject
  readonly gone: boolean
}

/** DELETE of one object. */
export function deleteOne(server: ServerContext, rr: ResourceRequest): ApiResponse {
  const options = deleteOptions(rr)
  const { type, target } = rr
  warnOfOrphans(rr, options)
  const stored = server.store.get(type.storage, target.namespace, target.name)
  if (stored === undefined) {
    admitDelete(server, rr, target.namespace, target.name, undefined, options)
    throw notFound(groupResource(type), target.name)
  }
  const live = type.fromStorage(stored)
  admitDelete(server, rr, target.namespace, target.name, live, options)
  const { object, gone } = deleteObject(server, rr, live, options)
  if (!gone || type.behaviour.returnsDeleted) return objectResponse(server, rr, object)
  const { name, group } = { name: target.name, group: type.group }
  return encoded(rr, 200, {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { name, ...(group === '' ? {} : { group }), kind: type.resource, uid: object.metadata.uid },
  })
}

/** Jobs leave their pods behind unless told otherwise, which people do not expect. */
function warnOfOrphans({ type, warnings }: ResourceRequest, { propagation }: DeleteOptions): void {
  if (type.group !== 'batch' || type.resource !== 'jobs' || propagation !== undefined) return
  warnings.push(
    'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning',
  )
}

/** DELETE of a collection: what the selectors let through; the answer lists it as it was. */
export function deleteCollection(server: ServerContext, rr: ResourceRequest): ApiResponse {
  const { matches } = readSelection(rr)
  const options = deleteOptions(rr)
  const { type, target } = rr
  warnOfOrphans(rr, options)
  const namespace = target.namespace === '' ? undefined : target.namespace
  const resourceVersion = String(server.store.resourceVersion)
  const chosen = server.store
    .list(type.storage, namespace)
    .map((stored) => type.fromStorage(stored))
    .filter((object) => matches?.(object) ?? true)
  for (const live of chosen) {
    const { namespace: home = '', name = '' } = live.metadata
    admitDelete(server, rr, home, name, live, options)
    deleteObject(server, rr, live, options)
  }
  return encoded(rr, 200, listOf(rr, chosen, { resourceVersion }))
}

function admitDelete(
  server: ServerContext,
  { type, user }: ResourceRequest,
  namespace: string,
  name: string,
  live: KubeObject | undefined,
  { dryRun }: DeleteOptions,
): void {
  const context = strategyContext(server, user, dryRun)
  server.admit({ operation: 'delete', type, subresource: '', namespace, name, next: undefined, live, user, context })
}

/** The steps of apiserver `registry/generic/registry/store.go` Delete. */
function deleteObject(
  server: ServerContext,
  { type }: ResourceRequest,
  live: KubeObject,
  options: DeleteOptions,
): Deletion {
  checkPreconditions(type, live, options)
  if (type.resource === 'namespaces' && type.group === '') return deleteNamespace(server, type, live, options)
  if (type.resource === 'customresourcedefinitions' && !type.custom)
    return deleteDefinition(server, type, live, options)
  const next = privateCopy(live)
  const grace = markGraceful(server, type, next, options)
  if (grace === 'pending') return { object: live, gone: false }
  setGarbageFinalizers(type, next, options.propagation)
  const waits = (next.metadata.finalizers?.length ?? 0) > 0
  if (grace === 'none' && waits) markDeleting(server, next, 0)
  if (waits || (grace === 'marked' && (next.metadata.deletionGracePeriodSeconds ?? 0) > 0)) {
    return { object: save(server, type, live, next, options), gone: false }
  }
  if (options.dryRun) return { object: next, gone: true }
  const { namespace = '', name = '' } = live.metadata
  const removed = server.store.remove(type.storage, namespace, name, type.toStorage(next))
  return { object: removed === undefined ? next : type.fromStorage(removed), gone: true }
}

function save(
  server: ServerContext,
  type: ResourceType,
  live: KubeObject,
  next: KubeObject,
  { dryRun }: DeleteOptions,
): KubeObject {
  const same = JSON.stringify(live) === JSON.stringify(next)
  if (dryRun || same) return next
  return type.fromStorage(server.store.put(type.storage, type.toStorage(next)))
}

/**
 * Marks an object whose kind takes its time to go. `pending`: it is going already and the request changes nothing;
 * `none`: its kind goes at once.
 */
function markGraceful(
  server: ServerContext,
  type: ResourceType,
  next: KubeObject,
  options: DeleteOptions,
): 'none' | 'marked' | 'pending' {
  const { metadata } = next
  const { strategy } = type.behaviour
  if (strategy.gracePeriodSeconds === undefined) return 'none'
  if (metadata.deletionTimestamp !== undefined) {
    const before = metadata.deletionGracePeriodSeconds
    if (before === undefined) return 'none'
    if (options.gracePeriodSeconds === undefined || options.gracePeriodSeconds >= before) return 'pending'
    const asked = Date.parse(metadata.deletionTimestamp) - before * 1_000
    metadata.deletionTimestamp = rfc3339(asked + options.gracePeriodSeconds * 1_000)
    metadata.deletionGracePeriodSeconds = options.gracePeriodSeconds
    return 'marked'
  }
  const seconds = strategy.gracePeriodSeconds(next, options.gracePeriodSeconds)
  if (seconds === undefined) return 'none'
  markDeleting(server, next, seconds)
  return 'marked'
}

function markDeleting(server: ServerContext, { metadata }: KubeObject, seconds: number): void {
  if (metadata.deletionTimestamp === undefined) {
    metadata.deletionTimestamp = rfc3339(server.clock.now() + seconds * 1_000)
    if (metadata.generation !== undefined && metadata.generation > 0) metadata.generation++
  }
  metadata.deletionGracePeriodSeconds = seconds
}

/** Adds or takes away the finalizers that the garbage collector works by. */
function setGarbageFinalizers(
  type: ResourceType,
  { metadata }: KubeObject,
  propagation: Propagation | undefined,
): void {
  // Events are not garbage collected.
  if (type.resource === 'events' && !type.custom) return
  const before = metadata.finalizers ?? []
  const policy = propagation ?? policyOf(before) ?? type.behaviour.strategy.deletePolicyDefault ?? 'Background'
  const after = before.filter((finalizer) => finalizer !== 'orphan' && finalizer !== 'foregroundDeletion')
  if (policy === 'Orphan') after.push('orphan')
  if (policy === 'Foreground') after.push('foregroundDeletion')
  if (before.length === after.length && after.every((finalizer) => before.includes(finalizer))) return
  if (after.length === 0) delete metadata.finalizers
  else metadata.finalizers = after
}

function policyOf(finalizers: readonly string[]): Propagation | undefined {
  if (finalizers.includes('orphan')) return 'Orphan'
  return finalizers.includes('foregroundDeletion') ? 'Foreground' : undefined
}

/** The first DELETE of a namespace begins its end; it goes when its own finalizers are gone. */
function deleteNamespace(
  server: ServerContext,
  type: ResourceType,
  live: KubeObject,
  options: DeleteOptions,
): Deletion {
  const next = privateCopy(live)
  if (live.metadata.deletionTimestamp === undefined) {
    markDeleting(server, next, 0)
    delete next.metadata.deletionGracePeriodSeconds
    next['status'] = { ...(isObject(next['status']) ? next['status'] : {}), phase: 'Terminating' }
    setGarbageFinalizers(type, next, options.propagation)
    return { object: save(server, type, live, next, options), gone: false }
  }
  const spec = next['spec']
  const held = isObject(spec) && Array.isArray(spec['finalizers']) ? spec['finalizers'].length : 0
  if (held > 0 || (next.metadata.finalizers?.length ?? 0) > 0) return { object: live, gone: false }
  if (!options.dryRun) server.store.remove(type.storage, '', live.metadata.name ?? '', type.toStorage(next))
  return { object: next, gone: true }
}

/** A definition goes after its objects: the cleanup finalizer holds it until then. */
function deleteDefinition(
  server: ServerContext,
  type: ResourceType,
  live: KubeObject,
  options: DeleteOptions,
): Deletion {
  const next = privateCopy(live)
  if (live.metadata.deletionTimestamp !== undefined) return { object: live, gone: false }
  next.metadata.deletionTimestamp = rfc3339(server.clock.now())
  setGarbageFinalizers(type, next, options.propagation)
  markDefinitionTerminating(next, rfc3339(server.clock.now()))
  return { object: save(server, type, live, next, options), gone: false }
}

function checkPreconditions(type: ResourceType, live: KubeObject, { uid, resourceVersion }: DeleteOptions): void {
  const { metadata } = live
  const { name = '' } = metadata
  if (uid !== undefined && uid !== metadata.uid) {
    throw conflict(
      groupKind(type),
      name,
      `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid ?? ''}). The object might have been deleted and then recreated`,
    )
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    throw conflict(
      groupKind(type),
      name,
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion ?? ''}). The object might have been modified`,
    )
  }
}
