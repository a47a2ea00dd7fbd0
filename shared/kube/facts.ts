import { isObject, parseJson } from '../model/json.ts'
import type { Cancellable, ClusterFacts } from '../model/ports.ts'
import { ClusterError } from './cluster-error.ts'
import type { Catalogue, Discovery } from './discovery.ts'
import { collectionState, epochOf, servedEpochKinds } from './epoch.ts'
import type { LiveDecoder } from './live-object.ts'
import type { OpenApiIndexSource } from './openapi-index.ts'
import type { Transport } from './transport.ts'

export type FactsServer = {
  readonly transport: Transport
  readonly decoder: LiveDecoder
  readonly discovery: Discovery
  readonly index: OpenApiIndexSource
}

/** `gitVersion` of `/version`. @throws ClusterError */
export async function serverVersion(transport: Transport, options: Cancellable): Promise<string> {
  const answer = await transport.send(
    { method: 'GET', path: '/version', target: { verb: 'get /version' }, repeatable: true },
    options,
  )
  try {
    const document = parseJson(answer.text)
    const version = isObject(document) ? document['gitVersion'] : undefined
    if (typeof version === 'string') return version
  } catch {
    // Said below, with what it means.
  }
  throw new ClusterError('bad-answer', 'the answer to /version is not that of a Kubernetes API server')
}

/** Every served `group/version` and `group/version/Kind`, sorted, as helm's Capabilities have them. */
export function apiVersionsOf(catalogue: Catalogue): readonly string[] {
  const names = new Set<string>()
  for (const { group, version, resources } of catalogue.versions) {
    const apiVersion = group === '' ? version : `${group}/${version}`
    names.add(apiVersion)
    for (const { kind } of resources) names.add(`${apiVersion}/${kind}`)
  }
  return [...names].sort()
}

/** Asks for everything that the epoch is made of, at once. @throws ClusterError */
export async function askFacts(server: FactsServer, options: Cancellable): Promise<ClusterFacts> {
  const [version, index, catalogue, collections] = await Promise.all([
    serverVersion(server.transport, options),
    server.index.get(0, options),
    server.discovery.all(options),
    askCollections(server, options),
  ])
  return { version, apiVersions: apiVersionsOf(catalogue), epoch: epochOf(version, index, collections) }
}

async function askCollections(
  server: FactsServer,
  options: Cancellable,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const kinds = await servedEpochKinds(server.discovery, options)
  const states = await Promise.all(kinds.map((served) => collectionState({ ...server, served }, options)))
  return new Map(kinds.map((served, index) => [served.kind, states[index] ?? []]))
}
