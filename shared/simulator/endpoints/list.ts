import { StatusError, badRequest, expired, notFound, tooLargeResourceVersion } from '../errors.ts'
import type { KubeObject } from '../object.ts'
import type { ApiResponse } from './api-types.ts'
import { makeToken, readToken } from './continue-token.ts'
import type { ContinueToken } from './continue-token.ts'
import type { ObjectMatcher } from './field-selector.ts'
import { readSelection } from './list-options.ts'
import type { Selection } from './list-options.ts'
import { integerOption, resourceVersionOption } from './options.ts'
import { apiVersionOf, groupResource } from './resource-type.ts'
import type { ResourceType } from './resource-type.ts'
import { encoded, objectResponse } from './respond.ts'
import type { ResourceRequest, ServerContext } from './server-context.ts'
import { internalPackage } from './type-names.ts'
import { metadataOnly, tableOf } from './table.ts'

interface ListMeta {
  resourceVersion: string
  continue?: string
  remainingItemCount?: number
}

interface Page {
  readonly objects: readonly KubeObject[]
  readonly metadata: ListMeta
}

/** GET of one object. */
export function getObject(server: ServerContext, rr: ResourceRequest): ApiResponse {
  const { type, target } = rr
  // The cache words this another way than what is behind it.
  awaitResourceVersion(server, resourceVersionOption(rr.query.get('resourceVersion'), isUncached(type)))
  const stored = server.store.get(type.storage, target.namespace, target.name)
  if (stored === undefined) throw notFound(groupResource(type), target.name)
  return objectResponse(server, rr, type.fromStorage(stored))
}

/** Events are read past kube-apiserver's watch cache. */
function isUncached({ resource, custom }: ResourceType): boolean {
  return resource === 'events' && !custom
}

/** GET of a collection. */
export function listObjects(server: ServerContext, rr: ResourceRequest): ApiResponse {
  const { objects, metadata } = readPage(server, rr)
  const { type, wanted } = rr
  const shown = objects.map((object) => type.fromStorage(object))
  switch (wanted.as?.kind) {
    case 'Table':
      return encoded(rr, 200, tableOf(server, rr, shown, metadata))
    case 'PartialObjectMetadata':
      throw new StatusError(
        406,
        'NotAcceptable',
        `you requested PartialObjectMetadata, but the requested object is a list (${goListType(type)})`,
      )
    case 'PartialObjectMetadataList':
      return encoded(rr, 200, {
        kind: 'PartialObjectMetadataList',
        apiVersion: 'meta.k8s.io/v1',
        metadata,
        // An empty list of this kind is null on the wire.
        items: shown.length === 0 ? null : shown.map((object) => metadataOnly(object)),
      })
    default:
      return encoded(rr, 200, listOf(rr, shown, metadata))
  }
}

/** The Go type of a list, which the server names to clients that ask for one object's metadata. */
function goListType({ custom, group, listKind }: ResourceType): string {
  if (custom) return '*unstructured.UnstructuredList'
  return `*${internalPackage(group)}.${listKind}`
}

/** The list object of a kind. Items of built-in kinds do not repeat kind and version. */
export function listOf({ type }: ResourceRequest, objects: readonly KubeObject[], metadata: ListMeta): object {
  const items = type.custom ? objects : objects.map(withoutKind)
  const meta = type.custom ? { continue: '', ...metadata } : metadata
  return { kind: type.listKind, apiVersion: apiVersionOf(type), metadata: meta, items }
}

function withoutKind(object: KubeObject): object {
  const { kind: _kind, apiVersion: _apiVersion, ...rest } = object
  return rest
}

function readPage(server: ServerContext, rr: ResourceRequest): Page {
  const { store } = server
  const { query, target, type } = rr
  const selection = readSelection(rr)
  const { matches } = selection
  const version = query.get('resourceVersion') ?? ''
  // What is served from the cache comes whole.
  const cached = version === '0' && query.get('resourceVersionMatch') !== 'Exact' && !isUncached(type)
  const limit = cached ? 0 : (integerOption(query, 'limit') ?? 0)
  const namespace = target.namespace === '' ? undefined : target.namespace
  const token = query.get('continue') ?? ''
  if (token !== '' && version !== '' && version !== '0') {
    throw badRequest('specifying resource version is not allowed when using continue')
  }
  const start = token === '' ? undefined : readToken(token)
  const asked = start?.resourceVersion ?? exactVersion(server, query)
  const at = asked === undefined || asked < 0 ? store.resourceVersion : asked
  const all = candidates(server, rr, selection, namespace, asked === undefined || asked < 0 ? undefined : asked)
  if (all === undefined) throw forgotten(store.resourceVersion, start)
  const from = start === undefined ? 0 : firstIndexAfter(all, start.startKey)
  const objects: KubeObject[] = []
  let i = from
  const enough = limit <= 0 ? Number.POSITIVE_INFINITY : limit
  for (; i < all.length && objects.length < enough; i++) {
    const object = all[i]
    if (object !== undefined && (matches?.(type.fromStorage(object)) ?? true)) objects.push(object)
  }
  const metadata: ListMeta = { resourceVersion: String(at) }
  if (
    limit > 0 &&
    objects.length === limit &&
    anyLeft(all, i, (object) => matches?.(type.fromStorage(object)) ?? true)
  ) {
    metadata.continue = makeToken(at, `${keyOf(objects.at(-1))}\u0000`)
    if (matches === undefined) metadata.remainingItemCount = all.length - i
  }
  return { objects, metadata }
}

function anyLeft(all: readonly KubeObject[], from: number, matches: ObjectMatcher): boolean {
  for (let i = from; i < all.length; i++) {
    const object = all[i]
    if (object !== undefined && matches(object)) return true
  }
  return false
}

function candidates(
  { store }: ServerContext,
  { type }: ResourceRequest,
  { name }: Selection,
  namespace: string | undefined,
  at: number | undefined,
): readonly KubeObject[] | undefined {
  if (at !== undefined && at !== store.resourceVersion) return store.listAt(type.storage, namespace, at)
  if (name === undefined || (type.namespaced && namespace === undefined)) return store.list(type.storage, namespace)
  const only = store.get(type.storage, namespace ?? '', name)
  return only === undefined ? [] : [only]
}

/** The version a list must be of exactly; undefined where any not older will do. */
function exactVersion(server: ServerContext, query: URLSearchParams): number | undefined {
  const asked = resourceVersionOption(query.get('resourceVersion'), true)
  awaitResourceVersion(server, asked)
  return query.get('resourceVersionMatch') === 'Exact' ? asked : undefined
}

/** @throws StatusError 504 where the client knows a version that has not been written yet. */
export function awaitResourceVersion(server: ServerContext, asked: number | undefined): void {
  const current = server.store.resourceVersion
  if (asked !== undefined && asked > current) throw tooLargeResourceVersion(asked, current)
}

function forgotten(current: number, start: ContinueToken | undefined): StatusError {
  if (start === undefined) return expired('The resourceVersion for the provided list is too old.')
  const inconsistent = makeToken(-1, start.startKey)
  return expired(
    `The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.`,
    { continue: inconsistent, resourceVersion: String(current) },
  )
}

function keyOf(object: KubeObject | undefined): string {
  const { namespace = '', name = '' } = object?.metadata ?? {}
  return namespace === '' ? name : `${namespace}/${name}`
}

function firstIndexAfter(objects: readonly KubeObject[], startKey: string): number {
  const index = objects.findIndex((object) => keyOf(object) >= startKey)
  return index < 0 ? objects.length : index
}
