import type { ApiRequest, ApiResponse } from './endpoints/api-types.ts'

interface ParserError extends Error {
  readonly code?: string
  readonly rawPacket?: Buffer
}

/**
 * The request behind a parser's complaint about its method: Node knows a fixed list of them, and kube-apiserver
 * answers all as what they are, a verb that nothing supports. Undefined for other complaints.
 */
export function requestOfUnknownMethod(error: Error): ApiRequest | undefined {
  const { code, rawPacket } = error as ParserError
  if (code !== 'HPE_INVALID_METHOD' || rawPacket === undefined) return undefined
  const [head = ''] = rawPacket.toString('latin1').split('\r\n\r\n', 1)
  const [first = '', ...lines] = head.split('\r\n')
  const [, method, path] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) (\/\S*) HTTP\/1\.[01]$/u.exec(first) ?? []
  if (method === undefined || path === undefined) return undefined
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  return { method, path, headers, body: Buffer.alloc(0) }
}

/** An answer as bytes for a connection that has no response of its own. */
export function answerBytes(answer: ApiResponse): string {
  const body = answer.kind === 'json' ? `${JSON.stringify(answer.body)}\n` : answer.kind === 'text' ? answer.body : ''
  const headers = Object.entries({ ...answer.headers, connection: 'close', 'content-length': Buffer.byteLength(body) })
  const lines = headers.map(([name, value]) => `${name}: ${String(value)}`)
  return `HTTP/1.1 ${answer.status} \r\n${lines.join('\r\n')}\r\n\r\n${body}`
}
