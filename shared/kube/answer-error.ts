import { isArray, isObject, parseJson } from '../model/json.ts'
import type { Json, JsonObject } from '../model/json.ts'
import { redact } from '../base/redact.ts'
import { ClusterError } from './cluster-error.ts'
import type { ClusterErrorReason, RequestTarget, StatusCause } from './cluster-error.ts'

/** An HTTP answer, whole. */
export type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

const byStatus: Readonly<Record<number, ClusterErrorReason>> = {
  400: 'bad-request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not-found',
  405: 'bad-request',
  406: 'unsupported-media',
  408: 'timeout',
  409: 'conflict',
  410: 'gone',
  413: 'too-large',
  415: 'unsupported-media',
  422: 'invalid',
  429: 'too-many-requests',
  504: 'timeout',
}

/** Makes an error of an answer that is not a success: a Status body, or whatever a proxy on the way wrote. */
export function errorOfAnswer(answer: Answer, target: RequestTarget): ClusterError {
  return errorOfStatus(statusBody(answer.text), answer, target)
}

/** Makes an error of a Status object, as a watch sends it in an ERROR event. */
export function errorOfStatusObject(body: JsonObject, target: RequestTarget): ClusterError {
  const code = typeof body['code'] === 'number' ? body['code'] : 500
  return errorOfStatus(body, { status: code, headers: {}, text: '' }, target)
}

function errorOfStatus(body: JsonObject | undefined, answer: Answer, target: RequestTarget): ClusterError {
  const details = isObject(body?.['details']) ? body['details'] : {}
  const serverReason = text(body?.['reason'])
  const retryAfterMs = retryAfter(answer, details)
  const message = messageOf(body, answer, target)
  // kube-apiserver answers 500 to a configuration that does not fit its kind's schema.
  const untyped = answer.status === 500 && message.startsWith('failed to create typed patch object')
  return new ClusterError(untyped ? 'invalid' : reasonOf(answer.status, serverReason), message, {
    status: answer.status,
    causes: causesOf(details['causes']),
    target,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(serverReason === undefined ? {} : { serverReason }),
  })
}

/** The server's words for people, with the parts that a bare 401 or a proxy's page leave out. */
function messageOf(body: JsonObject | undefined, answer: Answer, target: RequestTarget): string {
  const message = text(body?.['message'])
  if (answer.status === 401) return 'the server does not accept the credentials (401 Unauthorized)'
  if (message !== undefined && message !== '') return message
  const what = target.resource === undefined ? target.verb : `${target.verb} ${target.resource}`
  if (answer.status === 403) return `${what} is forbidden`
  const plain = plainText(answer)
  return `the server answered ${answer.status} to ${what}${plain === '' ? '' : `: ${plain}`}`
}

function plainText(answer: Answer): string {
  const type = answer.headers['content-type']
  if (typeof type === 'string' && type.includes('html')) return ''
  // Redacted, since a proxy may echo the request.
  return redact(answer.text.trim().slice(0, 300).replaceAll(/\s+/g, ' '))
}

function reasonOf(status: number, serverReason: string | undefined): ClusterErrorReason {
  if (status === 409 && serverReason === 'AlreadyExists') return 'already-exists'
  const known = byStatus[status]
  if (known !== undefined) return known
  return status >= 500 ? 'server-error' : 'bad-answer'
}

function causesOf(value: Json | undefined): readonly StatusCause[] {
  if (!isArray(value)) return []
  return value.filter(isObject).map((cause) => {
    const reason = text(cause['reason'])
    const field = text(cause['field'])
    return {
      message: text(cause['message']) ?? '',
      ...(reason === undefined ? {} : { reason }),
      ...(field === undefined ? {} : { field }),
    }
  })
}

/** Retry-After in seconds or as a date, else `details.retryAfterSeconds`. */
function retryAfter(answer: Answer, details: JsonObject): number | undefined {
  const header = answer.headers['retry-after']
  if (typeof header === 'string') {
    if (/^\d+$/.test(header)) return Number(header) * 1000
    const at = Date.parse(header)
    if (!Number.isNaN(at)) return Math.max(0, at - Date.now())
  }
  const seconds = details['retryAfterSeconds']
  return typeof seconds === 'number' ? seconds * 1000 : undefined
}

function statusBody(body: string): JsonObject | undefined {
  if (!body.startsWith('{')) return undefined
  try {
    const parsed = parseJson(body)
    return isObject(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

function text(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}
