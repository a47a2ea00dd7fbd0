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
  const next = tracked(server, type, live ?? null, object, options.manager, target.subresource)
  const result = replaceObject(server, rr, live, next, { dryRun: options.dryRun, subresource: target.subresource })
  return objectResponse(server, rr, result.object, result.created ? 201 : 200)
}

/**
 * Puts the object into the namespace of the path, or into none.
 *
 * @throws StatusError 400 where the body names another
 */
export function checkNamespace({ type, target }: ResourceRequest, { metadata }: KubeObject): void {
  const expected = type.namespaced ? target.namespace : ''
  const { namespace = '' } = metadata
  if (namespace !== '' && expected !== '' && namespace !== expected) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
  }
  if (expected === '') delete metadata.namespace
  else metadata.namespace = expected
}

/** @throws StatusError 400 where the body is another object than the path names. */
export function checkName(rr: ResourceRequest, object: KubeObject): void {
  const { target } = rr
  checkNamespace(rr, object)
  const { name = '' } = object.metadata
  if (name === '') {
    throw badRequest(`the name of the object (${target.name} based on URL) was undeterminable: name must be provided`)
  }
  if (name !== target.name) {
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${target.name})`)
  }
}
