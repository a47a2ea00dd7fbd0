import { withoutTimeOnlyChange } from '../apply/timestamps.ts'
import { rfc3339 } from '../clock.ts'
import {
  StatusError,
  alreadyExists,
  conflict,
  forbidden,
  invalid,
  modifiedProblem,
  notFound,
  plainError,
} from '../errors.ts'
import { invalid as invalidField, required } from '../kinds/field-error.ts'
import type { FieldError } from '../kinds/field-error.ts'
import type { KindStrategy, StrategyContext } from '../kinds/strategy.ts'
import { isObject, sameJson } from '../object.ts'
import type { KubeObject } from '../object.ts'
import { generatedName } from './generated-name.ts'
import { groupResource } from './resource-type.ts'
import type { ResourceRequest, ServerContext } from './server-context.ts'
import { strategyContext } from './server-context.ts'

export interface WriteResult {
  /** In the version of the request. */
  readonly object: KubeObject
  readonly created: boolean
}

/** How one write is to be done. */
export interface WriteMode {
  readonly dryRun: boolean
  readonly subresource: string
}

/**
 * Stores a new object: system fields, admission, the kind's preparation and checks, in the order of
 * apiserver `registry/rest/create.go`. `next` is the caller's own and becomes the stored object.
 *
 * @throws StatusError
 */
export function createObject(
  server: ServerContext,
  rr: ResourceRequest,
  next: KubeObject,
  mode: WriteMode,
): WriteResult {
  const { type, target } = rr
  const { strategy } = type.behaviour
  if (type.ending) {
    const problem = 'create not allowed while custom resource definition is terminating'
    throw forbidden(groupResource(type), next.metadata.name ?? '', problem)
  }
  const context = strategyContext(server, rr.user, mode.dryRun)
  const { metadata } = next
  if (rr.request.method === 'POST') wipeSystemFields(metadata)
  metadata.creationTimestamp = context.now
  metadata.uid = context.uid()
  if ((metadata.name ?? '') === '' && (metadata.generateName ?? '') !== '') {
    metadata.name = generatedName(metadata.generateName ?? '')
  }
  if (type.namespaced) metadata.namespace = target.namespace
  const name = metadata.name ?? ''
  const admission = {
    operation: 'create',
    type,
    subresource: mode.subresource,
    namespace: target.namespace,
    name,
    next,
    live: undefined,
    user: rr.user,
    context,
  } as const
  server.admit(admission)
  strategy.prepareForCreate?.(next, context)
  refuse(rr, next, withNamespace(rr, strategy.validateCreate?.(next, context) ?? []))
  server.admitValid(admission)
  strategy.canonicalize?.(next)
  rr.warnings.push(...(strategy.warnings?.(next, undefined) ?? []))
  if (!mode.dryRun) checkNoVersion(metadata)
  const existing = server.store.get(type.storage, metadata.namespace ?? '', name)
  if (existing !== undefined) throw taken(rr, existing)
  if (mode.dryRun) return { object: next, created: true }
  return { object: type.fromStorage(server.store.put(type.storage, type.toStorage(next))), created: true }
}

/** Storage refuses the version of another object; a dry run does not come that far. */
function checkNoVersion(metadata: KubeObject['metadata']): void {
  if (/^\d*[1-9]\d*$/u.test(metadata.resourceVersion ?? '')) {
    throw plainError('resourceVersion should not be set on objects to be created')
  }
  delete metadata.resourceVersion
}

function taken({ type }: ResourceRequest, { metadata }: KubeObject): StatusError {
  const error = alreadyExists(groupResource(type), metadata.name ?? '')
  if (metadata.deletionTimestamp === undefined) return error
  const { details = {} } = error
  return new StatusError(409, 'AlreadyExists', `object is being deleted: ${error.message}`, { details })
}

