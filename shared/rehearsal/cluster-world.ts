import { systemClock } from '../base/clock.ts'
import { sleep } from '../base/abort.ts'
import { ClusterError } from '../kube/cluster-error.ts'
import { connectCluster, type Cluster } from '../kube/cluster.ts'
import { collectionPath, objectPath } from '../kube/resource-path.ts'
import { stringifyJson, type Json } from '../model/json.ts'
import { gvkOf, idOf, resourceKey, type GroupVersionKind, type KubeObject } from '../model/kubernetes.ts'
import type { Cancellable, KindFacts } from '../model/ports.ts'
import type { RehearsalPlace } from '../model/rehearsal.ts'
import { STORE_NAMESPACE } from '../store/cluster-store.ts'
import { RehearsalError } from './rehearsal-error.ts'
import type { Recording } from './recording.ts'
import { cutting, namespacesOf, transplanted } from './transplant.ts'
import type { World } from './world.ts'

/** Which cluster to rehearse on. */
export type ClusterPlace = {
  readonly context: string
  readonly kubeconfig?: string
  /** The provider, where Plumbline made the cluster for rehearsals. */
  readonly provider?: string
}

/** In namespaces that a rehearsal made, so that the next one may take them away. */
const MARK = 'plumbline-rehearsal'
/** What the sync keeps of itself. */
const STORE = STORE_NAMESPACE
const LOOK_MS = 500
/** Real pods need their time; what has not changed for so long will not. */
const QUIET_MS = 15_000
const RESTLESS_MS = 10 * 60_000
const GONE_MS = 60_000

/** Another cluster with real controllers, filled by making there what the sync finds on the real one. */
export class ClusterWorld implements World {
  readonly place: RehearsalPlace
  readonly cluster: Cluster
  readonly client: Cluster
  readonly clock = systemClock
  readonly unserved: KubeObject[] = []
  readonly podStart = { startMs: 0, measuredOn: 0 }
  readonly #namespaces: ReadonlySet<string>
  readonly #made: KubeObject[] = []
  readonly #kinds = new Map<string, GroupVersionKind>()
  readonly #listeners = new Set<(object: KubeObject, gone: boolean) => void>()
  readonly #keep: boolean
  readonly #hasNodes: boolean
  readonly #end = new AbortController()
  #known = new Map<string, KubeObject>()
  #changedAt = 0
  /** From here on everything in the namespaces is the rehearsal's. */
  #filled = false

  private constructor(
    client: Cluster,
    { context, provider }: ClusterPlace,
    namespaces: ReadonlySet<string>,
    keep: boolean,
  ) {
    this.cluster = client
    this.client = client
    this.#namespaces = namespaces
    this.#keep = keep
    this.#hasNodes = provider !== 'control-plane'
    this.place = { kind: 'cluster', context, ...(provider === undefined ? {} : { provider }) }
  }

  /**
   * @throws RehearsalError `occupied` where one of the namespaces is there and is no rehearsal's
   */
  static async open(
    place: ClusterPlace,
    recording: Recording,
    { keep, signal }: Cancellable & { readonly keep: boolean },
  ): Promise<ClusterWorld> {
    const { context, kubeconfig } = place
    const client = await connectCluster({ context, watch: true, ...(kubeconfig === undefined ? {} : { kubeconfig }) })
    const cancel = signal === undefined ? {} : { signal }
    const world = new ClusterWorld(
      client,
      place,
      new Set([...namespacesOf(recording.objects, recording.namespaces), STORE]),
      keep,
    )
    try {
      if (client.server === recording.server) {
        throw new RehearsalError('place', `${context} is the cluster that the sync is meant for`, { next: ELSEWHERE })
      }
      await world.#clear(cancel)
      world.#filled = true
      for (const object of transplanted(recording.objects)) await world.#make(object, cancel)
      await world.#settle(cancel)
      void world.#follow()
      return world
    } catch (error) {
      await world.dispose()
      throw error
    }
  }

