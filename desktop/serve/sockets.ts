import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'
import { LONGEST_MESSAGE_BYTES, type Channel } from '../host/channel.ts'
import type { Entrance } from './entrance.ts'
import { headsOf, socketRefusalOf } from './loopback.ts'
import { KEY_PROTOCOL, SOCKET_PATH, SOCKET_PROTOCOL } from './socket-key.ts'

/** Windows of one person at once. */
const MOST_WINDOWS = 16
/** A browser that does not read is let go before what waits for it fills the memory. */
const MOST_WAITING_BYTES = 64 * 1024 * 1024
const PING_MS = 30_000

/** Takes WebSockets of our own page in a browser that came in by a link; all others are refused before the upgrade. */
export function acceptSockets(
  server: Server,
  entrance: Entrance,
  onWindow: (channel: Channel) => void,
): { close(): void } {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: LONGEST_MESSAGE_BYTES,
    perMessageDeflate: false,
    handleProtocols: (protocols) => (protocols.has(SOCKET_PROTOCOL) ? SOCKET_PROTOCOL : false),
  })
  server.on('upgrade', (request, stream, head) => {
    stream.on('error', () => undefined)
    const status = refusedStatus(request, entrance, sockets.clients.size)
    if (status !== undefined) return refuse(stream, status)
    sockets.handleUpgrade(request, stream, head, (socket) => onWindow(channelOf(socket)))
  })
  return {
    close: () => {
      for (const socket of sockets.clients) socket.close(1001, 'the server ends')
      sockets.close()
    },
  }
}

function refusedStatus(request: IncomingMessage, entrance: Entrance, open: number): string | undefined {
  if (request.url !== SOCKET_PATH) return '404 Not Found'
  if (socketRefusalOf(headsOf(request)) !== undefined) return '403 Forbidden'
  const protocols = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim())
  const key = protocols.find((name) => name.startsWith(KEY_PROTOCOL))?.slice(KEY_PROTOCOL.length)
  if (!entrance.admitsSocket(request.headers.cookie, key)) return '401 Unauthorized'
  return open < MOST_WINDOWS ? undefined : '503 Service Unavailable'
}

function refuse(stream: Duplex, status: string): void {
  stream.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}

function channelOf(socket: WebSocket): Channel {
  let alive = true
  const timer = setInterval(() => {
    if (!alive) return socket.terminate()
    alive = false
    socket.ping()
  }, PING_MS)
  socket.on('pong', () => (alive = true))
  socket.on('close', () => clearInterval(timer))
  // Too long a message, or bytes that are no text: the library ends the connection with the code that says so.
  socket.on('error', () => undefined)
  return {
    send: (text) => {
      if (socket.readyState !== socket.OPEN) return
      if (socket.bufferedAmount > MOST_WAITING_BYTES) return socket.terminate()
      socket.send(text)
    },
    onText: (listener) =>
      void socket.on('message', (data, isBinary) => {
        if (isBinary) return socket.close(1003, 'texts only')
        listener((data as Buffer).toString('utf8'))
      }),
    onEnd: (listener) => void socket.once('close', listener),
    end: (reason) => socket.close(1008, reason.slice(0, 100)),
  }
}