/** A path with an empty place for the namespace makes an object without one, which is told of after its name. */
function withNamespace({ type, target }: ResourceRequest, errors: readonly FieldError[]): readonly FieldError[] {
  if (!type.namespaced || target.namespace !== '') return errors
  if (errors[0]?.detail.startsWith('failed to allocate IP') === true) return errors
  const names = errors.findIndex(({ field }) => field !== 'metadata.name' && field !== 'metadata.generateName')
  const at = names < 0 ? errors.length : names
  return [...errors.slice(0, at), required('metadata.namespace'), ...errors.slice(at)]
}

/** A POST cannot say that an object is being deleted; a PUT or an apply that creates can. */
function wipeSystemFields(metadata: KubeObject['metadata']): void {
  delete metadata.deletionTimestamp
  delete metadata.deletionGracePeriodSeconds
  delete metadata.selfLink
}

/**
 * Replaces a stored object, or creates it where its kind or the caller allows that (apiserver `registry/generic/registry/store.go`).
 * `next` is the caller's own.
 *
 * @throws StatusError
 */
export function replaceObject(
  server: ServerContext,
  rr: ResourceRequest,
  live: KubeObject | undefined,
  next: KubeObject,
  mode: WriteMode,
  mayCreate = false,
): WriteResult {
  const { type, target } = rr
  const { strategy } = type.behaviour
  if (live === undefined) {
    if (rr.request.method === 'PUT' && strategy.allowCreateOnUpdate) checkUid(rr, undefined, next, mode)
    if (!mayCreate && (!strategy.allowCreateOnUpdate || mode.subresource !== ''))
      throw notFound(groupResource(type), target.name)
    readVersion(next)
    if (!mode.dryRun) delete next.metadata.resourceVersion
    return createObject(server, rr, next, mode)
  }
  const context = strategyContext(server, rr.user, mode.dryRun)
  if (rr.request.method === 'PUT') checkUid(rr, live, next, mode)
  const admission = {
    operation: 'update',
    type,
    subresource: mode.subresource,
    namespace: target.namespace,
    name: target.name,
    next,
    live,
    user: rr.user,
    context,
  } as const
  server.admit(admission)
  checkVersion(rr, live, next)
  keepSystemFields(live, next)
  if (type.namespaced) next.metadata.namespace = target.namespace
  refuse(rr, next, prepared(strategy, mode.subresource, next, live, context))
  server.admitValid(admission)
  strategy.canonicalize?.(next)
  if (mode.subresource !== 'status') rr.warnings.push(...(strategy.warnings?.(next, live) ?? []))
  return { object: commit(server, rr, live, next, mode), created: false }
}

/** Prepares the write of an object, or of a part of it; what is wrong with it. */
function prepared(
  strategy: KindStrategy,
  subresource: string,
  next: KubeObject,
  live: KubeObject,
  context: StrategyContext,
): readonly FieldError[] {
  const part = strategy.parts?.[subresource]
  if (part !== undefined) {
    part.prepareForUpdate(next, live, context)
    return part.validateUpdate(next, live, context)
  }
  if (subresource === 'status') {
    strategy.prepareForStatusUpdate?.(next, live, context)
    return strategy.validateStatus?.(next, live, context) ?? []
  }
  strategy.prepareForUpdate?.(next, live, context)
  return strategy.validateUpdate?.(next, live, context) ?? []
}

/** Writes the new state, unless nothing differs; an object whose last finalizer went goes with it. */
function commit(
  server: ServerContext,
  { type }: ResourceRequest,
  live: KubeObject,
  next: KubeObject,
  mode: WriteMode,
): KubeObject {
  const { namespace = '', name = '' } = next.metadata
  if (live.metadata.resourceVersion !== undefined) next.metadata.resourceVersion = live.metadata.resourceVersion
  const finished = deletedByUpdate(live, next)
  const settled = withoutTimeOnlyChange(live, next)
  if (!finished && sameJson(live, settled)) return live
  if (mode.dryRun) return settled
  const stored = type.toStorage(settled)
  if (!finished) return type.fromStorage(server.store.put(type.storage, stored))
  const removed = server.store.remove(type.storage, namespace, name, stored)
  return removed === undefined ? next : type.fromStorage(removed)
}

