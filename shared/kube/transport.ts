import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { CancelledError, sleep, throwIfAborted } from '../base/abort.ts'
import type { Cancellable } from '../model/ports.ts'
import { errorOfAnswer } from './answer-error.ts'
import type { Answer } from './answer-error.ts'
import { ClusterError } from './cluster-error.ts'
import type { RequestTarget } from './cluster-error.ts'
import type { ConnectionConfig } from './config.ts'
import { connect, serverFacts } from './connection.ts'
import type { Connections, Reply, ServerFacts } from './connection.ts'
import { errorOfConnection, wasReset } from './connection-error.ts'
import { credentialSource } from './credentials.ts'
import type { Credentials, CredentialSource } from './credentials.ts'
import { isLoopback } from './proxy.ts'

export type ApiRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With the query, escaped. */
  readonly path: string
  readonly target: RequestTarget
  readonly body?: string
  readonly contentType?: string
  readonly accept?: string
  readonly ifNoneMatch?: string | undefined
  /** Whether sending it twice does what sending it once does: reads and dry runs. */
  readonly repeatable: boolean
  /** Called when the server says that it is too much, with the milliseconds that it asks for. */
  readonly onBusy?: (retryAfterMs: number) => void
}

const defaultTimeoutMs = 60_000
const maxAttempts = 5
/** A server that asks for more is not waited for: the caller is told instead. */
const longestWaitMs = 30_000
const gunzipAsync = promisify(gunzip)

/** HTTP to one API server: credentials, sockets, retries, and errors that say what was wrong. */
export class Transport {
  private readonly config: ConnectionConfig
  private readonly timeoutMs: number
  private readonly source: CredentialSource
  private facts: Promise<ServerFacts> | undefined
  private connections: (Connections & { readonly cert: Credentials['cert'] }) | undefined
  private readonly given: Connections | undefined
  private disposed = false

  /**
   * @param timeoutMs how long the server may take to begin an answer, or to go on with it
   * @param given wires of the caller's own instead of sockets
   */
  constructor(config: ConnectionConfig, timeoutMs = defaultTimeoutMs, given?: Connections) {
    this.config = config
    this.timeoutMs = timeoutMs
    this.given = given
    this.source = credentialSource(config)
  }

