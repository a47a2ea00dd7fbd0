import { createServer as createHttp, request as sendOnward } from 'node:http'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '../../shared/base/process.ts'

/** `git http-backend` behind Node's own server on loopback. */
export interface GitServer {
  readonly url: string
  /** Every request since the start: method, path, and who asked. */
  readonly requests: readonly { readonly line: string; readonly authorization: string | undefined }[]
  /** Takes a request before git does; returns whether it did. */
  intercept: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined
  close(): Promise<void>
}

/** What a server asks of its clients. */
export interface GitServerOptions {
  /** Folder of the bare repositories. */
  readonly folder: string
  /** The one Authorization header that is let in. */
  readonly authorization?: string
  readonly tls?: Certificate
}

/** A certificate for 127.0.0.1 that no system trusts. */
export interface Certificate {
  readonly key: string
  readonly cert: string
}

/** @returns undefined where there is no openssl. */
export async function selfSigned(folder: string): Promise<Certificate | undefined> {
  const key = join(folder, 'key.pem')
  const cert = join(folder, 'cert.pem')
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2']
  const args = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', ...subject]
  const done = await run('openssl', [...args, '-keyout', key, '-out', cert], { timeoutMs: 30_000 })
  if (done.kind !== 'exited' || done.code !== 0) return undefined
  return { key: await readFile(key, 'utf8'), cert: await readFile(cert, 'utf8') }
}

/** Serves every bare repository of a folder; the caller closes it. */
export async function serveGit({ folder, authorization, tls }: GitServerOptions): Promise<GitServer> {
  const requests: { line: string; authorization: string | undefined }[] = []
  const listener: RequestListener = (request, response) => {
    requests.push({ line: `${request.method} ${request.url}`, authorization: request.headers.authorization })
    if (git.intercept?.(request, response) === true) return
    if (authorization !== undefined && request.headers.authorization !== authorization) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="test"' }).end()
      return
    }
    backend(folder, request, response).catch((error: unknown) => response.destroy(error as Error))
  }
  const server = tls === undefined ? createHttp(listener) : createHttps(tls, listener)
  const port = await listen(server)
  const git: GitServer = {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    requests,
    intercept: undefined,
    close: () => close(server),
  }
  return git
}

/** A proxy that only joins connections, and counts them. */
export async function serveProxy(): Promise<{
  readonly url: string
  readonly targets: string[]
  close(): Promise<void>
}> {
  const targets: string[] = []
  const server = createHttp((request, response) => {
    // Plain http goes through a proxy by its whole URL.
    targets.push(new URL(request.url ?? '').host)
    const { hostname, port, pathname, search } = new URL(request.url ?? '')
    const options = { hostname, port, path: pathname + search, method: request.method, headers: request.headers }
    const onward = sendOnward(options, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    })
    request.pipe(onward)
  })
  server.on('connect', (request, client, head) => {
    targets.push(request.url ?? '')
    const { hostname, port } = new URL(`http://${request.url}`)
    const upstream = connect(Number(port), hostname, () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n')
      upstream.write(head)
      upstream.pipe(client)
      client.pipe(upstream)
    })
    upstream.on('error', () => client.destroy())
    client.on('error', () => upstream.destroy())
  })
  const port = await listen(server)
  return { url: `http://127.0.0.1:${port}`, targets, close: () => close(server) }
}

/** One call of the CGI program (git-http-backend(1)). */
async function backend(folder: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://localhost')
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    GIT_PROJECT_ROOT: folder,
    GIT_HTTP_EXPORT_ALL: '1',
    PATH_INFO: decodeURIComponent(url.pathname),
    QUERY_STRING: url.search.slice(1),
    REQUEST_METHOD: request.method,
    CONTENT_TYPE: request.headers['content-type'] ?? '',
    HTTP_CONTENT_ENCODING: request.headers['content-encoding'],
    GIT_PROTOCOL: request.headers['git-protocol']?.toString(),
    REMOTE_ADDR: '127.0.0.1',
  }
  const done = await run('git', ['http-backend'], { env, input: await buffer(request), timeoutMs: 60_000 })
  if (done.kind !== 'exited') throw new Error(`http-backend: ${done.kind}`)
  const end = done.stdout.indexOf('\r\n\r\n')
  const headers = done.stdout.toString('latin1', 0, end).split('\r\n')
  let status = 200
  for (const header of headers) {
    const [, name = '', value = ''] = /^([^:]+):\s*(.*)$/.exec(header) ?? []
    if (name.toLowerCase() === 'status') status = Number.parseInt(value, 10)
    else if (name !== '') response.setHeader(name, value)
  }
  response.writeHead(status).end(done.stdout.subarray(end + 4))
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise<void>((resolve) => void server.close(() => resolve()))
}
