import { Worker } from 'node:worker_threads'
import type { JqAnswer, JqQuestion } from './jq-worker.ts'

/** What Argo CD allows one expression (`util/argo/normalizers/diff_normalizer.go`). */
const TIME_LIMIT_MS = 1000
/** The first question also loads the interpreter, on a machine that may be busy. */
const LOADING_MS = 5000

export class JqError extends Error {
  readonly reason: 'bad-expression' | 'too-slow'

  constructor(reason: JqError['reason'], message: string) {
    super(message)
    this.name = 'JqError'
    this.reason = reason
  }

  static is(error: unknown): error is JqError {
    return error instanceof JqError
  }
}

type Waiting = { readonly resolve: (output: string) => void; readonly reject: (error: Error) => void }

/** The real jq (WebAssembly) in a thread of its own, started at the first question. */
export class Jq {
  #worker: Worker | undefined
  #next = 0
  readonly #waiting = new Map<number, Waiting>()

  /** The paths that an expression selects. @throws JqError */
  async paths(expression: string, value: unknown): Promise<readonly (readonly (string | number)[])[]> {
    const output = await this.#ask(`[path(${expression})]`, JSON.stringify(value, bigintAsNumber))
    return JSON.parse(output) as (string | number)[][]
  }

  async dispose(): Promise<void> {
    const worker = this.#worker
    this.#worker = undefined
    await worker?.terminate()
  }

  #ask(expression: string, json: string): Promise<string> {
    const limitMs = this.#worker === undefined ? TIME_LIMIT_MS + LOADING_MS : TIME_LIMIT_MS
    const worker = (this.#worker ??= this.#start())
    const id = this.#next++
    return new Promise<string>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(id)
        void this.dispose()
        reject(new JqError('too-slow', `jq took longer than ${TIME_LIMIT_MS / 1000} s for ${expression}`))
      }, limitMs)
      const end = (): void => clearTimeout(timer)
      this.#waiting.set(id, {
        resolve: (output) => (end(), resolve(output)),
        reject: (error) => (end(), reject(error)),
      })
      const question: JqQuestion = { id, expression, json }
      worker.postMessage(question)
    })
  }

  #start(): Worker {
    // Beside this file in the sources, beside the bundle in dist.
    const file = import.meta.url.endsWith('.ts') ? './jq-worker.ts' : './jq-worker.js'
    const worker = new Worker(new URL(file, import.meta.url))
    worker.unref()
    worker.on('message', (answer: JqAnswer) => {
      const waiting = this.#waiting.get(answer.id)
      this.#waiting.delete(answer.id)
      if ('output' in answer) waiting?.resolve(answer.output)
      else waiting?.reject(new JqError('bad-expression', answer.error))
    })
    worker.on('error', (error) => {
      for (const waiting of this.#waiting.values()) waiting.reject(error)
      this.#waiting.clear()
      if (this.#worker === worker) this.#worker = undefined
    })
    return worker
  }
}

function bigintAsNumber(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value
}
