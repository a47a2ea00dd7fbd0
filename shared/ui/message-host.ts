import { parseJson, stringifyJson } from '../model/json.ts'
import type {
  FromHost,
  HostEvent,
  HostFailure,
  HostMethod,
  HostParams,
  HostPart,
  HostResult,
  ToHost,
} from '../view/host.ts'

/** Text in both directions, whatever carries it. */
export type TextChannel = {
  send(text: string): void
  /** Everything that arrives from now on. */
  onText(listener: (text: string) => void): void
  /** What a reload must not lose, as JSON values. */
  getState(): unknown
  setState(state: unknown): void
}

export type RequestOptions<M extends HostMethod> = {
  readonly signal?: AbortSignal
  readonly onPart?: (part: HostPart<M>) => void
}

/** What the UI knows of its front. */
export interface Host {
  /** @throws HostError */
  request<M extends HostMethod>(method: M, params: HostParams<M>, options?: RequestOptions<M>): Promise<HostResult<M>>
  /** @returns the listener's removal */
  onEvent(listener: (event: HostEvent) => void): () => void
  getState(): unknown
  setState(state: unknown): void
}

/** Why the front gave no answer, in its words. */
export class HostError extends Error {
  readonly reason: string

  constructor({ message, reason }: HostFailure) {
    super(message)
    this.name = 'HostError'
    this.reason = reason
  }

  static is(error: unknown, reason?: string): error is HostError {
    return error instanceof HostError && (reason === undefined || error.reason === reason)
  }
}

type Waiting = {
  readonly resolve: (result: unknown) => void
  readonly reject: (error: Error) => void
  readonly onPart: ((part: unknown) => void) | undefined
}

/** A front behind a channel of text. */
export class MessageHost implements Host {
  readonly #channel: TextChannel
  readonly #waiting = new Map<number, Waiting>()
  readonly #listeners = new Set<(event: HostEvent) => void>()
  #count = 0

  constructor(channel: TextChannel) {
    this.#channel = channel
    channel.onText((text) => this.#receive(text))
  }

  async request<M extends HostMethod>(
    method: M,
    params: HostParams<M>,
    { signal, onPart }: RequestOptions<M> = {},
  ): Promise<HostResult<M>> {
    if (signal?.aborted === true) throw cancelled()
    this.#count += 1
    const id = this.#count
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        this.#waiting.delete(id)
        this.#send({ kind: 'cancel', id })
        reject(cancelled())
      }
      const end = (): void => signal?.removeEventListener('abort', stop)
      this.#waiting.set(id, {
        resolve: (result) => (end(), resolve(result as HostResult<M>)),
        reject: (error) => (end(), reject(error)),
        onPart: onPart as ((part: unknown) => void) | undefined,
      })
      signal?.addEventListener('abort', stop, { once: true })
      this.#send({ kind: 'request', id, method, params })
    })
  }

  onEvent(listener: (event: HostEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  getState(): unknown {
    return this.#channel.getState()
  }

  setState(state: unknown): void {
    this.#channel.setState(state)
  }

  /** The front is gone: nothing that waits will be answered. */
  lost(message: string): void {
    for (const { reject } of this.#waiting.values()) reject(new HostError({ message, reason: 'gone' }))
    this.#waiting.clear()
  }

  #send(message: ToHost): void {
    this.#channel.send(stringifyJson(message))
  }

  #receive(text: string): void {
    const message = parseJson(text) as unknown as FromHost
    if (message.kind === 'event') {
      for (const listener of this.#listeners) listener(message.event)
      return
    }
    const waiting = this.#waiting.get(message.id)
    if (message.kind === 'part') return waiting?.onPart?.(message.part)
    this.#waiting.delete(message.id)
    if (message.kind === 'result') waiting?.resolve(message.result)
    else waiting?.reject(new HostError(message.failure))
  }
}

function cancelled(): HostError {
  return new HostError({ message: 'it was cancelled', reason: 'cancelled' })
}
