import { builtInCatalogue } from '../../kubernetes/built-in.ts'
import { deducedSchema } from '../../fields/schema.ts'
import { trackUpdate } from '../apply/track-update.ts'
import { rfc3339 } from '../clock.ts'
import { badRequest, notFound } from '../errors.ts'
import { isObject, privateCopy, textAt, valueAt } from '../object.ts'
import type { KubeObject } from '../object.ts'
import type { ApiResponse } from './api-types.ts'
import { textResponse } from './api-types.ts'
import { decodeBody, parseBody } from './body.ts'
import { deleteOne } from './delete.ts'
import { writeOptions } from './options.ts'
import { groupResource } from './resource-type.ts'
import { encoded, objectResponse } from './respond.ts'
import type { ResourceRequest, ServerContext } from './server-context.ts'
import { timeOf } from './write.ts'

/** Subresources that are neither a status nor a scale; undefined leaves them to the common handlers. */
export function specialSubresource(server: ServerContext, rr: ResourceRequest): ApiResponse | undefined {
  const { type, target } = rr
  switch (`${type.resource}/${target.subresource}`) {
    case 'pods/log':
      return podLog(server, rr)
    case 'pods/eviction':
      return evict(server, rr)
    case 'pods/binding':
      return bind(server, rr)
    case 'namespaces/finalize':
      return finalize(server, rr)
    case 'serviceaccounts/token':
      return requestToken(server, rr)
    case 'pods/exec':
    case 'pods/attach':
    case 'pods/portforward':
    case 'pods/proxy':
    case 'services/proxy':
    case 'nodes/proxy':
      throw badRequest(`${target.subresource} is not possible: the pods of this simulated cluster run no containers`)
    default:
      return undefined
  }
}

function stored(server: ServerContext, { type, target }: ResourceRequest): KubeObject {
  const found = server.store.get(type.storage, target.namespace, target.name)
  if (found === undefined) throw notFound(groupResource(type), target.name)
  return found
}

function podLog(server: ServerContext, rr: ResourceRequest): ApiResponse {
  const pod = stored(server, rr)
  const containers = ['initContainers', 'containers', 'ephemeralContainers'].flatMap((field) => {
    const list = valueAt(pod, 'spec', field)
    return Array.isArray(list) ? list.map((container) => textAt(container, 'name')) : []
  })
  const asked = rr.query.get('container') ?? ''
  const main = valueAt(pod, 'spec', 'containers')
  const { name = '' } = pod.metadata
  if (asked === '' && Array.isArray(main) && main.length > 1) {
    throw badRequest(`a container name must be specified for pod ${name}, choose one of: [${containers.join(' ')}]`)
  }
  const container = asked === '' ? textAt(pod, 'spec', 'containers', 0, 'name') : asked
  if (!containers.includes(container)) throw badRequest(`container ${container} is not valid for pod ${name}`)
  return textResponse(200, server.podLog(pod, container, rr.query), 'text/plain')
}

/** An eviction is a DELETE with the eviction's options. */
function evict(server: ServerContext, rr: ResourceRequest): ApiResponse {
  const body = parseBody(rr, 'Eviction').value
  const options = isObject(body) && isObject(body['deleteOptions']) ? body['deleteOptions'] : {}
  stored(server, rr)
  deleteOne(server, { ...rr, request: { ...rr.request, body: options } })
  return encoded(rr, 201, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 })
}

function bind(server: ServerContext, rr: ResourceRequest): ApiResponse {
  const body = parseBody(rr, 'Binding').value
  const node = valueAt(body, 'target', 'name')
  const live = stored(server, rr)
  const next = privateCopy(live)
  next['spec'] = { ...(isObject(next['spec']) ? next['spec'] : {}), nodeName: node }
  const annotations = valueAt(body, 'metadata', 'annotations')
  if (isObject(annotations)) next.metadata.annotations = { ...next.metadata.annotations, ...annotations } as never
  const condition = { type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime: timeOf(server) }
  const status = isObject(next['status']) ? next['status'] : {}
  const others = Array.isArray(status['conditions']) ? status['conditions'] : []
  next['status'] = {
    ...status,
    conditions: [...others.filter((other) => valueAt(other, 'type') !== 'PodScheduled'), condition],
  }
  server.store.put(rr.type.storage, next)
  return encoded(rr, 201, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 })
}

/** PUT of a namespace's own finalizers; the last one gone ends a terminating namespace. */
function finalize(server: ServerContext, rr: ResourceRequest): ApiResponse {
  const options = writeOptions(rr, 'UpdateOptions')
  const given = decodeBody(rr, rr.type, options)
  const live = stored(server, rr)
  const next = privateCopy(live)
  const finalizers = valueAt(given, 'spec', 'finalizers')
  next['spec'] = {
    ...(isObject(next['spec']) ? next['spec'] : {}),
    finalizers: Array.isArray(finalizers) ? finalizers : [],
  }
  const { target } = rr
  const over =
    live.metadata.deletionTimestamp !== undefined &&
    (next.metadata.finalizers?.length ?? 0) === 0 &&
    (!Array.isArray(finalizers) || finalizers.length === 0)
  if (options.dryRun) return objectResponse(server, rr, next)
  if (over) return objectResponse(server, rr, server.store.remove(rr.type.storage, '', target.name, next) ?? next)
  return objectResponse(server, rr, server.store.put(rr.type.storage, next))
}

/** A bearer token for a service account, good until it expires or the server ends. */
function requestToken(server: ServerContext, rr: ResourceRequest): ApiResponse {
  const { manager } = writeOptions(rr, 'CreateOptions')
  const body = parseBody(rr, 'TokenRequest').value
  const { metadata } = stored(server, rr)
  const given = isObject(body) && isObject(body['spec']) ? body['spec'] : {}
  const seconds = typeof given['expirationSeconds'] === 'number' ? given['expirationSeconds'] : 3_600
  const audiences = Array.isArray(given['audiences']) && given['audiences'].length > 0 ? given['audiences'] : undefined
  const expires = server.clock.now() + seconds * 1_000
  const token = server.issueToken(stored(server, rr), expires)
  const now = timeOf(server)
  const request: KubeObject = {
    kind: 'TokenRequest',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: {
      name: metadata.name ?? '',
      namespace: metadata.namespace ?? '',
      uid: metadata.uid ?? '',
      creationTimestamp: now,
    },
    spec: {
      ...given,
      audiences: audiences ?? ['https://kubernetes.default.svc'],
      expirationSeconds: seconds,
      boundObjectRef: given['boundObjectRef'] ?? null,
    },
    status: { token, expirationTimestamp: rfc3339(expires) },
  }
  const tracked = trackUpdate({
    live: null,
    next: { ...request, spec: { ...given, expirationSeconds: seconds }, status: {} },
    schema: builtInCatalogue().schemaFor('authentication.k8s.io', 'v1', 'TokenRequest') ?? deducedSchema,
    manager,
    apiVersion: request.apiVersion,
    subresource: 'token',
    now,
  })
  const { managedFields } = tracked.metadata
  if (managedFields !== undefined) request.metadata.managedFields = managedFields
  return encoded(rr, 201, request)
}
