import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Channel } from '../host/channel.ts'
import type { Asset } from '../host/assets.ts'
import { contentSecurityPolicy, PAGE_HEADERS } from '../host/page-policy.ts'
import { Entrance } from './entrance.ts'
import { headsOf, refusalOf } from './loopback.ts'
import { ENTER_SCRIPT, enterPage, NOTICE_POLICY, noticePage } from './pages.ts'
import { acceptSockets } from './sockets.ts'

export type ServeOptions = {
  /** 0 for any free one. */
  readonly port: number
  readonly assets: ReadonlyMap<string, Asset>
  /** Called for each window that connects. */
  readonly onWindow: (channel: Channel) => void
}

export type WindowServer = {
  readonly port: number
  /** A new address to open, good for one browser. */
  readonly link: () => string
  readonly close: () => Promise<void>
}

/** Serves the window to browsers of this machine. @throws Error where the port is taken */
export async function serveWindow({ port, assets, onWindow }: ServeOptions): Promise<WindowServer> {
  const server = createServer({ maxHeaderSize: 16 * 1024, requestTimeout: 10_000 })
  await listen(server, port)
  const bound = (server.address() as AddressInfo).port
  // The port that is listened on names the cookie.
  const entrance = new Entrance(bound)
  server.on('request', (request, response) => answer(request, response, { entrance, assets }))
  const sockets = acceptSockets(server, entrance, onWindow)
  return {
    port: bound,
    link: () => `http://127.0.0.1:${bound}/?token=${entrance.issue()}`,
    close: async () => {
      sockets.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

type Served = { readonly entrance: Entrance; readonly assets: ReadonlyMap<string, Asset> }

function answer(request: IncomingMessage, response: ServerResponse, { entrance, assets }: Served): void {
  const refusal = refusalOf(headsOf(request))
  if (refusal !== undefined) return notice(response, 403, 'Refused', `Refused: ${refusal}.`)
  if (request.method !== 'GET' && request.method !== 'HEAD') return empty(response, 405)
  const [path = '', query = ''] = (request.url ?? '').split('?', 2)
  const token = new URLSearchParams(query).get('token')
  if (path === '/' && token !== null) return admit(request, response, entrance, token)
  if (path === '/enter.js') return send(response, 200, { type: 'text/javascript', bytes: Buffer.from(ENTER_SCRIPT) })
  if (!entrance.admits(request.headers.cookie)) {
    const text = 'Open the link that <code>plumbline serve</code> printed; it lets one browser in.'
    return notice(response, 401, 'Plumbline is here, and closed', text)
  }
  // The page asks this when its socket is refused, to know whether it is let in at all.
  if (path === '/here') return empty(response, 204)
  const asset = assets.get(path === '/' ? '/index.html' : path)
  if (asset === undefined) return notice(response, 404, 'Not here', 'There is no such page.')
  // Not every browser counts the socket of a page among its own origin.
  const host = request.headers.host ?? ''
  return send(response, 200, asset, {
    'Content-Security-Policy': contentSecurityPolicy(`'self' ws://${host}`),
  })
}

function admit(request: IncomingMessage, response: ServerResponse, entrance: Entrance, token: string): void {
  // A browser that only looks ahead must not use the link up.
  if (request.headers['sec-purpose'] !== undefined || request.method === 'HEAD') return empty(response, 503)
  const admission = entrance.redeem(token)
  if (admission !== undefined)
    return send(response, 200, page(enterPage(admission.key)), { ...NOTICE, 'Set-Cookie': admission.cookie })
  const text = 'A link lets one browser in, once. Press Enter where <code>plumbline serve</code> runs for a new one.'
  return notice(response, 403, 'This link is not good any more', text)
}

const NOTICE = { 'Content-Security-Policy': NOTICE_POLICY } as const

function page(text: string): Asset {
  return { type: 'text/html; charset=utf-8', bytes: Buffer.from(text) }
}

function notice(response: ServerResponse, status: number, title: string, text: string): void {
  send(response, status, page(noticePage(title, text)), NOTICE)
}

function empty(response: ServerResponse, status: number): void {
  response.writeHead(status, { ...PAGE_HEADERS, ...(status === 405 ? { Allow: 'GET, HEAD' } : {}) })
  response.end()
}

function send(
  response: ServerResponse,
  status: number,
  { type, bytes }: Asset,
  more: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { ...PAGE_HEADERS, 'Content-Type': type, 'Content-Length': bytes.length, ...more })
  response.end(bytes)
}

async function listen(server: Server, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject)
      resolve()
    })
  })
}
