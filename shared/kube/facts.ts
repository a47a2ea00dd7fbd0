import { abortable } from '../base/abort.ts'
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

/** A command that looks at many applications asks once for all of them. */
const recentMs = 3000

/** The facts of a server that is not watched: asked for anew once they are a few seconds old. */
export class RecentFacts {
  private readonly server: FactsServer
  private current: { readonly facts: Promise<ClusterFacts>; readonly at: number } | undefined

  constructor(server: FactsServer) {
    this.server = server
  }

  /** @throws ClusterError */
  async describe({ signal }: Cancellable): Promise<ClusterFacts> {
    if (this.current === undefined || Date.now() - this.current.at > recentMs) {
      const asking = { facts: askFacts(this.server, {}), at: Date.now() }
      this.current = asking
      asking.facts.catch(() => {
        if (this.current === asking) this.current = undefined
      })
    }
    return abortable(this.current.facts, { signal })
  }

  invalidate(): void {
    this.current = undefined
  }

  dispose(): void {
    this.current = undefined
  }
}

/** Asks for everything that the epoch is made of, at once. @throws ClusterError */
async function askFacts(server: FactsServer, options: Cancellable): Promise<ClusterFacts> {
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
