import { badRequest, expired } from '../errors.ts'
import { templateGeneration } from '../kinds/other-defaults.ts'
import { isObject } from '../object.ts'
import type { KubeObject } from '../object.ts'
import type { StoreEvent } from '../storage/store.ts'
import { tableName } from '../storage/store.ts'
import type { ApiResponse, WatchSink } from './api-types.ts'
import type { ObjectMatcher } from './field-selector.ts'
import { awaitResourceVersion } from './list.ts'
import { readSelection } from './list-options.ts'
import { booleanOption, integerOption, resourceVersionOption } from './options.ts'
import { apiVersionOf } from './resource-type.ts'
import { warningHeader } from './respond.ts'
import { metadataOnly, tableOf } from './table.ts'
import type { ResourceRequest, ServerContext } from './server-context.ts'

type WatchEventType = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR'

const bookmarkMs = 60_000
/** A watch that lasts is told where it stands this long before its end. */
const lastBookmarkMs = 2_000
/** A watch without timeoutSeconds ends after this long, or up to twice as long. */
const shortestDefaultMs = 30 * 60_000

/** GET with `watch=true`: events as they happen, one JSON line each. */
export function watchObjects(server: ServerContext, rr: ResourceRequest): ApiResponse {
  const plan = planOf(server, rr)
  const contentType =
    rr.wanted.as === undefined ? 'application/json' : `application/json;as=${rr.wanted.as.kind};g=meta.k8s.io;v=v1`
  return {
    kind: 'watch',
    status: 200,
    headers: { 'content-type': contentType, ...warningHeader(rr.warnings) },
    start: (sink) => new Watch(server, rr, plan, sink).begin(),
  }
}

interface WatchPlan {
  /** Events after this number are sent; undefined sends what exists first. */
  readonly since: number | undefined
  readonly bookmarks: boolean
  /** Whether a bookmark follows what exists. */
  readonly tellEnd: boolean
  readonly timeoutMs: number
  readonly matches: ObjectMatcher | undefined
}

function planOf(server: ServerContext, rr: ResourceRequest): WatchPlan {
  const { query } = rr
  const { matches } = readSelection(rr, true)
  const asked = resourceVersionOption(query.get('resourceVersion'))
  const sendInitial = query.get('sendInitialEvents')
  const initialEvents = sendInitial !== null && booleanOption(query, 'sendInitialEvents')
  const bookmarks = booleanOption(query, 'allowWatchBookmarks')
  if (initialEvents && !bookmarks) throw badRequest('sendInitialEvents requires allowWatchBookmarks')
  if (asked !== undefined && asked > server.store.resourceVersion && initialEvents) awaitResourceVersion(server, asked)
  const seconds = integerOption(query, 'timeoutSeconds') ?? 0
  const timeoutMs = seconds > 0 ? seconds * 1_000 : shortestDefaultMs * (1 + Math.random())
  // Who asks for bookmarks and names no version is told where what exists ends (apimachinery, `SetListOptionsDefaults`).
  const fromStart = sendInitial === null && (asked === undefined || asked === 0)
  const fromNow = sendInitial !== null && !initialEvents && (asked === undefined || asked === 0)
  const since = initialEvents || asked === undefined || asked === 0 ? undefined : asked
  return {
    since: fromNow ? server.store.resourceVersion : since,
    bookmarks,
    tellEnd: bookmarks && (initialEvents || fromStart),
    timeoutMs,
    matches,
  }
}

class Watch {
  readonly #server: ServerContext
  readonly #rr: ResourceRequest
  readonly #plan: WatchPlan
  readonly #sink: WatchSink
  readonly #table: string
  readonly #namespace: string
  #cleanups: (() => void)[] = []
  #done = false
  #columnsSent = false

  constructor(server: ServerContext, rr: ResourceRequest, plan: WatchPlan, sink: WatchSink) {
    this.#server = server
    this.#rr = rr
    this.#plan = plan
    this.#sink = sink
    this.#table = tableName(rr.type.storage)
    this.#namespace = rr.target.namespace
  }

