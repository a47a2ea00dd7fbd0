import { builtInCatalogue } from '../../kubernetes/built-in.ts'
import { deducedSchema } from '../../fields/schema.ts'
import type { Schema } from '../../fields/schema.ts'
import { applyConfiguration } from '../apply/apply-configuration.ts'
import { managedFieldsFromScale, scaleManagedFields } from '../apply/scale.ts'
import type { ReplicasPaths } from '../apply/scale.ts'
import { trackUpdate } from '../apply/track-update.ts'
import { StatusError, badRequest, invalid, notFound, plainError } from '../errors.ts'
import { decodeObject } from '../kinds/codec.ts'
import { invalid as invalidField } from '../kinds/field-error.ts'
import { privateCopy, sameJson, textAt, valueAt } from '../object.ts'
import type { KubeObject } from '../object.ts'
import type { ApiResponse } from './api-types.ts'
import { decodeBody } from './body.ts'
import { checkName } from './create.ts'
import { writeOptions } from './options.ts'
import type { WriteOptions } from './options.ts'
import { applyBody, patchKind, patchedObject, reportDuplicates } from './patch.ts'
import { apiVersionOf, groupResource } from './resource-type.ts'
import type { DocumentType } from './resource-type.ts'
import { objectResponse } from './respond.ts'
import { builtInScalePaths, scaleOf } from './scale-paths.ts'
import type { ScalePaths } from './scale-paths.ts'
import { setValueAt } from './set-value.ts'
import type { ResourceRequest, ServerContext } from './server-context.ts'
import { checkUid, replaceObject, timeOf } from './write.ts'

const apiVersion = 'autoscaling/v1'

interface ScaleWrite {
  readonly server: ServerContext
  readonly rr: ResourceRequest
  readonly live: KubeObject
  readonly paths: ScalePaths
  readonly replicas: ReplicasPaths
  /** The Scale as it stands, with the owners of the replicas. */
  readonly scale: KubeObject
}

/** GET, PUT and PATCH of `/scale`: an `autoscaling/v1` Scale in front of the object. */
export function scale(server: ServerContext, rr: ResourceRequest): ApiResponse {
  const { type, target, request } = rr
  const stored = server.store.get(type.storage, target.namespace, target.name)
  const live = stored === undefined ? undefined : type.fromStorage(stored)
  const paths = type.scale ?? builtInScalePaths
  // Options are looked at before the object.
  if (request.method === 'PATCH') writeOptions(rr, 'PatchOptions', patchKind(rr) === 'apply')
  if (live === undefined) {
    if (request.method === 'PUT') checkName(rr, readScale(rr, writeOptions(rr, 'UpdateOptions')))
    throw notFound(groupResource(type), target.name)
  }
  if (request.method === 'GET') return objectResponse(server, rr, scaleOf(live, paths))
  const replicas = replicasPaths(server, rr)
  const shown = scaleOf(live, paths)
  const owners = scaleManagedFields(live.metadata.managedFields ?? [], replicas)
  if (owners.length > 0) shown.metadata.managedFields = owners
  const write = { server, rr, live, paths, replicas, scale: shown }
  const result = request.method === 'PUT' ? putScale(write) : patchScale(write)
  return objectResponse(server, rr, scaleOf(result, paths))
}

/** Where every served version of the kind keeps its replicas. */
function replicasPaths({ registry }: ServerContext, { type }: ResourceRequest): ReplicasPaths {
  const paths: Record<string, readonly string[]> = {}
  for (const other of registry.all()) {
    if (other.group !== type.group || other.resource !== type.resource) continue
    paths[apiVersionOf(other)] = (other.scale ?? builtInScalePaths).specReplicas
  }
  return paths
}

let schema: Schema | undefined

/** What the server says of an apply to the scale of a custom resource, unless it changes nothing. */
const noConversion = 'request to convert CR to an invalid group/version: autoscaling/v1'

function scaleDocument(): DocumentType {
  const behaviour = { decode: decodeObject, schema: scaleSchema(), strategy: {} }
  return { group: 'autoscaling', version: 'v1', kind: 'Scale', custom: false, behaviour }
}

function scaleSchema(): Schema {
  return (schema ??= builtInCatalogue().schemaFor('autoscaling', 'v1', 'Scale') ?? deducedSchema)
}

