import { Limiter } from '../base/limiter.ts'
import { apiVersionOf, gvkOf } from '../model/kubernetes.ts'
import type { GroupKind, GroupVersionKind, ResourceId } from '../model/kubernetes.ts'
import type { LiveObject } from '../model/live.ts'
import type {
  ApplyRequest,
  Cancellable,
  ClusterFacts,
  ClusterPort,
  DeleteRequest,
  KindFacts,
  ObserveScope,
  PatchRequest,
} from '../model/ports.ts'
import { apply } from './apply.ts'
import { Listeners } from './change-feed.ts'
import type { ClusterChange } from './change-feed.ts'
import { ClusterError } from './cluster-error.ts'
import { connectionOf, loadKubeconfig, wiredConnection } from './config.ts'
import type { ConfigOptions, ConnectionConfig } from './config.ts'
import type { Connections } from './connection.ts'
import { remove } from './delete.ts'
import { Discovery } from './discovery.ts'
import { isEpochKind } from './epoch.ts'
import { RecentFacts, serverVersion } from './facts.ts'
import { LiveDecoder } from './live-object.ts'
import type { ObservedView } from './live-view.ts'
import { observeOnce } from './observe-once.ts'
import type { Reader } from './observe-once.ts'
import { OpenApiIndexSource } from './openapi-index.ts'
import { patch } from './patch.ts'
import { objectPath, targetOf } from './resource-path.ts'
import type { ServedResource } from './resource-path.ts'
import { defaultSchemaFolder, SchemaFiles } from './schema-files.ts'
import { SchemaSource } from './schema.ts'
import { Transport } from './transport.ts'
import { WatchCache } from './watch-cache.ts'
import { WatchedFacts } from './watched-facts.ts'
import { decodeAnswer } from './write.ts'
import type { ServerWarning, Writer } from './write.ts'

export type ConnectOptions = ConfigOptions & {
  /** The current context when absent. */
  readonly context?: string | undefined
  /** Whether what was observed once is watched from then on; without it every look lists anew. */
  readonly watch: boolean
  /** Where schemas are kept between runs; the user's cache folder when absent, nowhere when `false`. */
  readonly schemaFolder?: string | false | undefined
  /** Milliseconds that the server may take to begin an answer, or to go on with it; a minute when absent. */
  readonly timeoutMs?: number | undefined
}

/** One API server, with more than the core needs. */
export interface Cluster extends ClusterPort {
  /** URL as in the kubeconfig. */
  readonly server: string
  /** The context's namespace, `default` where it names none. */
  readonly namespace: string
  observe(scope: ObserveScope, options: Cancellable): Promise<ObservedView>
  /** The answer to a GET of any path: logs, events, health. @throws ClusterError */
  raw(path: string, options: Cancellable): Promise<string>
  /** Any request, for objects that are no part of an application. @throws ClusterError */
  send(request: RawRequest, options: Cancellable): Promise<string>
  /** News of what is watched; the caller debounces. @returns the listener's removal. */
  onChange(listener: (change: ClusterChange) => void): () => void
  /** What the server warns of in answers to writes and dry runs. @returns the listener's removal. */
  onWarning(listener: (warning: ServerWarning) => void): () => void
  /** Ends every watch and connection. */
  dispose(): Promise<void>
}

/** A request as it goes over the wire; `path` carries its query, escaped. */
export type RawRequest = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: string
  readonly contentType?: string
}

/** Reads the kubeconfig; the server itself is not asked before the first question. @throws ClusterError `config` */
export async function connectCluster(options: ConnectOptions): Promise<Cluster> {
  const config = await loadKubeconfig(options)
  return new ApiServer(connectionOf(config, options.context), options)
}

/** A server that answers over wires of the caller's own; nothing of it is kept on disk or watched. */
export function clusterOver(context: string, wires: Connections): Cluster {
  return new ApiServer(wiredConnection(context), { watch: false, schemaFolder: false }, wires)
}

