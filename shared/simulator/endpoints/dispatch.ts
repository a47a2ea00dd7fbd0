import { StatusError, badRequest, generic, notFound } from '../errors.ts'
import { goQuote } from '../kinds/field-error.ts'
import { pathSegmentName } from '../kinds/names.ts'
import type { ApiResponse } from './api-types.ts'
import { textResponse } from './api-types.ts'
import { create, update } from './create.ts'
import { deleteCollection, deleteOne } from './delete.ts'
import { getObject, listObjects } from './list.ts'
import { booleanOption } from './options.ts'
import { patch, patchKind } from './patch.ts'
import { isReview, review } from './review.ts'
import type { TokenLookup } from './review.ts'
import { groupResource } from './resource-type.ts'
import { scale } from './scale.ts'
import type { ResourceRequest, ServerContext } from './server-context.ts'
import { specialSubresource } from './subresources.ts'
import { watchObjects } from './watch.ts'

/** The verb of a request as authorization and admission name it. */
export function verbOf(
  method: string,
  { name, watchPrefix }: { readonly name: string; readonly watchPrefix: boolean },
  query: URLSearchParams,
): string {
  switch (method) {
    case 'GET':
    case 'HEAD':
      if (watchPrefix || booleanOption(query, 'watch')) return 'watch'
      return name === '' ? 'list' : 'get'
    case 'POST':
      return 'create'
    case 'PUT':
      return 'update'
    case 'PATCH':
      return 'patch'
    case 'DELETE':
      return name === '' ? 'deletecollection' : 'delete'
    default:
      return ''
  }
}

export function notFoundPath(): Error {
  return generic(404, 'NotFound', 'the server could not find the requested resource')
}

export function methodNotAllowed(): Error {
  return generic(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource')
}

/** Answers a request for a served resource. */
export function dispatch(server: ServerContext, rr: ResourceRequest, verb: string, lookup: TokenLookup): ApiResponse {
  const { type, target } = rr
  if (target.subresource !== '') return dispatchSubresource(server, rr, verb)
  if (!hasRoute(rr)) throw unknownMethod(rr)
  if (target.namespaceMissing && type.namespaced && verb !== 'list' && verb !== 'watch') {
    if (type.custom) return textResponse(404, '404 page not found\n')
    if (verb !== 'create' && (target.name !== '' || verb === 'deletecollection'))
      throw badRequest('Namespace parameter required.')
  }
  if (type.custom) checkCustomPath(rr, verb)
  else if (!allowedOnPath(rr, verb)) throw methodNotAllowed()
  // A route takes certain bodies alone: what it does not take is refused before it begins.
  if (verb === 'patch') patchKind(rr)
  checkPathName(target.name)
  if (!type.custom && type.deprecation !== undefined) rr.warnings.push(type.deprecation)
  switch (verb) {
    case 'get':
      return getObject(server, rr)
    case 'list':
      return listObjects(server, rr)
    case 'watch':
      return watchObjects(server, rr)
    case 'create':
      return isReview(rr) ? review(server, rr, lookup) : create(server, rr)
    case 'update':
      return update(server, rr)
    case 'patch':
      return patch(server, rr)
    case 'delete':
      return deleteOne(server, rr)
    case 'deletecollection':
      return deleteCollection(server, rr)
    default:
      throw generic(
        405,
        'MethodNotAllowed',
        `the server does not allow this method on the requested resource: ${type.resource}`,
      )
  }
}

/** Routes are there for these alone: HEAD is none of them, but a GET to custom resources, which have no routes. */
const knownMethods: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])

function hasRoute({ request: { method }, type }: ResourceRequest): boolean {
  return knownMethods.has(method) || (method === 'HEAD' && type.custom)
}

function unknownMethod(rr: ResourceRequest): Error {
  return rr.type.custom ? notSupported(rr, '') : methodNotAllowed()
}

function notSupported({ type }: ResourceRequest, verb: string): Error {
  const { group, name } = groupResource(type)
  const problem = `${verb} is not supported on resources of kind "${name}.${group}"`
  return new StatusError(405, 'MethodNotAllowed', problem, { details: { group, kind: name } })
}

/** Custom resources are routed by their verb alone: a name too many is ignored, one too few is told of. */
function checkCustomPath(rr: ResourceRequest, verb: string): void {
  const { target, type } = rr
  const homeless = type.namespaced && target.namespace === ''
  if (!type.verbs.includes(verb) || (homeless && verb !== 'list' && verb !== 'watch')) throw methodNotAllowed()
  if (verb === 'patch') patchKind(rr)
  if (target.name === '' && (verb === 'update' || verb === 'patch')) throw badRequest('name must be provided')
}

/** Names that no path could lead to (apimachinery `pkg/api/validation/path`). */
function checkPathName(name: string): void {
  const [problem] = pathSegmentName(name, false)
  if (name !== '' && problem !== undefined) throw badRequest(`Name parameter invalid: ${goQuote(name)}: ${problem}`)
}

/** Whether the resource has the verb, and the path is one where it can be used. */
function allowedOnPath({ type, target }: ResourceRequest, verb: string): boolean {
  if (!type.verbs.includes(verb)) return false
  const onCollection = target.name === ''
  // Namespaced objects are made in a namespace; lists may span them all.
  if (verb === 'create') return onCollection && (!type.namespaced || target.namespace !== '' || target.namespaceMissing)
  if (verb === 'deletecollection') return !type.namespaced || target.namespace !== ''
  if (verb === 'list') return onCollection
  if (verb === 'watch') return true
  return !onCollection
}

function dispatchSubresource(server: ServerContext, rr: ResourceRequest, verb: string): ApiResponse {
  const { type, target } = rr
  const sub = type.subresources.get(target.subresource)
  if (target.rest !== '' && target.subresource !== 'proxy' && !type.custom) throw notFoundPath()
  if (sub !== undefined && !hasRoute(rr)) throw unknownMethod(rr)
  if (sub === undefined) {
    if (!type.custom) throw notFoundPath()
    throw notFound(groupResource(type), target.name)
  }
  if (!sub.verbs.includes(verb)) throw type.custom ? notSupported(rr, verb) : methodNotAllowed()
  if (target.subresource === 'scale') return scale(server, rr)
  const special = specialSubresource(server, rr)
  if (special !== undefined) return special
  switch (verb) {
    case 'get':
      return getObject(server, rr)
    case 'update':
      return update(server, rr)
    case 'patch':
      return patch(server, rr)
    default:
      throw methodNotAllowed()
  }
}
