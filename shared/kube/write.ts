import type { Limiter } from '../base/limiter.ts'
import { isObject, parseJson } from '../model/json.ts'
import type { GroupVersionKind, ResourceId } from '../model/kubernetes.ts'
import type { LiveObject } from '../model/live.ts'
import type { Cancellable } from '../model/ports.ts'
import type { Answer } from './answer-error.ts'
import { ClusterError } from './cluster-error.ts'
import type { LiveDecoder } from './live-object.ts'
import { objectPath, targetOf } from './resource-path.ts'
import type { ServedResource } from './resource-path.ts'
import type { ApiRequest, Transport } from './transport.ts'

/** What a server says in a `Warning` header beside an answer that is a success. */
export type ServerWarning = { readonly text: string; readonly gvk: GroupVersionKind; readonly id: ResourceId }

/** What every write goes through. */
export type Writer = {
  readonly transport: Transport
  readonly decoder: LiveDecoder
  /** Bounds dry runs and writes; reads are bounded by the connections alone. */
  readonly limiter: Limiter
  readonly resolve: (gvk: GroupVersionKind, options: Cancellable) => Promise<ServedResource>
  readonly onWarning: (warning: ServerWarning) => void
}

export type WriteRequest = {
  readonly gvk: GroupVersionKind
  readonly id: ResourceId
  readonly verb: string
  readonly method: ApiRequest['method']
  readonly query?: URLSearchParams
  readonly body: string
  readonly contentType: string
  readonly repeatable: boolean
}

/** Sends one write when the limiter lets it, and tells the limiter when the server has enough. */
export async function sendWrite(writer: Writer, request: WriteRequest, options: Cancellable): Promise<Answer> {
  const { gvk, id, body, contentType, repeatable, method } = request
  const served = await writer.resolve(gvk, options)
  const query = request.query === undefined ? '' : `?${request.query.toString()}`
  const answer = await writer.limiter.run(
    () =>
      writer.transport.send(
        {
          method,
          path: objectPath(served, id) + query,
          target: targetOf(request.verb, served, id),
          body,
          contentType,
          repeatable,
          onBusy: (retryAfterMs) => writer.limiter.backOff(retryAfterMs),
        },
        options,
      ),
    options,
  )
  for (const text of warningsOf(answer)) writer.onWarning({ text, gvk, id })
  return answer
}

/** @throws ClusterError `bad-answer` where the answer is not an object */
export function decodeAnswer(writer: Writer, answer: Answer): LiveObject {
  let value: unknown
  try {
    value = parseJson(answer.text)
  } catch (error) {
    throw new ClusterError('bad-answer', "the server's answer is not JSON", { cause: error })
  }
  if (!isObject(value as never)) throw new ClusterError('bad-answer', "the server's answer is not an object")
  return writer.decoder.decode(value as never)
}

const warning = /\d{3} \S+ "((?:[^"\\]|\\.)*)"/g

/** Texts of the `Warning` headers (RFC 7234 5.5), which a server may fold into one line. */
function warningsOf(answer: Pick<Answer, 'headers'>): readonly string[] {
  const { warning: header } = answer.headers
  if (header === undefined) return []
  const lines = typeof header === 'string' ? [header] : header
  return lines.flatMap((line) =>
    [...line.matchAll(warning)].map((match) => (match[1] ?? '').replaceAll(/\\(.)/g, '$1')),
  )
}