/** Whether an update ends an object that was only waiting for its finalizers. */
function deletedByUpdate(live: KubeObject, next: KubeObject): boolean {
  if ((next.metadata.finalizers?.length ?? 0) > 0 || live.metadata.deletionTimestamp === undefined) return false
  // A namespace has finalizers of its own.
  const { spec } = next
  if (next.kind === 'Namespace' && isObject(spec) && Array.isArray(spec['finalizers']) && spec['finalizers'].length > 0)
    return false
  return (live.metadata.deletionGracePeriodSeconds ?? 0) === 0
}

/** Where the real server's storage keeps a resource, as far as it is not under its name; errors tell of it. */
const storageFolders: Readonly<Record<string, string>> = {
  '/services': 'services/specs',
  '/endpoints': 'services/endpoints',
  '/nodes': 'minions',
  '/replicationcontrollers': 'controllers',
  'networking.k8s.io/ingresses': 'ingress',
  'apiextensions.k8s.io/customresourcedefinitions': 'apiextensions.k8s.io/customresourcedefinitions',
  'apiregistration.k8s.io/apiservices': 'apiregistration.k8s.io/apiservices',
}

/** @throws StatusError 409 where the uid that is written is not the object's */
export function checkUid(
  { type, target }: ResourceRequest,
  live: KubeObject | undefined,
  next: KubeObject,
  { dryRun }: Pick<WriteMode, 'dryRun'>,
): void {
  const { uid = '' } = next.metadata
  const found = live?.metadata.uid ?? ''
  if (uid === '' || uid === found) return
  const own = `${type.group}/${type.resource}`
  const folder = type.custom ? own : (storageFolders[own] ?? type.resource)
  // A dry run does not come as far as the storage's own prefix.
  const key = `${dryRun ? '' : '/registry'}/${folder}/${[target.namespace, target.name].filter(Boolean).join('/')}`
  throw conflict(
    groupResource(type),
    target.name,
    `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${uid}, UID in object meta: ${found}`,
  )
}

function checkVersion({ type }: ResourceRequest, live: KubeObject, next: KubeObject): void {
  const { name = '' } = next.metadata
  const resourceVersion = readVersion(next)
  if (resourceVersion === live.metadata.resourceVersion) return
  if (resourceVersion === '' || resourceVersion === '0') {
    if (type.behaviour.strategy.allowUnconditionalUpdate) return
    throw invalid(groupResource(type), name, [
      invalidField('metadata.resourceVersion', 0, 'must be specified for an update'),
    ])
  }
  throw conflict(groupResource(type), name, modifiedProblem)
}

/** @throws StatusError 500 for a version that is no number */
function readVersion({ metadata: { resourceVersion = '' } }: KubeObject): string {
  if (/^\d*$/u.test(resourceVersion)) return resourceVersion
  throw plainError(`strconv.ParseUint: parsing ${JSON.stringify(resourceVersion)}: invalid syntax`)
}

/** What no update can change: identity, times, and a deletion that has begun; one that has not is refused later. */
function keepSystemFields({ metadata: live }: KubeObject, { metadata }: KubeObject): void {
  metadata.uid ??= live.uid ?? ''
  if (live.creationTimestamp !== undefined) metadata.creationTimestamp = live.creationTimestamp
  if (live.generation === undefined) delete metadata.generation
  else metadata.generation = live.generation
  if (live.deletionTimestamp !== undefined) metadata.deletionTimestamp = live.deletionTimestamp
  if (live.deletionGracePeriodSeconds !== undefined)
    metadata.deletionGracePeriodSeconds ??= live.deletionGracePeriodSeconds
  delete metadata.selfLink
}

/** @throws StatusError 422 where there are errors. */
export function refuse({ type }: ResourceRequest, object: KubeObject, errors: readonly FieldError[]): void {
  if (errors.length === 0) return
  throw invalid({ group: type.group, name: object.kind }, object.metadata.name ?? '', errors)
}

/** The moment of a write as objects record it. */
export function timeOf(server: ServerContext): string {
  return rfc3339(server.clock.now())
}