class ApiServer implements Cluster {
  readonly context: string
  readonly server: string
  readonly namespace: string
  private readonly transport: Transport
  private readonly discovery: Discovery
  private readonly decoder = new LiveDecoder()
  private readonly index: OpenApiIndexSource
  private readonly schemas: SchemaSource
  private readonly changes = new Listeners<ClusterChange>()
  private readonly warnings = new Listeners<ServerWarning>()
  private readonly reader: Reader
  private readonly writer: Writer
  private readonly cache: WatchCache | undefined
  private readonly facts: RecentFacts | WatchedFacts
  private readonly recentKinds = new Map<string, { readonly facts: KindFacts; readonly at: number }>()
  private readonly kindFacts = new WeakMap<ServedResource, KindFacts>()
  private version: Promise<string> | undefined

  constructor(config: ConnectionConfig, { watch, schemaFolder, timeoutMs }: ConnectOptions, wires?: Connections) {
    this.context = config.name
    this.server = config.cluster.server
    this.namespace = config.context.namespace === '' ? 'default' : config.context.namespace
    const transport = new Transport(config, timeoutMs, wires)
    this.transport = transport
    this.discovery = new Discovery(transport)
    this.index = new OpenApiIndexSource(transport)
    this.schemas = new SchemaSource({
      transport,
      index: this.index,
      version: () => this.serverVersion(),
      files: schemaFolder === false ? undefined : new SchemaFiles(schemaFolder ?? defaultSchemaFolder()),
    })
    const { decoder } = this
    const resolve = (gvk: GroupVersionKind, options: Cancellable): Promise<ServedResource> => this.resolve(gvk, options)
    this.reader = { transport, decoder, resolve }
    this.writer = {
      transport,
      decoder,
      resolve,
      limiter: new Limiter({ start: 8, floor: 2, ceiling: 32 }),
      onWarning: (warning) => this.warnings.emit(warning),
    }
    this.cache = watch ? new WatchCache(this.reader, this.changes) : undefined
    const facts = { transport, decoder, discovery: this.discovery, index: this.index }
    this.facts = watch ? new WatchedFacts(facts, this.changes) : new RecentFacts(facts)
  }

  describe(options: Cancellable): Promise<ClusterFacts> {
    return this.facts.describe(options)
  }

  async kind(gvk: GroupVersionKind, options: Cancellable): Promise<KindFacts | undefined> {
    const key = `${gvk.group}|${gvk.version}|${gvk.kind}`
    const recent = this.recentKinds.get(key)
    // Asked for every manifest of a pass; a second is a pass.
    if (recent !== undefined && Date.now() - recent.at < 1000) return recent.facts
    const served = await this.discovery.kind(gvk, options)
    const facts = served === undefined ? undefined : await this.factsOf(served, options)
    if (facts?.schema !== undefined) this.recentKinds.set(key, { facts, at: Date.now() })
    return facts
  }

  async preferredKind(kind: GroupKind, options: Cancellable): Promise<KindFacts | undefined> {
    const served = await this.discovery.preferred(kind, options)
    return served === undefined ? undefined : this.factsOf(served, options)
  }

  async listable(options: Cancellable): Promise<readonly GroupVersionKind[]> {
    const { byGroupKind } = await this.discovery.all(options)
    return [...byGroupKind.values()].flatMap(([served]) => {
      if (served?.namespaced !== true || !served.verbs.includes('list')) return []
      return [{ group: served.group, version: served.version, kind: served.kind }]
    })
  }

  observe(scope: ObserveScope, options: Cancellable): Promise<ObservedView> {
    return this.cache === undefined ? observeOnce(this.reader, scope, options) : this.cache.observe(scope, options)
  }

  dryRunApply(request: ApplyRequest, options: Cancellable): Promise<LiveObject> {
    return apply(this.writer, request, { ...options, dryRun: true })
  }

