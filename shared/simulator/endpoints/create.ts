import { badRequest } from '../errors.ts'
import type { KubeObject } from '../object.ts'
import type { ApiResponse } from './api-types.ts'
import { decodeBody } from './body.ts'
import { tracked } from './managed.ts'
import { writeOptions } from './options.ts'
import { objectResponse } from './respond.ts'
import type { ResourceRequest, ServerContext } from './server-context.ts'
import { createObject, replaceObject } from './write.ts'

/** POST to a collection. */
export function create(server: ServerContext, rr: ResourceRequest): ApiResponse {
  const options = writeOptions(rr, 'CreateOptions')
  const object = decodeBody(rr, rr.type, options)
  checkNamespace(rr, object)
  // Nobody owns what no create can set.
  delete object.metadata.deletionTimestamp
  delete object.metadata.deletionGracePeriodSeconds
  const next = tracked(server, rr.type, null, object, options.manager, '')
  const { object: stored } = createObject(server, rr, next, { dryRun: options.dryRun, subresource: '' })
  return objectResponse(server, rr, stored, 201)
}

/** PUT of an object, or of its status. */
export function update(server: ServerContext, rr: ResourceRequest): ApiResponse {
  const options = writeOptions(rr, 'UpdateOptions')
  const { type, target } = rr
  const object = decodeBody(rr, type, options)
  checkName(rr, object)
  const stored = server.store.get(type.storage, target.namespace, target.name)
  const live = stored === undefined ? undefined : type.fromStorage(stored)
  if (type.namespaced) object.metadata.namespace = target.namespace
  const next = tracked(server, type, live ?? null, object, options.manager, target.subresource)
  const result = replaceObject(server, rr, live, next, { dryRun: options.dryRun, subresource: target.subresource })
  return objectResponse(server, rr, result.object, result.created ? 201 : 200)
}

/** @throws StatusError 400 where the body names another namespace than the path. */
export function checkNamespace({ type, target }: ResourceRequest, object: KubeObject): void {
  const { namespace = '' } = object.metadata
  if (namespace === '' || namespace === target.namespace) return
  if (type.namespaced) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
  }
  // Cluster-scoped kinds refuse a namespace in their validation.
}

/** @throws StatusError 400 where the body is another object than the path names. */
export function checkName({ type, target }: ResourceRequest, object: KubeObject): void {
  const { name = '', namespace = '' } = object.metadata
  if (name === '') {
    throw badRequest(`the name of the object (${target.name} based on URL) was undeterminable: name must be provided`)
  }
  if (name !== target.name) {
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${target.name})`)
  }
  if (type.namespaced && namespace !== '' && namespace !== target.namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
  }
}
