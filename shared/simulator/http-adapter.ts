import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Server } from 'node:https'
import type { Duplex } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import type { ApiServer } from './api-server.ts'
import type { ApiResponse, UserInfo } from './endpoints/api-types.ts'
import { StatusError } from './errors.ts'
import { answerBytes, requestOfUnknownMethod } from './unknown-method.ts'

/** kube-apiserver's limit for a request's body. */
export const maximumBodyBytes = 3 * 1024 * 1024
/** A watch that lags by this much is ended; its client starts over. */
const maximumLagBytes = 64 * 1024 * 1024

/** Reads a request off its socket, answers it, and keeps watches fed. */
export function handleSocketRequest(apiServer: ApiServer, request: IncomingMessage, response: ServerResponse): void {
  const user = certificateUser(request)
  const chunks: Buffer[] = []
  let size = 0
  request.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size <= maximumBodyBytes) chunks.push(chunk)
    else if (!response.headersSent) send(response, tooLarge(), request)
  })
  request.on('end', () => {
    if (response.headersSent) return
    const answer = apiServer.handle({
      method: request.method ?? 'GET',
      path: request.url ?? '/',
      headers: flatHeaders(request),
      body: chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks),
      ...(user === undefined ? {} : { user }),
    })
    send(response, answer, request)
  })
  // A client that goes away needs no answer.
  request.on('error', () => response.destroy())
  response.on('error', () => response.destroy())
}

function tooLarge(): ApiResponse {
  const error = new StatusError(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${maximumBodyBytes}`)
  return {
    kind: 'json',
    status: 413,
    headers: { 'content-type': 'application/json', connection: 'close' },
    body: error.toStatus(),
  }
}

function send(response: ServerResponse, answer: ApiResponse, request: IncomingMessage): void {
  for (const [name, value] of Object.entries(answer.headers)) {
    response.setHeader(name, typeof value === 'string' ? value : [...value])
  }
  response.setHeader('cache-control', 'no-cache, private')
  switch (answer.kind) {
    case 'watch':
      feed(response, answer)
      return
    case 'text':
    case 'json': {
      const body = answer.kind === 'text' ? answer.body : `${JSON.stringify(answer.body)}\n`
      response.writeHead(answer.status, { 'content-length': Buffer.byteLength(body) })
      response.end(request.method === 'HEAD' ? undefined : body)
    }
  }
}

function feed(response: ServerResponse, answer: Extract<ApiResponse, { kind: 'watch' }>): void {
  response.writeHead(answer.status)
  response.flushHeaders()
  let ended = false
  const stop = answer.start({
    write(line) {
      if (ended) return
      if (response.writableLength > maximumLagBytes) response.destroy()
      else response.write(line)
    },
    end() {
      ended = true
      response.end()
    },
  })
  response.on('close', stop)
}

function flatHeaders(request: IncomingMessage): Record<string, string | undefined> {
  const headers: Record<string, string | undefined> = {}
  for (const [name, value] of Object.entries(request.headers)) {
    headers[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return headers
}

/** The user a client certificate names, where our own authority signed it. */
function certificateUser(request: IncomingMessage): UserInfo | undefined {
  const socket = request.socket as TLSSocket
  if (!socket.authorized) return undefined
  const subject = socket.getPeerCertificate().subject as { CN?: string; O?: string | string[] } | undefined
  if (subject?.CN === undefined) return undefined
  const groups = subject.O === undefined ? [] : [subject.O].flat()
  return { name: subject.CN, groups: [...groups, 'system:authenticated'] }
}

/**
 * A client may send bytes that are no request behind one that is (a DELETE with a body that its headers do not
 * announce). The request is answered before the connection is ended.
 */
export function waitOutClientErrors(server: Server, apiServer: ApiServer): void {
  const open = new WeakMap<Duplex, ServerResponse>()
  server.on('request', (request: IncomingMessage, response: ServerResponse) => open.set(request.socket, response))
  server.on('clientError', (error: Error, socket: Duplex) => {
    const response = open.get(socket)
    const unknown = requestOfUnknownMethod(error)
    if (unknown !== undefined && response?.writableFinished !== false) {
      socket.end(answerBytes(apiServer.handle(unknown)))
      return
    }
    if (response === undefined || response.writableFinished) {
      socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n')
      return
    }
    response.once('finish', () => socket.end())
  })
}
