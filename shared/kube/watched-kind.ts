import { abortable } from '../base/abort.ts'
import { idOf } from '../model/kubernetes.ts'
import type { ResourceId } from '../model/kubernetes.ts'
import type { LiveObject } from '../model/live.ts'
import type { Cancellable } from '../model/ports.ts'
import type { LiveChange } from './change-feed.ts'
import { ClusterError } from './cluster-error.ts'
import { Feed } from './feed.ts'
import type { FeedEvent } from './feed.ts'
import { KindStore } from './kind-store.ts'
import type { ObjectChange } from './kind-store.ts'
import type { ListSource } from './list.ts'
import { failureOf, fewNamespaces, problemOf } from './observe-once.ts'
import type { ObserveFailure } from './live-view.ts'
import type { ServedResource } from './resource-path.ts'

/** What may not be read is asked for again after this. */
const forbiddenMs = 30_000
const failedMs = 1000
const mostGone = 1000

export type WatchedKindOptions = Omit<ListSource, 'namespace' | 'metadataOnly'> & {
  readonly onChange: (changes: readonly LiveChange[]) => void
  readonly onStale: () => void
}

type Place = { readonly feed: Feed; listed: boolean; staleSince: number | undefined }
type Failure = { readonly error: ClusterError; readonly at: number }

/** One kind in one version, kept up to date in the namespaces that somebody asked for, or in all. */
export class WatchedKind {
  readonly served: ServedResource
  private readonly store = new KindStore()
  /** By namespace; the empty one is all of them. */
  private readonly places = new Map<string, Place>()
  private readonly failed = new Map<string, Failure>()
  private readonly options: WatchedKindOptions
  /** What we deleted and the watch has not told of yet, by uid. */
  private readonly gone = new Set<string>()

  constructor(options: WatchedKindOptions) {
    this.options = options
    this.served = options.served
  }

  /** Waits until these namespaces are held. @returns what could not be. */
  async cover(namespaces: ReadonlySet<string>, options: Cancellable): Promise<readonly ObserveFailure[]> {
    if (!this.served.namespaced || this.places.get('')?.listed === true) return this.hold([''], options)
    const wanted = new Set([...this.places.keys(), ...namespaces])
    wanted.delete('')
    if (wanted.size <= fewNamespaces) return this.hold([...namespaces], options)
    const problem = await this.problem('', options)
    if (problem === undefined) {
      for (const namespace of this.places.keys()) if (namespace !== '') this.end(namespace)
      return []
    }
    return problem.reason === 'forbidden' ? this.hold([...namespaces], options) : [failureOf(this.served, problem)]
  }

  snapshot(): ReturnType<KindStore['snapshot']> {
    return this.store.snapshot()
  }

  /** The earliest moment since when something may have been missed. */
  get staleSince(): number | undefined {
    let earliest: number | undefined
    for (const { staleSince } of this.places.values()) {
      if (staleSince !== undefined && staleSince < (earliest ?? Number.POSITIVE_INFINITY)) earliest = staleSince
    }
    return earliest
  }

  /** Takes the answer to a write of ours in, so that the next look sees it without waiting for the watch. */
  written(live: LiveObject): void {
    const namespace = live.object.metadata.namespace ?? ''
    const place = this.places.get('') ?? this.places.get(namespace)
    if (place?.listed === true) this.tell(this.takeIn(live))
  }

  /** Takes a delete of ours in. The watch may yet tell of the object's earlier states; those are not news. */
  removed(id: ResourceId, uid: string): void {
    const change = this.store.delete(id.namespace, id.name, uid)
    if (change === undefined) return
    if (this.gone.size >= mostGone) this.gone.clear()
    this.gone.add(uid)
    this.tell([change])
  }

  dispose(): void {
    for (const { feed } of this.places.values()) feed.dispose()
    this.places.clear()
  }

  private async hold(namespaces: readonly string[], options: Cancellable): Promise<readonly ObserveFailure[]> {
    const problems = await Promise.all(namespaces.map((namespace) => this.problem(namespace, options)))
    return problems.flatMap((problem) => (problem === undefined ? [] : [failureOf(this.served, problem)]))
  }

  private async problem(namespace: string, options: Cancellable): Promise<ClusterError | undefined> {
    const failure = this.failed.get(namespace)
    const lastsMs = failure?.error.reason === 'forbidden' ? forbiddenMs : failedMs
    if (failure !== undefined && Date.now() - failure.at < lastsMs) return failure.error
    this.failed.delete(namespace)
    const place = this.places.get(namespace) ?? this.begin(namespace)
    return problemOf(abortable(place.feed.ready, options))
  }

  private begin(namespace: string): Place {
    const feed = new Feed(
      { ...this.options, namespace },
      {
        replace: (objects) => this.replace(place, namespace, objects),
        apply: (events) => this.apply(events),
        stale: (since) => {
          place.staleSince = since
          this.options.onStale()
        },
        lost: (error) => this.lose(namespace, error),
      },
    )
    const place: Place = { feed, listed: false, staleSince: undefined }
    this.places.set(namespace, place)
    feed.ready.catch((error: unknown) => this.lose(namespace, error))
    return place
  }

  private replace(place: Place, namespace: string, objects: readonly LiveObject[]): void {
    const first = !place.listed
    place.listed = true
    const changes = this.store.replace(namespace, objects)
    // Whoever asked for the first list gets it as an answer; it is not news.
    if (!first) this.tell(changes)
  }

  private apply(events: readonly FeedEvent[]): void {
    const changes = events.flatMap(({ kind, object }): readonly ObjectChange[] => {
      if (kind === 'set') return this.gone.has(object.uid) ? [] : this.takeIn(object)
      this.gone.delete(object.uid)
      const { namespace, name } = object.object.metadata
      const change = this.store.delete(namespace ?? '', name, object.uid)
      return change === undefined ? [] : [change]
    })
    this.tell(changes)
  }

  private takeIn(live: LiveObject): readonly ObjectChange[] {
    const { namespace, name } = live.object.metadata
    const held = this.store.get(namespace ?? '', name)
    // The watch may still be telling what was before our own write.
    if (held !== undefined && held.uid === live.uid && isOlder(live.resourceVersion, held.resourceVersion)) return []
    const change = this.store.set(live)
    return change === undefined ? [] : [change]
  }

  private lose(namespace: string, error: unknown): void {
    const place = this.places.get(namespace)
    if (place === undefined) return
    this.end(namespace)
    if (ClusterError.is(error)) this.failed.set(namespace, { error, at: Date.now() })
    // What is not served any more is not there; what may not be read any more is not known.
    if (place.listed) this.tell(this.store.replace(namespace, []))
    this.options.onStale()
  }

  private end(namespace: string): void {
    this.places.get(namespace)?.feed.dispose()
    this.places.delete(namespace)
  }

  private tell(changes: readonly ObjectChange[]): void {
    const { group, version, kind } = this.served
    const told = changes.flatMap((change): readonly LiveChange[] => {
      const object = (change.after ?? change.before)?.object
      return object === undefined ? [] : [{ ...change, gvk: { group, version, kind }, id: idOf(object) }]
    })
    if (told.length > 0) this.options.onChange(told)
  }
}

/** Resource versions compare as integers (KEP-5504); others are left to the order in which they come. */
function isOlder(version: string, than: string): boolean {
  if (!/^\d+$/.test(version) || !/^\d+$/.test(than)) return false
  return version.length === than.length ? version < than : version.length < than.length
}
