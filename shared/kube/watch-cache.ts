import type { GroupVersionKind, ResourceId } from '../model/kubernetes.ts'
import type { LiveObject } from '../model/live.ts'
import type { Cancellable, ObserveScope } from '../model/ports.ts'
import type { ClusterChange, Listeners } from './change-feed.ts'
import type { KindSnapshot } from './kind-store.ts'
import { makeView } from './live-view.ts'
import type { ObservedView, ObserveFailure } from './live-view.ts'
import { distinctKinds, failureOf, namedNamespaces } from './observe-once.ts'
import type { Reader } from './observe-once.ts'
import type { ServedResource } from './resource-path.ts'
import { WatchedKind } from './watched-kind.ts'

/** Every kind that was ever asked for, kept up to date until `dispose`. */
export class WatchCache {
  private readonly reader: Reader
  private readonly listeners: Listeners<ClusterChange>
  private readonly kinds = new Map<string, WatchedKind>()
  /** Views by scope: while nothing has changed, the same question gets the same view. */
  private readonly views = new WeakMap<ObserveScope, ObservedView & { readonly snapshots: readonly KindSnapshot[] }>()
  private staleSince: number | undefined

  constructor(reader: Reader, listeners: Listeners<ClusterChange>) {
    this.reader = reader
    this.listeners = listeners
  }

  async observe(asked: ObserveScope, options: Cancellable): Promise<ObservedView> {
    const scope = namedNamespaces(asked)
    const covered = await Promise.all(
      distinctKinds(scope.kinds).map((gvk) => this.cover(gvk, scope.namespaces, options)),
    )
    const kinds = covered.flatMap(({ kind }) => kind ?? [])
    // All snapshots are taken in one turn, so that the view is of one moment.
    const viewed = kinds.map((kind) => ({
      gvk: kind.served,
      namespaced: kind.served.namespaced,
      snapshot: kind.snapshot(),
    }))
    const failures = covered.flatMap((one) => one.failures)
    const staleSince = earliest(kinds)
    const snapshots = viewed.map((kind) => kind.snapshot)
    const known = this.views.get(scope)
    const same = known !== undefined && known.staleSince === staleSince && sameItems(known.failures, failures)
    if (same && sameItems(known.snapshots, snapshots)) return known
    const view = { ...makeView(viewed, scope.namespaces, failures, staleSince), snapshots }
    this.views.set(scope, view)
    return view
  }

  /** Takes the answer to a write of ours in. */
  written(gvk: GroupVersionKind, live: LiveObject): void {
    this.kinds.get(kindKey(gvk))?.written(live)
  }

  /** Takes a delete of ours in, of an object that is gone with it. */
  removed(gvk: GroupVersionKind, id: ResourceId, uid: string): void {
    this.kinds.get(kindKey(gvk))?.removed(id, uid)
  }

  dispose(): void {
    for (const kind of this.kinds.values()) kind.dispose()
    this.kinds.clear()
  }

  private async cover(
    gvk: GroupVersionKind,
    namespaces: ReadonlySet<string>,
    options: Cancellable,
  ): Promise<{ readonly kind: WatchedKind | undefined; readonly failures: readonly ObserveFailure[] }> {
    const known = this.kinds.get(kindKey(gvk))
    let kind = known
    if (kind === undefined) {
      try {
        kind = this.watched(await this.reader.resolve(gvk, options))
      } catch (error) {
        return { kind: undefined, failures: [failureOf(gvk, error)] }
      }
    }
    return { kind, failures: await kind.cover(namespaces, options) }
  }

  private watched(served: ServedResource): WatchedKind {
    const key = kindKey(served)
    // Another caller may have been first while this one waited for discovery.
    const known = this.kinds.get(key)
    if (known !== undefined) return known
    const kind = new WatchedKind({
      ...this.reader,
      served,
      onChange: (changes) => this.listeners.emit({ kind: 'objects', changes }),
      onStale: () => this.tellConnection(),
    })
    this.kinds.set(key, kind)
    return kind
  }

  private tellConnection(): void {
    const since = earliest([...this.kinds.values()])
    if ((since === undefined) === (this.staleSince === undefined)) return
    this.staleSince = since
    this.listeners.emit({ kind: 'connection', staleSince: since })
  }
}

function sameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index])
}

function earliest(kinds: readonly WatchedKind[]): number | undefined {
  const moments = kinds.flatMap((kind) => kind.staleSince ?? [])
  return moments.length === 0 ? undefined : Math.min(...moments)
}

function kindKey(gvk: GroupVersionKind): string {
  return `${gvk.group}|${gvk.version}|${gvk.kind}`
}
