import type { Json, JsonObject } from '../model/json.ts'
import { apiVersionOf, type GroupVersionKind } from '../model/kubernetes.ts'
import type { LiveObject } from '../model/live.ts'
import type {
  ApplyRequest,
  Cancellable,
  ClusterFacts,
  ClusterPort,
  KindFacts,
  LiveView,
  ObserveScope,
} from '../model/ports.ts'
import { clusterOver, type Cluster } from '../kube/cluster.ts'
import { KindStore, type KindSnapshot } from '../kube/kind-store.ts'
import { LiveDecoder } from '../kube/live-object.ts'
import { makeView, type ViewedKind } from '../kube/live-view.ts'
import { distinctKinds } from '../kube/observe-once.ts'
import type { ApiServer } from '../simulator/api-server.ts'
import type { ResourceType } from '../simulator/endpoints/resource-type.ts'
import type { KubeObject as StoredObject } from '../simulator/object.ts'
import { tableName } from '../simulator/storage/store.ts'
import { wiresTo } from './in-process.ts'

type Shelf = { readonly kinds: KindStore; at: number; snapshot: KindSnapshot }

/**
 * An embedded server as the core sees a cluster. Writes go through the same client as to any other server; looks are taken
 * from its memory, where they cost nothing for what has not changed.
 */
export class EmbeddedCluster implements ClusterPort {
  readonly context: string
  readonly client: Cluster
  readonly #server: ApiServer
  readonly #decoder = new LiveDecoder()
  readonly #decoded = new WeakMap<StoredObject, LiveObject>()
  readonly #shelves = new Map<string, Shelf>()
  /** By table: the number of its last write. */
  readonly #written = new Map<string, number>()
  readonly #unsubscribe: () => void
  #view: { readonly scope: ObserveScope; readonly snapshots: readonly unknown[]; readonly view: LiveView } | undefined

  constructor(server: ApiServer, context: string) {
    this.context = context
    this.client = clusterOver(context, wiresTo(server))
    this.#server = server
    this.#unsubscribe = server.store.subscribe({
      event: ({ resource, resourceVersion }) => void this.#written.set(tableName(resource), resourceVersion),
    })
  }

  describe(options: Cancellable): Promise<ClusterFacts> {
    return this.client.describe(options)
  }

  kind(gvk: GroupVersionKind, options: Cancellable): Promise<KindFacts | undefined> {
    return this.client.kind(gvk, options)
  }

  preferredKind(
    kind: Parameters<ClusterPort['preferredKind']>[0],
    options: Cancellable,
  ): Promise<KindFacts | undefined> {
    return this.client.preferredKind(kind, options)
  }

  listable(options: Cancellable): Promise<readonly GroupVersionKind[]> {
    return this.client.listable(options)
  }

  read(...args: Parameters<ClusterPort['read']>): ReturnType<ClusterPort['read']> {
    return this.client.read(...args)
  }

  dryRunApply(request: ApplyRequest, options: Cancellable): Promise<LiveObject> {
    return this.client.dryRunApply(request, options)
  }

  dryRunPatch(...args: Parameters<ClusterPort['dryRunPatch']>): Promise<LiveObject> {
    return this.client.dryRunPatch(...args)
  }

  apply(request: ApplyRequest, options: Cancellable): Promise<LiveObject> {
    return this.client.apply(request, options)
  }

  patch(...args: Parameters<ClusterPort['patch']>): Promise<LiveObject> {
    return this.client.patch(...args)
  }

  delete(...args: Parameters<ClusterPort['delete']>): Promise<void> {
    return this.client.delete(...args)
  }

  async observe(scope: ObserveScope): Promise<LiveView> {
    const kinds = distinctKinds(scope.kinds)
    const viewed: ViewedKind[] = []
    const failures: { gvk: GroupVersionKind; message: string; reason: string }[] = []
    for (const gvk of kinds) {
      const type = this.#server.registry.byKind(apiVersionOf(gvk), gvk.kind)
      if (type === undefined) {
        const message = `the server has no kind ${gvk.kind} in ${apiVersionOf(gvk)}`
        failures.push({ gvk, message, reason: 'not-found' })
      } else viewed.push({ gvk, namespaced: type.namespaced, snapshot: this.#snapshot(type) })
    }
    const snapshots = [...viewed.map(({ snapshot }) => snapshot), failures.length]
    const last = this.#view
    if (last?.scope === scope && snapshots.every((one, index) => one === last.snapshots[index])) return last.view
    const view = makeView(viewed, scope.namespaces, failures, undefined)
    this.#view = { scope, snapshots, view }
    return view
  }

  async dispose(): Promise<void> {
    this.#unsubscribe()
    await this.client.dispose()
  }

  /** Every object of a kind that is stored, decoded once. */
  #snapshot(type: ResourceType): KindSnapshot {
    const key = `${apiVersionOf(type)}/${type.kind}`
    const at = this.#written.get(tableName(type.storage)) ?? 0
    const known = this.#shelves.get(key)
    if (known?.at === at) return known.snapshot
    const kinds = known?.kinds ?? new KindStore()
    kinds.replace(
      '',
      this.#server.store.list(type.storage).map((stored) => this.#live(type, stored)),
    )
    const snapshot = kinds.snapshot()
    this.#shelves.set(key, { kinds, at, snapshot })
    return snapshot
  }

  #live(type: ResourceType, stored: StoredObject): LiveObject {
    const known = this.#decoded.get(stored)
    if (known !== undefined && known.object.apiVersion === apiVersionOf(type)) return known
    const shown = type.fromStorage(stored) as unknown as Json as JsonObject
    const live = this.#decoder.decode(shown, apiVersionOf(type), type.kind)
    this.#decoded.set(stored, live)
    return live
  }
}
