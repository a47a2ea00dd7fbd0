import { Pool } from 'undici'

/** Plain requests to a test's own server; certificates are not checked. */
export class JsonLines {
  readonly #pool: Pool
  readonly #token: string

  constructor(server: { readonly url: string; readonly token: string }) {
    this.#pool = new Pool(server.url, { connections: 4, connect: { rejectUnauthorized: false } })
    this.#token = server.token
  }

  /** The body, undefined for 404. @throws Error for other statuses than success */
  async send(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
    type = 'application/json',
  ): Promise<unknown> {
    const answer = await this.#pool.request({
      path,
      method,
      headers: { authorization: `Bearer ${this.#token}`, accept: 'application/json', 'content-type': type },
      body: body === undefined ? null : JSON.stringify(body),
    })
    const text = await answer.body.text()
    if (answer.statusCode === 404) return undefined
    if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${answer.statusCode} ${text.slice(0, 300)}`)
    return JSON.parse(text)
  }

  async close(): Promise<void> {
    await this.#pool.destroy()
  }
}