  dryRunPatch(request: PatchRequest, options: Cancellable): Promise<LiveObject> {
    return patch(this.writer, request, { ...options, dryRun: true })
  }

  async apply(request: ApplyRequest, options: Cancellable): Promise<LiveObject> {
    return this.written(await apply(this.writer, request, { ...options, dryRun: false }))
  }

  async patch(request: PatchRequest, options: Cancellable): Promise<LiveObject> {
    return this.written(await patch(this.writer, request, { ...options, dryRun: false }))
  }

  async delete(request: DeleteRequest, options: Cancellable): Promise<void> {
    const left = await remove(this.writer, request, options)
    if (left === undefined) this.cache?.removed(request.gvk, request.id, request.uid)
    else this.cache?.written(request.gvk, left)
    this.forget(request.gvk)
  }

  async read(gvk: GroupVersionKind, id: ResourceId, options: Cancellable): Promise<LiveObject | undefined> {
    const served = await this.resolve(gvk, options)
    const path = objectPath(served, id)
    try {
      const target = targetOf('get', served, id)
      const answer = await this.transport.send({ method: 'GET', path, target, repeatable: true }, options)
      return decodeAnswer(this.writer, answer)
    } catch (error) {
      if (ClusterError.is(error, 'not-found')) return undefined
      throw error
    }
  }

  async raw(path: string, options: Cancellable): Promise<string> {
    const target = { verb: `get ${path.split('?', 1)[0] ?? path}` }
    const request = { method: 'GET', path, target, accept: 'application/json, */*', repeatable: true } as const
    return (await this.transport.send(request, options)).text
  }

  async send({ method, path, body, contentType }: RawRequest, options: Cancellable): Promise<string> {
    const target = { verb: `${method.toLowerCase()} ${path.split('?', 1)[0] ?? path}` }
    const content = body === undefined ? {} : { body, contentType: contentType ?? 'application/json' }
    return (await this.transport.send({ method, path, target, ...content, repeatable: method === 'GET' }, options)).text
  }

  onChange(listener: (change: ClusterChange) => void): () => void {
    return this.changes.add(listener)
  }

  onWarning(listener: (warning: ServerWarning) => void): () => void {
    return this.warnings.add(listener)
  }

  async dispose(): Promise<void> {
    this.changes.clear()
    this.warnings.clear()
    this.cache?.dispose()
    this.facts.dispose()
    await this.transport.dispose()
  }

  private async resolve(gvk: GroupVersionKind, options: Cancellable): Promise<ServedResource> {
    const served = await this.discovery.kind(gvk, options)
    if (served !== undefined) return served
    const message = `the server has no kind ${gvk.kind} in ${apiVersionOf(gvk)}`
    throw new ClusterError('not-found', message, { target: { verb: 'discover', group: gvk.group } })
  }

  private async factsOf(served: ServedResource, options: Cancellable): Promise<KindFacts> {
    const schema = await this.schemas.schemaOf(served, options)
    const known = this.kindFacts.get(served)
    if (known !== undefined && known.schema === schema) return known
    const { group, version, kind, resource, namespaced, verbs } = served
    const facts: KindFacts = { gvk: { group, version, kind }, resource, namespaced, verbs, schema }
    this.kindFacts.set(served, facts)
    return facts
  }

  private serverVersion(): Promise<string> {
    this.version ??= serverVersion(this.transport, {})
    this.version.catch(() => {
      this.version = undefined
    })
    return this.version
  }

  private written(live: LiveObject): LiveObject {
    const gvk = gvkOf(live.object)
    this.cache?.written(gvk, live)
    this.forget(gvk)
    return live
  }

  /** What a write of ours makes untrue. */
  private forget(gvk: GroupVersionKind): void {
    if (!isEpochKind(gvk)) return
    this.facts.invalidate()
    this.recentKinds.clear()
    if (gvk.kind !== 'CustomResourceDefinition') return
    this.discovery.invalidate()
    this.index.invalidate()
  }
}
