import { abortable } from '../base/abort.ts'
import type { Cancellable, ClusterFacts } from '../model/ports.ts'
import type { ClusterChange, Listeners } from './change-feed.ts'
import { ClusterError } from './cluster-error.ts'
import { epochOf, servedEpochKinds } from './epoch.ts'
import { apiVersionsOf, serverVersion } from './facts.ts'
import type { FactsServer } from './facts.ts'
import { Feed } from './feed.ts'
import { problemOf } from './observe-once.ts'
import type { ServedResource } from './resource-path.ts'

/** Nothing tells of a new server version, nor of schemas behind aggregated servers: they are asked for this often. */
const factsAgeMs = 60_000
/** A definition's schema is published a little after the definition itself. */
const settlingMs = 15_000

type Collection = { readonly feed: Feed; readonly states: Map<string, string>; refusal: string | undefined }

/** The facts of a server that is watched: asking again costs no call while nothing has changed. */
export class WatchedFacts {
  private readonly server: FactsServer
  private readonly listeners: Listeners<ClusterChange>
  private readonly collections = new Map<string, Collection>()
  private current: { readonly facts: ClusterFacts; readonly at: number } | undefined
  private definitionsChangedAt = 0
  private disposed = false

  constructor(server: FactsServer, listeners: Listeners<ClusterChange>) {
    this.server = server
    this.listeners = listeners
  }

  /** @throws ClusterError */
  async describe(options: Cancellable): Promise<ClusterFacts> {
    const settling = Date.now() - this.definitionsChangedAt < settlingMs
    const maxAgeMs = settling ? 1000 : factsAgeMs
    if (this.current !== undefined && Date.now() - this.current.at < maxAgeMs) return this.current.facts
    const at = Date.now()
    const [version, index, catalogue] = await Promise.all([
      serverVersion(this.server.transport, options),
      this.server.index.get(maxAgeMs / 2, options),
      this.server.discovery.all(options),
      this.watchAll(options),
    ])
    const states = new Map([...this.collections].map(([name, collection]) => [name, statesOf(collection)]))
    const facts = { version, apiVersions: apiVersionsOf(catalogue), epoch: epochOf(version, index, states) }
    this.current = { facts, at }
    return facts
  }

  /** After a write of ours, which the watch has yet to tell of. */
  invalidate(): void {
    this.current = undefined
  }

  dispose(): void {
    this.disposed = true
    for (const { feed } of this.collections.values()) feed.dispose()
  }

  private async watchAll(options: Cancellable): Promise<void> {
    const kinds = await servedEpochKinds(this.server.discovery, options)
    if (this.disposed) return
    await Promise.all(
      kinds.map(async (served) => {
        const collection = this.collections.get(served.kind) ?? this.begin(served)
        const problem = await problemOf(abortable(collection.feed.ready, options))
        if (problem === undefined || collection.refusal !== undefined) return
        // Not an answer to rely on: it is asked for again with the next look.
        this.collections.delete(served.kind)
        throw problem
      }),
    )
  }

  private begin(served: ServedResource): Collection {
    const states = new Map<string, string>()
    const feed = new Feed(
      { ...this.server, served, namespace: '', metadataOnly: true },
      {
        replace: (objects) => {
          states.clear()
          for (const live of objects) states.set(live.uid, live.resourceVersion)
          this.changed(served)
        },
        apply: (events) => {
          for (const { kind, object } of events) {
            if (kind === 'set') states.set(object.uid, object.resourceVersion)
            else states.delete(object.uid)
          }
          this.changed(served)
        },
        stale: () => undefined,
        lost: (error) => {
          collection.refusal = error.reason
          this.changed(served)
        },
      },
    )
    const collection: Collection = { feed, states, refusal: undefined }
    this.collections.set(served.kind, collection)
    feed.ready.catch((error: unknown) => {
      // Who may not see them learns of their changes by the schema's hashes alone.
      if (ClusterError.is(error, 'forbidden') || ClusterError.is(error, 'not-found')) collection.refusal = error.reason
    })
    return collection
  }

  private changed(served: ServedResource): void {
    if (served.kind === 'CustomResourceDefinition') {
      this.definitionsChangedAt = this.current === undefined ? 0 : Date.now()
      this.server.discovery.invalidate()
      this.server.index.invalidate()
    }
    if (this.current === undefined) return
    this.current = undefined
    this.listeners.emit({ kind: 'epoch' })
  }
}

function statesOf({ refusal, states }: Collection): readonly string[] {
  return refusal === undefined ? [...states].map(([uid, version]) => `${uid}@${version}`) : [refusal]
}
