import assert from 'node:assert/strict'
import { request } from 'node:http'
import { connect } from 'node:net'
import { WebSocket } from 'ws'
import type { Served } from './served-window.ts'

type Visit = {
  readonly status: number
  readonly headers: Record<string, string | string[] | undefined>
  readonly body: string
}

/** A request as a program sends it: any header may be forged, which no browser does. */
export async function visit(url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Visit> {
  return new Promise((resolve, reject) => {
    const { port, pathname, search } = new URL(url)
    const sent = request({ host: '127.0.0.1', port, path: `${pathname}${search}`, headers, method }, (answer) => {
      let body = ''
      answer.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')))
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body }))
    })
    sent.on('error', reject)
    sent.end()
  })
}

type Pass = { readonly cookie: string; readonly key: string }

/** Comes in by a link. */
export async function enter(served: Served): Promise<Pass> {
  const { status, headers, body } = await visit(served.link())
  assert.equal(status, 200)
  const cookie = String(headers['set-cookie']).split(';')[0] ?? ''
  return { cookie, key: /data-key="([\w-]+)"/.exec(body)?.[1] ?? '' }
}

/** How an attempt to open the window's socket ends: `open`, or the status that refuses it. */
export async function attempt(
  served: Served,
  {
    cookie,
    key,
    origin = served.origin,
    path = '/socket',
    host,
  }: Partial<Pass> & { origin?: string | undefined; path?: string; host?: string },
): Promise<'open' | number> {
  const { port } = new URL(served.origin)
  const headers = { ...(cookie === undefined ? {} : { cookie }), ...(host === undefined ? {} : { host }) }
  const socket = new WebSocket(
    `ws://127.0.0.1:${port}${path}`,
    key === undefined ? ['plumbline'] : ['plumbline', `key.${key}`],
    {
      headers,
      ...(origin === '' ? {} : { origin }),
    },
  )
  try {
    return await new Promise((resolve, reject) => {
      socket.once('open', () => resolve('open'))
      socket.once('unexpected-response', (_, answer) => resolve(answer.statusCode ?? 0))
      socket.once('error', reject)
    })
  } finally {
    socket.on('error', () => undefined)
    socket.terminate()
  }
}

/** The code that a socket is closed with. */
export async function closed(socket: WebSocket): Promise<number> {
  return new Promise((resolve) => socket.once('close', resolve))
}

/** Asks one after the other. @returns method, what was expected, and the reason of the refusal or `result` */
export async function ask(
  socket: WebSocket,
  asked: readonly (readonly [method: string, params: unknown, expected: string])[],
): Promise<readonly (readonly [string, string, string])[]> {
  const answers: (readonly [string, string, string])[] = []
  for (const [index, [method, params, expected]] of asked.entries()) {
    const id = 1000 + index
    const answer = new Promise<string>((resolve) => {
      const listener = (data: Buffer): void => {
        const message = JSON.parse(data.toString('utf8')) as {
          readonly id?: number
          readonly kind: string
          readonly failure?: { readonly reason: string }
        }
        if (message.id !== id) return
        socket.off('message', listener)
        resolve(message.failure?.reason ?? message.kind)
      }
      socket.on('message', listener)
    })
    socket.send(JSON.stringify({ kind: 'request', id, method, params }))
    answers.push([method, expected, await answer])
  }
  return answers
}

/** Sends bytes as they are: every client would tidy up a path. @returns all that comes back */
export async function raw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    let answer = ''
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString('utf8')))
    socket.on('end', () => resolve(answer))
    socket.on('error', reject)
  })
}
