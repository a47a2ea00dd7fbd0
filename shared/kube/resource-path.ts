import type { ResourceId } from '../model/kubernetes.ts'
import { ClusterError } from './cluster-error.ts'
import type { RequestTarget } from './cluster-error.ts'

/** One served resource. */
export type ServedResource = {
  readonly group: string
  readonly version: string
  readonly kind: string
  /** Plural, as in URLs. */
  readonly resource: string
  readonly namespaced: boolean
  readonly verbs: readonly string[]
}

/** `/api/v1` or `/apis/GROUP/VERSION`. */
export function groupVersionPath(group: string, version: string): string {
  return group === ''
    ? `/api/${encodeURIComponent(version)}`
    : `/apis/${encodeURIComponent(group)}/${encodeURIComponent(version)}`
}

/** Path of a collection; an empty namespace is all of them. */
export function collectionPath(served: ServedResource, namespace: string): string {
  const root = groupVersionPath(served.group, served.version)
  const place = served.namespaced && namespace !== '' ? `/namespaces/${encodeURIComponent(namespace)}` : ''
  return `${root}${place}/${encodeURIComponent(served.resource)}`
}

/** @throws ClusterError `bad-request` where a namespaced object names no namespace */
export function objectPath(served: ServedResource, id: ResourceId): string {
  if (served.namespaced && id.namespace === '') {
    const message = `${id.kind} "${id.name}" needs a namespace`
    throw new ClusterError('bad-request', message, { target: targetOf('find', served, id) })
  }
  return `${collectionPath(served, id.namespace)}/${encodeURIComponent(id.name)}`
}

export function targetOf(
  verb: string,
  served: ServedResource,
  id?: { namespace: string; name?: string },
): RequestTarget {
  const namespace = served.namespaced ? (id?.namespace ?? '') : ''
  const name = id?.name === undefined ? {} : { name: id.name }
  return { verb, group: served.group, resource: served.resource, namespace, ...name }
}
