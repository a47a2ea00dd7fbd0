import { createServer } from 'node:http'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { ServerOptions } from 'node:https'
import type { AddressInfo } from 'node:net'

/** One request as the server got it. */
export interface SeenRequest {
  readonly method: string
  /** Path with query. */
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export type Fault = (request: SeenRequest, response: ServerResponse) => void

/** What the double's ConfigMaps look like on the wire. */
export interface WireObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: {
    readonly name: string
    readonly namespace: string
    readonly uid: string
    readonly resourceVersion: string
    readonly [key: string]: unknown
  }
  readonly data: Readonly<Record<string, string>>
}

interface HistoryEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly version: number
  readonly object: WireObject
}

interface OpenWatch {
  readonly namespace: string
  readonly response: ServerResponse
}

const discovery = [
  { resource: 'configmaps', responseKind: { group: '', version: 'v1', kind: 'ConfigMap' }, scope: 'Namespaced' },
  { resource: 'namespaces', responseKind: { group: '', version: 'v1', kind: 'Namespace' }, scope: 'Cluster' },
].map((resource) => ({ ...resource, verbs: ['get', 'list', 'watch', 'patch', 'delete'] }))

/**
 * A double of an API server that knows ConfigMaps only, and fails on request: over real sockets, so that what is
 * tested is the client that ships. It is no judge of what Kubernetes answers; the real server is.
 */
export class FaultyApiServer {
  readonly requests: SeenRequest[] = []
  readonly url: string
  private readonly faults: { match: RegExp; times: number; fault: Fault }[] = []
  private readonly objects = new Map<string, WireObject>()
  private readonly watches = new Set<OpenWatch>()
  private readonly stopServer: () => Promise<void>
  private history: HistoryEvent[] = []
  private version = 100
  private forgottenUpTo = 0

  private constructor(url: string, stopServer: () => Promise<void>) {
    this.url = url
    this.stopServer = stopServer
  }

