import type { GitHttpRequest, GitHttpResponse, HttpClient } from 'isomorphic-git'
import { Agent, EnvHttpProxyAgent, ProxyAgent, request } from 'undici'
import type { Dispatcher } from 'undici'
import { CancelledError, isCancelled } from '../base/abort.ts'
import { GitError } from './git-error.ts'
import type { GitReason } from './git-error.ts'

/** How isomorphic-git reaches the network. */
export interface HttpsOptions {
  readonly proxy?: string | undefined
  readonly certificates?: string | undefined
  /** Value of the Authorization header, sent to the first host alone. */
  readonly authorization?: string | undefined
  readonly signal?: AbortSignal | undefined
}

const maxRedirects = 5

/** An HTTP client for isomorphic-git, and its end. */
export interface HttpsClient extends HttpClient {
  close(): Promise<void>
}

/** Makes a client with the person's certificates and proxy. Errors are GitErrors. */
export function httpsClient(options: HttpsOptions): HttpsClient {
  const dispatcher = dispatcherFor(options)
  return {
    request: (wanted) => send(wanted, dispatcher, options),
    // Nothing is awaited of the server any more, so nothing is waited for.
    close: () => dispatcher.destroy(),
  }
}

function dispatcherFor({ proxy, certificates }: HttpsOptions): Dispatcher {
  const tls = certificates === undefined ? {} : { ca: certificates }
  if (proxy !== undefined) return new ProxyAgent({ uri: proxy, requestTls: tls })
  const fromEnvironment = ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY'].some((name) => process.env[name])
  return fromEnvironment ? new EnvHttpProxyAgent({ requestTls: tls, connect: tls }) : new Agent({ connect: tls })
}

async function send(wanted: GitHttpRequest, dispatcher: Dispatcher, options: HttpsOptions): Promise<GitHttpResponse> {
  const body = await collected(wanted.body)
  const origin = new URL(wanted.url).origin
  let url = wanted.url
  try {
    for (let redirects = 0; ; redirects += 1) {
      const own = new URL(url).origin === origin && options.authorization !== undefined
      const response = await request(url, {
        dispatcher,
        method: wanted.method === 'POST' ? 'POST' : 'GET',
        headers: { ...wanted.headers, ...(own ? { authorization: options.authorization } : {}) },
        body: body ?? null,
        signal: options.signal ?? null,
      })
      const location = response.headers['location']
      if (
        response.statusCode >= 300 &&
        response.statusCode < 400 &&
        typeof location === 'string' &&
        redirects < maxRedirects
      ) {
        await response.body.dump()
        url = new URL(location, url).href
        continue
      }
      return await answer(wanted.url, url, response)
    }
  } catch (error) {
    throw networkError(error, new URL(url).host)
  }
}

async function answer(asked: string, url: string, response: Dispatcher.ResponseData): Promise<GitHttpResponse> {
  const { statusCode } = response
  if (statusCode >= 400) {
    await response.body.dump()
    throw new GitError(reasonOfStatus(statusCode), `${asked} answered ${statusCode}`)
  }
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(response.headers)) headers[name] = String(value)
  return { url, method: '', headers, body: iterate(response.body), statusCode, statusMessage: String(statusCode) }
}

async function* iterate(body: AsyncIterable<Uint8Array>): AsyncIterableIterator<Uint8Array> {
  yield* body
}

function reasonOfStatus(status: number): GitReason {
  if (status === 401 || status === 407) return 'auth-failed'
  if (status === 403) return 'forbidden'
  return status === 404 || status === 410 ? 'repository-not-found' : 'unreachable'
}

/** Codes of Node's TLS (tls.TLSSocket, X509 certificate error codes) that speak of the certificate. */
const certificateCode = /CERT|SELF_SIGNED|UNABLE_TO|ALTNAME|ERR_TLS|ERR_SSL/

function networkError(error: unknown, host: string): unknown {
  if (GitError.is(error)) return error
  if (isCancelled(error)) return new CancelledError(error)
  const { code, message } = error as { code?: unknown; message?: unknown }
  if (typeof code === 'string' && certificateCode.test(code)) {
    return new GitError('certificate', `the certificate of ${host} is not trusted: ${String(message)}`, error)
  }
  if (typeof code === 'string' && /TIMEOUT|ETIMEDOUT/.test(code)) {
    return new GitError('timed-out', `${host} did not answer in time`, error)
  }
  return new GitError('unreachable', `${host} cannot be reached: ${String(message)}`, error)
}

async function collected(body: GitHttpRequest['body']): Promise<Buffer | undefined> {
  if (body === undefined) return undefined
  const chunks: Uint8Array[] = []
  // isomorphic-git hands over plain arrays of chunks too, whatever its types say.
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) chunks.push(chunk)
  return Buffer.concat(chunks)
}