  objects(): Iterable<KubeObject> {
    return this.#known.values()
  }

  onObject(listener: (object: KubeObject, gone: boolean) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async rest(unsettled: () => boolean, cancel: Cancellable): Promise<void> {
    const started = Date.now()
    this.#changedAt = started
    const quiet = (): number => Date.now() - this.#changedAt
    // Without nodes nothing comes of waiting for pods.
    const patience = this.#hasNodes ? QUIET_MS * 4 : QUIET_MS / 3
    while (Date.now() - started < RESTLESS_MS && quiet() < (unsettled() ? patience : QUIET_MS / 3)) {
      await sleep(LOOK_MS, cancel)
    }
  }

  async dispose(): Promise<void> {
    this.#end.abort()
    if (!this.#keep && this.#filled) await this.#clear({}).catch(() => undefined)
    await this.client.dispose()
  }

  /** Takes away what a rehearsal made here, this one or one that was killed. */
  async #clear(cancel: Cancellable): Promise<void> {
    for (const object of this.#made.toReversed()) {
      if (object.metadata.namespace === undefined && object.kind !== 'Namespace') await this.#remove(object, cancel)
    }
    await Promise.all([...this.#namespaces].map(async (name) => this.#clearNamespace(name, cancel)))
  }

  async #clearNamespace(name: string, cancel: Cancellable): Promise<void> {
    const gvk = { group: '', version: 'v1', kind: 'Namespace' }
    const id = { group: '', kind: 'Namespace', namespace: '', name }
    const found = await this.client.read(gvk, id, cancel)
    if (found === undefined) return
    if (!this.#filled && !(await this.#isMarked(name, cancel))) {
      const message = `namespace ${name} is on ${this.client.context} already, and no rehearsal made it`
      throw new RehearsalError('occupied', message, { next: ELSEWHERE })
    }
    await this.client.delete({ gvk, id, uid: found.uid, propagation: 'Background' }, cancel)
    const deadline = Date.now() + GONE_MS
    while (Date.now() < deadline && (await this.client.read(gvk, id, cancel)) !== undefined)
      await sleep(LOOK_MS, cancel)
  }

  /** A namespace of a rehearsal that was killed carries the mark. */
  async #isMarked(namespace: string, cancel: Cancellable): Promise<boolean> {
    const id = { group: '', kind: 'ConfigMap', namespace, name: MARK }
    return (await this.client.read({ group: '', version: 'v1', kind: 'ConfigMap' }, id, cancel)) !== undefined
  }

  async #mark(namespace: string, cancel: Cancellable): Promise<void> {
    const body = stringifyJson({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: MARK, namespace } })
    await this.client.send({ method: 'POST', path: `/api/v1/namespaces/${namespace}/configmaps`, body }, cancel)
  }

  async #make(object: KubeObject, cancel: Cancellable): Promise<void> {
    const gvk = gvkOf(object)
    const facts = await this.#servedSoon(gvk, cancel)
    if (facts === undefined) {
      this.unserved.push(object)
      return
    }
    this.#kinds.set(`${gvk.group}|${gvk.kind}`, gvk)
    const served = { ...gvk, ...facts }
    const path = `${collectionPath(served, object.metadata.namespace ?? '')}?fieldManager=plumbline`
    try {
      await this.client.send({ method: 'POST', path, body: stringifyJson(cutting(object)) }, cancel)
      this.#made.push(object)
    } catch (error) {
      // What the cluster has of its own (a default class, a system priority) stays as it is.
      if (ClusterError.is(error, 'already-exists')) return
      throw error
    }
    if (object.kind === 'Namespace') await this.#mark(object.metadata.name, cancel)
    await this.#owned(object, objectPath(served, idOf(object)), cancel)
  }

  /** Who owns which field is as on the real cluster, so that drift is found as there. */
  async #owned({ metadata }: KubeObject, path: string, cancel: Cancellable): Promise<void> {
    const entries = metadata['managedFields']
    const own = (Array.isArray(entries) ? (entries as readonly Json[]) : []).filter(
      (entry) => typeof entry === 'object' && entry !== null && !('subresource' in entry),
    )
    if (own.length === 0) return
    const body = stringifyJson([{ op: 'replace', path: '/metadata/managedFields', value: own }])
    const contentType = 'application/json-patch+json'
    await this.client.send({ method: 'PATCH', path, body, contentType }, cancel)
  }

  /** A definition that was just made is served a moment later. */
  async #servedSoon(gvk: GroupVersionKind, cancel: Cancellable): Promise<KindFacts | undefined> {
    for (let tries = 0; ; tries++) {
      const facts = await this.client.kind(gvk, cancel)
      if (facts !== undefined || tries === 10 || !gvk.group.includes('.')) return facts
      await sleep(LOOK_MS, cancel)
    }
  }

  async #remove(object: KubeObject, cancel: Cancellable): Promise<void> {
    const found = await this.client.read(gvkOf(object), idOf(object), cancel)
    if (found === undefined) return
    const request = { gvk: gvkOf(object), id: idOf(object), uid: found.uid, propagation: 'Background' } as const
    await this.client.delete(request, cancel)
  }

  /** Controllers have made what belongs to what was made. */
  async #settle(cancel: Cancellable): Promise<void> {
    this.#changedAt = Date.now()
    const deadline = Date.now() + RESTLESS_MS
    await this.#look(cancel)
    while (this.#made.length > 0 && Date.now() - this.#changedAt < QUIET_MS / 3 && Date.now() < deadline) {
      await sleep(LOOK_MS, cancel)
      await this.#look(cancel)
    }
  }

  async #follow(): Promise<void> {
    const { signal } = this.#end
    while (!signal.aborted) {
      await sleep(LOOK_MS, { signal }).catch(() => undefined)
      if (!signal.aborted) await this.#look({ signal }).catch(() => undefined)
    }
  }

  /** Compares what is there with what was, and tells. */
  async #look(cancel: Cancellable): Promise<void> {
    const kinds = [...this.#kinds.values(), ...FOLLOWED]
    const view = await this.client.observe({ kinds, namespaces: this.#namespaces }, cancel)
    const now = new Map<string, KubeObject>()
    for (const kind of kinds) for (const { object } of view.ofKind(kind)) now.set(resourceKey(idOf(object)), object)
    const told: (readonly [KubeObject, boolean])[] = []
    // What was seen at once is told so that a pod is there before the one that it stands in for is gone.
    for (const [key, object] of now) {
      if (this.#known.get(key)?.metadata.resourceVersion !== object.metadata.resourceVersion) told.push([object, false])
    }
    for (const [key, object] of this.#known) if (!now.has(key)) told.push([object, true])
    this.#known = now
    if (told.length > 0) this.#changedAt = Date.now()
    for (const [object, gone] of told) for (const listener of this.#listeners) listener(object, gone)
  }
}

const ELSEWHERE = 'rehearse on another cluster, or on the embedded one: --on embedded'

/** What controllers make, whatever was filled in; pods come after those whose they are. */
const FOLLOWED: readonly GroupVersionKind[] = [
  { group: '', version: 'v1', kind: 'Service' },
  { group: '', version: 'v1', kind: 'PersistentVolumeClaim' },
  { group: 'apps', version: 'v1', kind: 'Deployment' },
  { group: 'apps', version: 'v1', kind: 'ReplicaSet' },
  { group: 'apps', version: 'v1', kind: 'StatefulSet' },
  { group: 'apps', version: 'v1', kind: 'DaemonSet' },
  { group: 'batch', version: 'v1', kind: 'Job' },
  { group: 'discovery.k8s.io', version: 'v1', kind: 'EndpointSlice' },
  { group: 'policy', version: 'v1', kind: 'PodDisruptionBudget' },
  { group: '', version: 'v1', kind: 'Pod' },
]