function putScale(write: ScaleWrite): KubeObject {
  const { rr, live } = write
  const options = writeOptions(rr, 'UpdateOptions')
  const wanted = readScale(rr, options)
  // The oldest of the kinds with a scale does not ask whose it is.
  if (rr.type.resource !== 'replicationcontrollers') checkUid(rr, live, wanted, options)
  return update(write, wanted, options)
}

function patchScale(write: ScaleWrite): KubeObject {
  const { rr, scale: live } = write
  const kind = patchKind(rr)
  const options = writeOptions(rr, 'PatchOptions', kind === 'apply')
  if (kind === 'apply') return apply(write, options)
  return update(write, patchedObject(rr, scaleDocument(), kind, live, options), options)
}

function update(write: ScaleWrite, wanted: KubeObject, options: WriteOptions): KubeObject {
  const { server, rr, scale: live } = write
  checkName(rr, wanted)
  const next = trackUpdate({
    live,
    next: wanted,
    schema: scaleSchema(),
    manager: options.manager,
    apiVersion,
    subresource: 'scale',
    now: timeOf(server),
  })
  return store(write, next, options)
}

function apply(write: ScaleWrite, options: WriteOptions): KubeObject {
  const { server, rr, scale: live } = write
  const { config, duplicates } = applyBody(rr, 'Scale')
  const { custom } = rr.type
  if (custom && live.metadata.managedFields === undefined) {
    throw plainError(
      `failed to create manager for existing fields: failed to convert live object (/; autoscaling/v1, Kind=Scale) to proper version: ${noConversion}`,
    )
  }
  const next = applyConfiguration({
    live,
    config,
    schema: scaleSchema(),
    manager: options.manager,
    force: options.force,
    apiVersion,
    kind: 'Scale',
    subresource: 'scale',
    now: timeOf(server),
  })
  if (custom && !sameJson(withoutOwners(next), withoutOwners(live))) {
    const named = `${textAt(config, 'metadata', 'namespace')}/${textAt(config, 'metadata', 'name')}`
    throw plainError(
      `failed to convert new object (${named}; autoscaling/v1, Kind=Scale) to proper version: ${noConversion}`,
    )
  }
  reportDuplicates(rr, duplicates, options.fieldValidation)
  checkName(rr, next)
  return store(write, next, options)
}

function withoutOwners({ metadata, ...rest }: KubeObject): object {
  const { managedFields: _owners, ...others } = metadata
  return { ...rest, metadata: others }
}

/** Brings replicas and owners of a Scale back to the object it stands for. */
function store(
  { server, rr, live, paths, replicas: versions }: ScaleWrite,
  next: KubeObject,
  options: WriteOptions,
): KubeObject {
  const { type, target } = rr
  const replicas = Number(valueAt(next, 'spec', 'replicas') ?? 0)
  if (replicas < 0 && !type.custom) {
    throw invalid({ group: 'autoscaling', name: 'Scale' }, target.name, [
      invalidField('spec.replicas', replicas, 'must be greater than or equal to 0'),
    ])
  }
  const changed = privateCopy(live)
  setValueAt(changed, paths.specReplicas, replicas)
  const { resourceVersion, managedFields = [] } = next.metadata
  if (resourceVersion === undefined) delete changed.metadata.resourceVersion
  else changed.metadata.resourceVersion = resourceVersion
  const owners = managedFieldsFromScale(live.metadata.managedFields ?? [], managedFields, apiVersionOf(type), versions)
  if (owners.length === 0) delete changed.metadata.managedFields
  else changed.metadata.managedFields = owners
  // A Scale without resourceVersion means whatever there is, also for kinds that insist on one.
  changed.metadata.resourceVersion ??= live.metadata.resourceVersion ?? ''
  return replaceObject(server, rr, live, changed, { dryRun: options.dryRun, subresource: 'scale' }).object
}

function readScale(rr: ResourceRequest, options: WriteOptions): KubeObject {
  try {
    return decodeBody(rr, scaleDocument(), options)
  } catch (error) {
    // The part that knows custom resources has no name for a Scale.
    if (rr.type.custom && StatusError.is(error) && error.code === 400)
      throw badRequest('no kind is registered for the type v1.Scale in scheme "pkg/runtime/scheme.go:111"')
    throw error
  }
}
