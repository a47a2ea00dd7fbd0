import { Readable } from 'node:stream'
import type { Connections, Reply, Wire } from '../kube/connection.ts'
import type { ApiServer } from '../simulator/api-server.ts'
import { adminUser } from '../simulator/api-server.ts'

/** Wires to a server in this process: no socket, no TLS, no waiting. */
export function wiresTo(server: ApiServer): Connections {
  const wire: Wire = {
    request: async ({ method, path, headers, body }) => {
      const answer = server.handle({
        method,
        path,
        headers: headers as Readonly<Record<string, string>>,
        user: adminUser,
        ...(typeof body === 'string' ? { body } : {}),
      })
      if (answer.kind === 'watch') throw new Error('a rehearsal watches nothing')
      const text = answer.kind === 'json' ? JSON.stringify(answer.body) : answer.body
      return { statusCode: answer.status, headers: headersOf(answer.headers), body: bodyOf(text) }
    },
    close: async () => {},
    destroy: async () => {},
  }
  return { requests: wire, streams: wire }
}

function headersOf(headers: Readonly<Record<string, string | readonly string[]>>): Reply['headers'] {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      typeof value === 'string' ? value : [...value],
    ]),
  )
}

function bodyOf(text: string): Reply['body'] {
  return {
    text: async () => text,
    bytes: async () => Buffer.from(text),
    on: () => ({ destroy: () => undefined }),
    [Symbol.asyncIterator]: () => Readable.from([Buffer.from(text)])[Symbol.asyncIterator](),
  }
}