  /** @returns the answer, 2xx or 304. @throws ClusterError, CancelledError */
  async send(request: ApiRequest, { signal }: Cancellable): Promise<Answer> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.once(request, signal)
      } catch (error) {
        const waitMs = retryDelay(error, request, attempt)
        if (waitMs === undefined) throw error
        await sleep(waitMs, { signal })
      }
    }
  }

  /**
   * Opens an answer that comes in pieces, such as a watch.
   * @param silenceMs how long nothing may come before the connection counts as lost
   * @throws ClusterError, also while it is read
   */
  async *stream(
    request: ApiRequest,
    { signal, silenceMs, onOpen }: Cancellable & { readonly silenceMs: number; readonly onOpen?: () => void },
  ): AsyncGenerator<Buffer> {
    const { response } = await this.dispatch(request, 'streams', silenceMs, signal)
    try {
      if (response.statusCode >= 300) throw errorOfAnswer(await answerOf(response), request.target)
      onOpen?.()
      for await (const chunk of response.body) yield chunk as Buffer
    } catch (error) {
      throw errorOfConnection(error, this.config.cluster.server, request.target)
    } finally {
      response.body.on('error', () => undefined).destroy()
    }
  }

  /** Ends every connection, those in use too. */
  async dispose(): Promise<void> {
    this.disposed = true
    const { connections } = this
    this.connections = undefined
    await Promise.all([connections?.requests.destroy(), connections?.streams.destroy()])
  }

  private async once(request: ApiRequest, signal: AbortSignal | undefined): Promise<Answer> {
    const first = await this.exchange(request, undefined, signal)
    if (first.answer.status !== 401) return checked(first.answer, request)
    // Plugins give a new token when the old one ended early; a fixed one stays the same and the 401 stands.
    const renewed = await this.source.get({ rejected: first.credentials })
    if (sameLogin(renewed, first.credentials)) return checked(first.answer, request)
    return checked((await this.exchange(request, renewed, signal)).answer, request)
  }

  private async exchange(
    request: ApiRequest,
    credentials: Credentials | undefined,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly answer: Answer; readonly credentials: Credentials }> {
    const sent = await this.dispatch(request, 'requests', this.timeoutMs, signal, credentials)
    try {
      return { answer: await answerOf(sent.response), credentials: sent.credentials }
    } catch (error) {
      throw errorOfConnection(error, this.config.cluster.server, request.target)
    }
  }

  private async dispatch(
    request: ApiRequest,
    through: keyof Connections,
    bodyTimeoutMs: number,
    signal: AbortSignal | undefined,
    known?: Credentials,
  ): Promise<{ readonly response: Reply; readonly credentials: Credentials }> {
    throwIfAborted(signal)
    this.facts ??= serverFacts(this.config)
    const facts = await this.facts
    const credentials = known ?? this.source.valid ?? (await this.source.get())
    const connections = this.connectionsFor(facts, credentials)
    try {
      const response = await connections[through].request({
        origin: facts.url.origin,
        method: request.method,
        path: facts.prefix + request.path,
        headers: this.headers(request, credentials, facts, through),
        ...(request.body === undefined ? {} : { body: request.body }),
        signal: signal ?? null,
        headersTimeout: this.timeoutMs,
        bodyTimeout: bodyTimeoutMs,
      })
      return { response, credentials }
    } catch (error) {
      throw errorOfConnection(error, this.config.cluster.server, request.target)
    }
  }

  /** New sockets when the client certificate is a new one; what runs on the old ones may end. */
  private connectionsFor(facts: ServerFacts, credentials: Credentials): Connections {
    if (this.disposed) throw new CancelledError()
    if (this.given !== undefined) return this.given
    if (this.connections !== undefined && String(this.connections.cert) === String(credentials.cert)) {
      return this.connections
    }
    const old = this.connections
    this.connections = { ...connect(facts, credentials), cert: credentials.cert }
    if (old !== undefined) void Promise.allSettled([old.requests.close(), old.streams.close()])
    return this.connections
  }

  private headers(
    request: ApiRequest,
    credentials: Credentials,
    facts: ServerFacts,
    through: keyof Connections,
  ): Record<string, string | string[]> {
    const headers: Record<string, string | string[]> = {
      ...credentials.headers,
      accept: request.accept ?? 'application/json',
      'user-agent': 'plumbline',
    }
    if (request.contentType !== undefined) headers['content-type'] = request.contentType
    if (request.ifNoneMatch !== undefined) headers['if-none-match'] = request.ifNoneMatch
    // On this machine the packing costs more than the bytes; watches must not wait in a packer's buffer.
    const pack = through === 'requests' && !isLoopback(facts.url.hostname) && !this.config.cluster.disableCompression
    if (pack && request.method === 'GET') headers['accept-encoding'] = 'gzip'
    return headers
  }
}

async function answerOf(response: Reply): Promise<Answer> {
  const { statusCode: status, headers } = response
  if (headers['content-encoding'] !== 'gzip') return { status, headers, text: await response.body.text() }
  const bytes = await gunzipAsync(await response.body.bytes())
  return { status, headers, text: bytes.toString('utf8') }
}

function checked(answer: Answer, request: ApiRequest): Answer {
  if ((answer.status >= 200 && answer.status < 300) || answer.status === 304) return answer
  throw errorOfAnswer(answer, request.target)
}

function sameLogin(a: Credentials, b: Credentials): boolean {
  return JSON.stringify(a.headers) === JSON.stringify(b.headers) && String(a.cert) === String(b.cert)
}

/** @returns how long to wait before the next try, undefined when there is to be none. */
function retryDelay(error: unknown, request: ApiRequest, attempt: number): number | undefined {
  if (!ClusterError.is(error)) return undefined
  const asked = error.retryAfterMs
  // A 429 was turned away before anything was done, so it may be sent again whatever it is.
  const busy = error.status === 429 || (error.status === 503 && request.repeatable)
  const backoffMs = Math.round(100 * 2 ** (attempt - 1) * (1 + Math.random() / 2))
  const waitMs = Math.max(asked ?? 0, backoffMs)
  if (busy) request.onBusy?.(asked ?? 0)
  if (attempt >= maxAttempts || waitMs > longestWaitMs) return undefined
  if (busy) return waitMs
  const again = request.repeatable && (wasReset(error.cause) || (error.status === 500 && asked !== undefined))
  return again ? backoffMs : undefined
}
