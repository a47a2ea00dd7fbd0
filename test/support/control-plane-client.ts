import { Pool } from 'undici'

export interface JsonAnswer {
  readonly status: number
  readonly body: unknown
}

export interface JsonRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly body?: unknown
  /** Content type of the body; `application/json` by default. */
  readonly type?: string
  readonly signal?: AbortSignal | undefined
}

/** A plain JSON client with one user's token: no retries, no caches, no opinion about statuses. */
export class JsonClient {
  readonly #pool: Pool
  readonly #token: string

  constructor(url: string, caPem: string, token: string) {
    this.#pool = new Pool(url, { connections: 16, connect: { ca: caPem } })
    this.#token = token
  }

  async request(path: string, options: JsonRequest = {}): Promise<JsonAnswer> {
    const answer = await this.#pool.request({
      path,
      method: options.method ?? 'GET',
      headers: this.#headers(options.type),
      body: options.body === undefined ? null : JSON.stringify(options.body),
      signal: options.signal ?? null,
    })
    const text = await answer.body.text()
    return { status: answer.statusCode, body: parseJson(text) }
  }

  /**
   * The values of a newline-delimited JSON stream, as a watch answers, until the server or `signal` ends it.
   *
   * @throws Error on a status other than 200.
   */
  async *lines(path: string, { signal }: { readonly signal?: AbortSignal } = {}): AsyncGenerator {
    const answer = await this.#pool.request({
      path,
      method: 'GET',
      headers: this.#headers(),
      signal: signal ?? null,
      bodyTimeout: 0,
    })
    if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}: ${await answer.body.text()}`)
    answer.body.setEncoding('utf8')
    let rest = ''
    for await (const chunk of answer.body) {
      const parts = (rest + String(chunk)).split('\n')
      rest = parts.pop() ?? ''
      for (const part of parts) if (part !== '') yield JSON.parse(part)
    }
  }

  async close(): Promise<void> {
    await this.#pool.destroy()
  }

  #headers(type = 'application/json'): Record<string, string> {
    return {
      accept: 'application/json',
      authorization: `Bearer ${this.#token}`,
      'content-type': type,
      'user-agent': 'plumbline-test-support',
    }
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