  static async start(tls?: ServerOptions): Promise<FaultyApiServer> {
    const listener: RequestListener = (request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => self.answer(request, Buffer.concat(chunks).toString('utf8'), response))
    }
    const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener)
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
    const { port } = server.address() as AddressInfo
    const self = new FaultyApiServer(`${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`, async () => {
      server.closeAllConnections()
      await new Promise((resolve) => {
        server.close(resolve)
      })
    })
    return self
  }

  /** A kubeconfig for this server, as text. */
  kubeconfig(cluster: object = {}, user: object = { token: 'secret-token' }): string {
    return JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'faulty',
      contexts: [{ name: 'faulty', context: { cluster: 'faulty', user: 'faulty' } }],
      clusters: [{ name: 'faulty', cluster: { server: this.url, ...cluster } }],
      users: [{ name: 'faulty', user }],
    })
  }

  /** Answers the next requests whose `METHOD URL` matches by the fault instead. */
  fail(match: RegExp, fault: Fault, times = 1): void {
    this.faults.push({ match, times, fault })
  }

  /** How often a request came whose `METHOD URL` matches. */
  count(match: RegExp): number {
    return this.requests.filter(({ method, url }) => match.test(`${method} ${url}`)).length
  }

  set(name: string, data: Readonly<Record<string, string>>, namespace = 'default', metadata: object = {}): WireObject {
    const before = this.objects.get(`${namespace}/${name}`)
    this.version += 1
    const uid = before?.metadata.uid ?? `uid-${name}-${this.version}`
    const object = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace, uid, resourceVersion: String(this.version), ...metadata },
      data,
    }
    this.objects.set(`${namespace}/${name}`, object)
    this.record({ type: before === undefined ? 'ADDED' : 'MODIFIED', version: this.version, object })
    return object
  }

  delete(name: string, namespace = 'default'): void {
    const before = this.objects.get(`${namespace}/${name}`)
    if (before === undefined) throw new Error(`no ${namespace}/${name}`)
    this.version += 1
    this.objects.delete(`${namespace}/${name}`)
    const metadata = { ...before.metadata, resourceVersion: String(this.version) }
    this.record({ type: 'DELETED', version: this.version, object: { ...before, metadata } })
  }

  /** Forgets what happened so far, as etcd's compaction does: older watches cannot resume. */
  compact(): void {
    this.history = []
    this.forgottenUpTo = this.version
  }

  get openWatches(): number {
    return this.watches.size
  }

  /** Cuts the watches' connections without a word. */
  cutWatches(): void {
    for (const { response } of this.watches) response.socket?.destroy()
    this.watches.clear()
  }

  /** Ends the watches as a server does when their time is over. */
  endWatches(): void {
    for (const { response } of this.watches) response.end()
    this.watches.clear()
  }

  /** Sends any bytes down the watches. */
  sendToWatches(text: string): void {
    for (const { response } of this.watches) response.write(text)
  }

  sendBookmark(): void {
    const metadata = { resourceVersion: String(this.version) }
    this.sendToWatches(
      `${JSON.stringify({ type: 'BOOKMARK', object: { apiVersion: 'v1', kind: 'ConfigMap', metadata } })}\n`,
    )
  }

  async stop(): Promise<void> {
    this.cutWatches()
    await this.stopServer()
  }

  private record(event: HistoryEvent): void {
    this.history.push(event)
    for (const { namespace, response } of this.watches) {
      if (namespace === '' || namespace === event.object.metadata.namespace) response.write(wire(event))
    }
  }

  private answer(request: IncomingMessage, body: string, response: ServerResponse): void {
    const seen = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body }
    this.requests.push(seen)
    const line = `${seen.method} ${seen.url}`
    const fault = this.faults.find(({ match, times }) => times > 0 && match.test(line))
    if (fault !== undefined) {
      fault.times -= 1
      fault.fault(seen, response)
      return
    }
    const url = new URL(seen.url, 'http://server')
    if (url.pathname === '/version') json(response, 200, { gitVersion: 'v1.36.2', major: '1', minor: '36' })
    else if (url.pathname === '/api' || url.pathname === '/apis') this.discover(url.pathname, response)
    else this.collection(seen, url, response)
  }

  private discover(path: string, response: ServerResponse): void {
    const versions = [{ version: 'v1', resources: discovery, freshness: 'Current' }]
    const items = path === '/api' ? [{ metadata: {}, versions }] : []
    response.setHeader('content-type', 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList')
    response.end(JSON.stringify({ kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', items }))
  }

  private collection(seen: SeenRequest, url: URL, response: ServerResponse): void {
    const match = /^\/api\/v1(?:\/namespaces\/([^/]+))?\/configmaps(?:\/([^/]+))?$/.exec(url.pathname)
    if (match === null) return status(response, 404, 'NotFound', 'the server could not find the requested resource')
    const [, namespace = '', name] = match
    if (name !== undefined) return this.one(seen, `${namespace}/${name}`, response)
    if (url.searchParams.get('watch') === 'true') return this.watch(namespace, url, response)
    const limit = Number(url.searchParams.get('limit') ?? 0)
    const from = Number(url.searchParams.get('continue') ?? 0)
    const all = [...this.objects.values()].filter((o) => namespace === '' || o.metadata.namespace === namespace)
    const items = limit > 0 ? all.slice(from, from + limit) : all
    const next = limit > 0 && from + limit < all.length ? { continue: String(from + limit) } : {}
    const metadata = { resourceVersion: String(this.version), ...next }
    return json(response, 200, { kind: 'ConfigMapList', apiVersion: 'v1', metadata, items })
  }

  private one(seen: SeenRequest, key: string, response: ServerResponse): void {
    const [namespace = '', name = ''] = key.split('/')
    const object = this.objects.get(key)
    if (seen.method === 'PATCH') {
      const { data } = JSON.parse(seen.body) as WireObject
      return json(response, 200, this.set(name, data, namespace))
    }
    if (object === undefined) return status(response, 404, 'NotFound', `configmaps "${name}" not found`)
    if (seen.method === 'DELETE') this.delete(name, namespace)
    return json(response, 200, seen.method === 'DELETE' ? { kind: 'Status', status: 'Success' } : object)
  }

  private watch(namespace: string, url: URL, response: ServerResponse): void {
    const from = Number(url.searchParams.get('resourceVersion'))
    response.setHeader('content-type', 'application/json')
    response.flushHeaders()
    if (from < this.forgottenUpTo) {
      const message = `too old resource version: ${from} (${this.version})`
      const object = { kind: 'Status', apiVersion: 'v1', status: 'Failure', message, reason: 'Expired', code: 410 }
      response.end(`${JSON.stringify({ type: 'ERROR', object })}\n`)
      return
    }
    for (const event of this.history) {
      const mine = namespace === '' || namespace === event.object.metadata.namespace
      if (event.version > from && mine) response.write(wire(event))
    }
    const watch = { namespace, response }
    this.watches.add(watch)
    response.on('close', () => this.watches.delete(watch))
  }
}

/** Answers with a Status body. */
export function status(
  response: ServerResponse,
  code: number,
  reason: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  json(response, code, { kind: 'Status', apiVersion: 'v1', status: 'Failure', message, reason, code }, headers)
}

function json(
  response: ServerResponse,
  code: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(code, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

function wire({ type, object }: HistoryEvent): string {
  return `${JSON.stringify({ type, object })}\n`
}
