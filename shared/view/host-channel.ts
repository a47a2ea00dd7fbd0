import { parseJson, stringifyJson } from '../model/json.ts'
import type { FromHost, HostEvent, HostFailure, HostMethod, HostParams, HostPart, HostResult, ToHost } from './host.ts'

/** What an answer may use: it ends with the signal, and may give parts before its result. */
export type Answering<M extends HostMethod> = {
  readonly signal: AbortSignal
  readonly part: (part: HostPart<M>) => void
}

/** What a front answers. A method that is not there is refused as `unsupported`. */
export type HostAnswers = {
  readonly [M in HostMethod]?: (params: HostParams<M>, options: Answering<M>) => Promise<HostResult<M>>
}

export type HostChannel = {
  /** Takes one message of the UI, as text. What is no message is dropped. */
  receive(text: string): void
  tell(event: HostEvent): void
  /** Cancels all that is under way. */
  dispose(): void
}

/** Longer messages are not read: the longest that the UI writes is a pasted key. */
const LONGEST = 1_000_000

/** The front's end of the port: over a webview's messages, a WebSocket or IPC, whatever carries text. */
export function openHostChannel(
  answers: HostAnswers,
  post: (text: string) => void,
  failureOf: (error: unknown) => HostFailure,
): HostChannel {
  const running = new Map<number, AbortController>()
  const send = (message: FromHost): void => post(stringifyJson(message))
  const answer = async ({ id, method, params }: Extract<ToHost, { kind: 'request' }>): Promise<void> => {
    const handler = Object.hasOwn(answers, method)
      ? (answers[method as HostMethod] as
          | ((params: unknown, options: Answering<HostMethod>) => Promise<unknown>)
          | undefined)
      : undefined
    if (handler === undefined) {
      send({ kind: 'failure', id, failure: { message: `${method} is not offered here`, reason: 'unsupported' } })
      return
    }
    const abort = new AbortController()
    running.set(id, abort)
    try {
      const part = (part: unknown): void => {
        if (!abort.signal.aborted) send({ kind: 'part', id, part })
      }
      const result = await handler(params, { signal: abort.signal, part })
      if (!abort.signal.aborted) send({ kind: 'result', id, result: result ?? null })
    } catch (error) {
      if (!abort.signal.aborted) send({ kind: 'failure', id, failure: failureOf(error) })
    } finally {
      running.delete(id)
    }
  }
  return {
    receive: (text) => {
      const message = readMessage(text)
      if (message?.kind === 'cancel') running.get(message.id)?.abort()
      else if (message !== undefined && !running.has(message.id)) void answer(message)
    },
    tell: (event) => send({ kind: 'event', event }),
    dispose: () => {
      for (const abort of running.values()) abort.abort()
      running.clear()
    },
  }
}

function readMessage(text: string): ToHost | undefined {
  if (text.length > LONGEST) return undefined
  let value: unknown
  try {
    value = parseJson(text)
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  const { kind, id, method, params } = value as { readonly [key: string]: unknown }
  if (typeof id !== 'number' || !Number.isSafeInteger(id)) return undefined
  if (kind === 'cancel') return { kind, id }
  return kind === 'request' && typeof method === 'string' ? { kind, id, method, params: params ?? null } : undefined
}