  begin(): () => void {
    const { store, clock, registry } = this.#server
    if (!this.#replay()) return () => this.#stop()
    this.#cleanups.push(
      store.subscribe({ event: (event) => this.#deliver(event), replaced: () => this.#expire(store.horizon) }),
    )
    this.#cleanups.push(clock.schedule(this.#plan.timeoutMs, () => this.#end()))
    if (this.#plan.bookmarks) {
      this.#scheduleBookmark()
      const last = this.#plan.timeoutMs - lastBookmarkMs
      if (last > 2 * lastBookmarkMs) this.#cleanups.push(clock.schedule(last, () => this.#bookmark()))
    }
    if (this.#rr.type.custom) this.#cleanups.push(registry.onChange(() => this.#endIfGone()))
    return () => this.#stop()
  }

  /** Sends what came before now; false where that is no longer known. */
  #replay(): boolean {
    const { store } = this.#server
    const { since, tellEnd } = this.#plan
    if (since === undefined) {
      const namespace = this.#namespace === '' ? undefined : this.#namespace
      for (const stored of store.list(this.#rr.type.storage, namespace)) {
        const object = this.#rr.type.fromStorage(stored)
        if (this.#matches(object)) this.#send('ADDED', object)
      }
      if (tellEnd) this.#bookmark({ 'k8s.io/initial-events-end': 'true' })
      return true
    }
    const events = store.eventsSince(since)
    if (events === undefined) {
      this.#expire(since)
      return false
    }
    for (const event of events) this.#deliver(event)
    return true
  }

  #matches(object: KubeObject): boolean {
    return this.#plan.matches?.(object) ?? true
  }

  #deliver(event: StoreEvent): void {
    if (this.#done || tableName(event.resource) !== this.#table) return
    if (this.#plan.since !== undefined && event.resourceVersion <= this.#plan.since) return
    if (this.#namespace !== '' && event.namespace !== this.#namespace) return
    const { type } = this.#rr
    const now = event.type !== 'DELETED' && this.#matches(type.fromStorage(event.object))
    const before = event.previous !== undefined && this.#matches(type.fromStorage(event.previous))
    if (now) this.#send(before ? 'MODIFIED' : 'ADDED', type.fromStorage(event.object))
    else if (before && event.previous !== undefined)
      this.#send('DELETED', type.fromStorage(lastSeen(event, event.previous)))
  }

  #send(kind: WatchEventType, object: KubeObject): void {
    this.#sink.write(line(kind, this.#shaped(object), this.#rr.wanted.as === undefined ? object : undefined))
  }

  #shaped(object: KubeObject): object {
    switch (this.#rr.wanted.as?.kind) {
      case undefined:
        return object
      case 'Table': {
        const table = tableOf(this.#server, this.#rr, [object], { resourceVersion: object.metadata.resourceVersion })
        if (!this.#columnsSent) {
          this.#columnsSent = true
          return table
        }
        return { ...table, columnDefinitions: null }
      }
      default:
        return metadataOnly(object)
    }
  }

  /** An object of the kind with nothing in it but a version. */
  #bookmark(annotations?: Readonly<Record<string, string>>): void {
    const { type } = this.#rr
    const metadata = {
      resourceVersion: String(this.#server.store.resourceVersion),
      ...(annotations === undefined ? {} : { annotations }),
    }
    const empty = { kind: type.kind, apiVersion: apiVersionOf(type), metadata }
    const object = type.custom ? empty : zeroOf(type.behaviour.decode(empty).object)
    this.#sink.write(line('BOOKMARK', this.#shaped(object), undefined))
  }

  #scheduleBookmark(): void {
    const cancel = this.#server.clock.schedule(bookmarkMs, () => {
      if (this.#done) return
      this.#bookmark()
      this.#scheduleBookmark()
    })
    this.#cleanups.push(cancel)
  }

  #expire(since: number): void {
    const status = expired(`too old resource version: ${since} (${this.#server.store.horizon})`).toStatus()
    this.#sink.write(line('ERROR', status, undefined))
    this.#end()
  }

  #endIfGone(): void {
    const { group, version, resource } = this.#rr.type
    if (this.#server.registry.find(group, version, resource) === undefined) this.#end()
  }

  #end(): void {
    if (this.#done) return
    this.#stop()
    this.#sink.end()
  }

  #stop(): void {
    this.#done = true
    for (const cleanup of this.#cleanups.splice(0)) cleanup()
  }
}

/** Fields that kube-apiserver's own form of a kind always has, where the served version may leave them out. */
function zeroOf(object: KubeObject): KubeObject {
  if (!object.apiVersion.startsWith('apps/')) return object
  if (object.kind === 'DaemonSet') {
    object.metadata.annotations = { [templateGeneration]: '0', ...object.metadata.annotations }
  } else if (isObject(object['spec'])) {
    object['spec'] = { replicas: 0, ...object['spec'] }
  }
  return object
}

/** What a selector loses sight of is reported as it was, with the number of the write that took it away. */
function lastSeen(event: StoreEvent, previous: KubeObject): KubeObject {
  if (event.type === 'DELETED') return event.object
  return { ...previous, metadata: { ...previous.metadata, resourceVersion: String(event.resourceVersion) } }
}

// A write that a thousand watches wait for is put into words once: they are told one after the other.
let lastObject: KubeObject | undefined
let lastText = ''

function line(type: WatchEventType, body: object, shared: KubeObject | undefined): string {
  if (shared === undefined) return `{"type":"${type}","object":${JSON.stringify(body)}}\n`
  if (lastObject !== shared) {
    lastObject = shared
    lastText = JSON.stringify(shared)
  }
  return `{"type":"${type}","object":${lastText}}\n`
}
