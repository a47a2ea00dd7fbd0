import type { ApiServer } from './api-server.ts'
import type { UserInfo } from './endpoints/api-types.ts'
import { apiVersionOf } from './endpoints/resource-type.ts'
import { StatusError } from './errors.ts'
import { isObject, textAt } from './object.ts'
import type { JsonObject } from './object.ts'

/** Kinds that others need first. */
const early = [
  'Namespace',
  'CustomResourceDefinition',
  'PriorityClass',
  'StorageClass',
  'IngressClass',
  'ServiceAccount',
]

/**
 * Applies objects (lists are unrolled) to the server, those that others need first. Namespaced ones without a
 * namespace go to `default`.
 *
 * @throws StatusError of the first one that is refused, with its name in front.
 */
export function loadManifests(apiServer: ApiServer, manifests: readonly JsonObject[], user: UserInfo): void {
  const objects = manifests.flatMap(unrolled)
  for (const object of objects.sort((a, b) => rank(a) - rank(b))) applyOne(apiServer, object, user)
}

function rank({ kind }: JsonObject): number {
  const index = typeof kind === 'string' ? early.indexOf(kind) : -1
  return index < 0 ? early.length : index
}

function unrolled(object: JsonObject): JsonObject[] {
  const { items, kind } = object
  return typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items) ? items.filter(isObject) : [object]
}

function applyOne(apiServer: ApiServer, object: JsonObject, user: UserInfo): void {
  const { apiVersion, kind } = object
  const name = textAt(object, 'metadata', 'name')
  const label = `${String(kind)} ${name}`
  const type = apiServer.registry.byKind(String(apiVersion), String(kind))
  if (type === undefined) {
    throw new StatusError(404, 'NotFound', `${label}: no kind ${String(kind)} in ${String(apiVersion)}`)
  }
  const root = type.group === '' ? '/api' : '/apis'
  const namespace = type.namespaced ? `/namespaces/${textAt(object, 'metadata', 'namespace') || 'default'}` : ''
  const path = `${root}/${apiVersionOf(type)}${namespace}/${type.resource}/${encodeURIComponent(name)}`
  const answer = apiServer.handle({
    method: 'PATCH',
    path: `${path}?fieldManager=plumbline-load&force=true`,
    headers: { 'content-type': 'application/apply-patch+yaml' },
    body: withoutOwners(object),
    user,
  })
  if (answer.kind !== 'json' || answer.status >= 300) {
    const message = answer.kind === 'json' ? String((answer.body as { message?: unknown }).message) : 'refused'
    throw new StatusError(answer.status, 'Invalid', `${label}: ${message}`)
  }
}

/** Exports carry what only a server may write. */
function withoutOwners(object: JsonObject): JsonObject {
  if (!isObject(object['metadata'])) return object
  const { managedFields: _managed, resourceVersion: _version, uid: _uid, ...metadata } = object['metadata']
  return { ...object, metadata }
}
