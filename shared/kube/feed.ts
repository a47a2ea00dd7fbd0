import { isCancelled, sleep } from '../base/abort.ts'
import { isObject, parseJson } from '../model/json.ts'
import type { Json, JsonObject } from '../model/json.ts'
import { apiVersionOf } from '../model/kubernetes.ts'
import type { LiveObject } from '../model/live.ts'
import { errorOfStatusObject } from './answer-error.ts'
import { ClusterError } from './cluster-error.ts'
import { splitLines } from './lines.ts'
import { listAll } from './list.ts'
import type { ListSource } from './list.ts'
import { collectionPath, targetOf } from './resource-path.ts'

/** One change that a watch told. */
export type FeedEvent = { readonly kind: 'set' | 'delete'; readonly object: LiveObject }

/** Where a feed puts what it learns; calls come in order and never overlap. */
export interface FeedSink {
  /** The collection is exactly this. */
  replace(objects: readonly LiveObject[]): void
  apply(events: readonly FeedEvent[]): void
  /** Since when changes may have been missed so far (milliseconds since 1970); undefined once caught up. */
  stale(since: number | undefined): void
  /** The collection is not served, or may not be read, any more. */
  lost(error: ClusterError): void
}

/** The server ends a watch after this, so that load spreads anew; with jitter, so that not all end at once. */
const watchSeconds = 300
/** Bookmarks come once a minute: so long a silence is a dead connection. */
const silenceMs = 90_000
const firstBackoffMs = 100
const longestBackoffMs = 10_000
/** Where watching is not allowed, listing this often has to do. */
const pollMs = 30_000
const metadataAccept = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io'

/**
 * Keeps one collection up to date: a list, then a watch from where the list ended. A lost connection resumes at the
 * last seen version; where the server has forgotten it, a new list is compared with what is held. Nothing is missed
 * between the two, and what is held stays readable meanwhile.
 */
export class Feed {
  /** Settles when the first list is in. Rejects with ClusterError. */
  readonly ready: Promise<void>
  private readonly source: ListSource
  private readonly sink: FeedSink
  private readonly ending = new AbortController()
  private resourceVersion: string | undefined
  private backoffMs = firstBackoffMs
  private staleSince: number | undefined

  constructor(source: ListSource, sink: FeedSink) {
    this.source = source
    this.sink = sink
    this.ready = this.list()
    this.ready.then(
      () => this.run(),
      () => undefined,
    )
  }

  dispose(): void {
    this.ending.abort()
  }

  private async list(): Promise<void> {
    const { objects, resourceVersion } = await listAll(this.source, { signal: this.ending.signal })
    if (this.ending.signal.aborted) return
    this.sink.replace(objects)
    this.resourceVersion = resourceVersion
  }

  private async run(): Promise<void> {
    const { signal } = this.ending
    while (!signal.aborted) {
      const openedAt = Date.now()
      try {
        if (this.resourceVersion === undefined) await this.list()
        await this.follow()
        // A server that ends watches at once must not be asked without a pause.
        if (Date.now() - openedAt < 1000) await this.pause()
      } catch (error) {
        if (signal.aborted || isCancelled(error)) return
        if (!this.recoverable(error)) return
        await this.pause()
      }
    }
  }

  /** @returns whether to go on. */
  private recoverable(error: unknown): boolean {
    this.markStale(Date.now())
    if (!ClusterError.is(error)) {
      this.sink.lost(new ClusterError('bad-answer', 'what the watch sent cannot be used', { cause: error }))
      return false
    }
    if (error.reason === 'gone') {
      this.resourceVersion = undefined
      this.backoffMs = Math.min(this.backoffMs, firstBackoffMs)
      return true
    }
    if (error.reason === 'not-found' || (error.reason === 'forbidden' && this.resourceVersion === undefined)) {
      this.sink.lost(error)
      return false
    }
    if (error.reason === 'forbidden' || error.status === 405) {
      // May be listed but not watched: listing now and then is all there is.
      this.resourceVersion = undefined
      this.backoffMs = pollMs
    }
    this.backoffMs = Math.max(this.backoffMs, Math.min(error.retryAfterMs ?? 0, pollMs))
    return true
  }

  private async pause(): Promise<void> {
    const waitMs = this.backoffMs * (0.75 + Math.random() / 2)
    this.backoffMs = Math.min(longestBackoffMs, this.backoffMs * 2)
    try {
      await sleep(waitMs, { signal: this.ending.signal })
    } catch {
      // Disposed; the loop sees it.
    }
  }

  /** Reads one watch to its end. @throws ClusterError */
  private async follow(): Promise<void> {
    const { transport, served, namespace, metadataOnly } = this.source
    const timeoutSeconds = Math.round(watchSeconds * (1 + Math.random() / 3))
    const query = new URLSearchParams({
      watch: 'true',
      resourceVersion: this.resourceVersion ?? '',
      allowWatchBookmarks: 'true',
      timeoutSeconds: String(timeoutSeconds),
    })
    const chunks = transport.stream(
      {
        method: 'GET',
        path: `${collectionPath(served, namespace)}?${query.toString()}`,
        target: targetOf('watch', served, { namespace }),
        accept: metadataOnly === true ? `${metadataAccept},application/json` : 'application/json',
        repeatable: true,
      },
      { signal: this.ending.signal, silenceMs, onOpen: () => this.caughtUp() },
    )
    for await (const lines of splitLines(chunks)) {
      if (this.ending.signal.aborted) return
      this.take(lines)
    }
  }

  private take(lines: readonly string[]): void {
    const events: FeedEvent[] = []
    let failure: ClusterError | undefined
    let version = this.resourceVersion
    for (const line of lines) {
      const event = this.parse(line)
      if (event.kind === 'error') {
        failure = event.error
        break
      }
      version = event.object.resourceVersion || version
      if (event.kind !== 'bookmark') events.push({ kind: event.kind, object: event.object })
    }
    if (events.length > 0) this.sink.apply(events)
    this.resourceVersion = version
    if (failure !== undefined) throw failure
    this.backoffMs = firstBackoffMs
  }

  private parse(
    line: string,
  ): (FeedEvent | { kind: 'bookmark'; object: LiveObject }) | { kind: 'error'; error: ClusterError } {
    const { served, namespace, decoder } = this.source
    const target = targetOf('watch', served, { namespace })
    const value = parsed(line)
    const type = value?.['type']
    const object = value?.['object']
    if (!isObject(object))
      return { kind: 'error', error: new ClusterError('bad-answer', 'the watch sent no event', { target }) }
    if (type === 'ERROR') return { kind: 'error', error: errorOfStatusObject(object, target) }
    const live = decoder.decode(object, apiVersionOf(served), served.kind)
    if (type === 'BOOKMARK') return { kind: 'bookmark', object: live }
    return { kind: type === 'DELETED' ? 'delete' : 'set', object: live }
  }

  private caughtUp(): void {
    if (this.staleSince !== undefined) this.markStale(undefined)
  }

  private markStale(since: number | undefined): void {
    if (since !== undefined && this.staleSince !== undefined) return
    this.staleSince = since
    this.sink.stale(since)
  }
}

function parsed(line: string): JsonObject | undefined {
  let value: Json
  try {
    value = parseJson(line)
  } catch {
    return undefined
  }
  return isObject(value) ? value : undefined
}
