import { isArray, isObject, parseJson } from '../model/json.ts'
import type { Json } from '../model/json.ts'
import { apiVersionOf } from '../model/kubernetes.ts'
import type { LiveObject } from '../model/live.ts'
import type { Cancellable } from '../model/ports.ts'
import { ClusterError } from './cluster-error.ts'
import type { LiveDecoder } from './live-object.ts'
import { collectionPath, targetOf } from './resource-path.ts'
import type { ServedResource } from './resource-path.ts'
import type { Transport } from './transport.ts'

const pageSize = 500
/** Asks for names, labels and versions only. */
const metadataListAccept = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io'

export type Listed = {
  readonly objects: readonly LiveObject[]
  /** Where a watch goes on from. */
  readonly resourceVersion: string
}

export type ListSource = {
  readonly transport: Transport
  readonly decoder: LiveDecoder
  readonly served: ServedResource
  /** Empty: all of them. */
  readonly namespace: string
  readonly metadataOnly?: boolean
}

/** Lists a collection as it is now, page by page. @throws ClusterError */
export async function listAll(source: ListSource, options: Cancellable): Promise<Listed> {
  try {
    return await listPages(source, pageSize, options)
  } catch (error) {
    // The pages' snapshot was compacted away under us; without pages there is nothing to expire.
    if (!ClusterError.is(error, 'gone')) throw error
    return listPages(source, undefined, options)
  }
}

async function listPages(source: ListSource, limit: number | undefined, options: Cancellable): Promise<Listed> {
  const objects: LiveObject[] = []
  let next = ''
  for (;;) {
    const query = new URLSearchParams()
    if (limit !== undefined) query.set('limit', String(limit))
    if (next !== '') query.set('continue', next)
    const page = await listPage(source, query.toString(), options)
    for (const object of page.objects) objects.push(object)
    if (page.next === '') return { objects, resourceVersion: page.resourceVersion }
    next = page.next
  }
}

async function listPage(
  source: ListSource,
  query: string,
  { signal }: Cancellable,
): Promise<Listed & { readonly next: string }> {
  const { transport, served, namespace, decoder } = source
  const path = `${collectionPath(served, namespace)}${query === '' ? '' : `?${query}`}`
  const target = targetOf('list', served, { namespace })
  const accept = source.metadataOnly === true ? `${metadataListAccept},application/json` : 'application/json'
  const answer = await transport.send(
    { method: 'GET', path, target, accept, repeatable: true },
    signal === undefined ? {} : { signal },
  )
  const list = parsed(answer.text, path)
  const items = isObject(list) ? list['items'] : undefined
  if (!isObject(list) || !(isArray(items) || items === null || items === undefined)) {
    throw new ClusterError('bad-answer', `the server's answer to ${path} is not a list`, { target })
  }
  const metadata = isObject(list['metadata']) ? list['metadata'] : {}
  const apiVersion = apiVersionOf(served)
  return {
    objects: (items ?? []).filter(isObject).map((item) => decoder.decode(item, apiVersion, served.kind)),
    resourceVersion: text(metadata['resourceVersion']),
    next: text(metadata['continue']),
  }
}

function parsed(body: string, path: string): Json {
  try {
    return parseJson(body)
  } catch (error) {
    throw new ClusterError('bad-answer', `the server's answer to ${path} is not JSON`, { cause: error })
  }
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}
