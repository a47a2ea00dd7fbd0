import { Pool } from 'undici'
import { edited } from './differential-step.ts'
import type { Answer, Json, Step } from './differential-step.ts'

/** One server under comparison, and what it has said so far in a conversation. */
export class DifferentialTarget {
  readonly #pool: Pool
  readonly #token: string
  readonly #known = new Map<string, Json>()
  #namespace = ''
  #continue = ''

  constructor(server: { readonly url: string; readonly token: string }) {
    this.#pool = new Pool(server.url, {
      connections: 1,
      allowH2: false,
      bodyTimeout: 20_000,
      headersTimeout: 20_000,
      connect: { rejectUnauthorized: false },
    })
    this.#token = server.token
  }

  /** Starts a conversation of its own: nothing said before is known any more. */
  begin(namespace: string): void {
    this.#known.clear()
    this.#continue = ''
    this.#namespace = namespace
  }

  /** Sends a step; a connection that ends without an answer is status 0. */
  async call(step: Step): Promise<Answer> {
    return this.#call(step).catch((error: unknown) => ({ status: 0, body: String(error), warnings: [], media: '' }))
  }

  async #call(step: Step): Promise<Answer> {
    const path = this.#fill(step.path)
    const body = this.#body(step)
    const answer = await this.#pool.request({
      path,
      method: step.method,
      headers: {
        accept: step.accept ?? 'application/json',
        authorization: `Bearer ${this.#token}`,
        'user-agent': 'differential/1',
        ...(body === null ? {} : { 'content-type': step.type ?? 'application/json' }),
      },
      body,
    })
    const text = await answer.body.text()
    const said: Answer = {
      status: answer.statusCode,
      body: parse(text),
      warnings: [answer.headers['warning'] ?? []].flat(),
      media: String(answer.headers['content-type'] ?? '').split(';')[0] ?? '',
    }
    this.#remember(step, path, said)
    return said
  }

  async close(): Promise<void> {
    await this.#pool.destroy()
  }

  #body(step: Step): string | null {
    if (step.raw !== undefined) return this.#fill(step.raw)
    if (step.live !== undefined) {
      const start = this.#known.get(this.#fill(step.live.of)) ?? {}
      return this.#fill(JSON.stringify(step.live.edits.reduce((value: Json, edit) => edited(value, edit), start)))
    }
    return step.body === undefined ? null : this.#fill(JSON.stringify(step.body))
  }

  #fill(text: string): string {
    return text
      .replaceAll('{{ns}}', this.#namespace)
      .replaceAll('{{continue}}', encodeURIComponent(this.#continue))
      .replace(/\{\{(rv|uid):([^}]+)\}\}/gu, (_, what: string, path: string) => {
        const metadata = metadataOf(this.#known.get(path) ?? null)
        const value = metadata[what === 'rv' ? 'resourceVersion' : 'uid']
        return typeof value === 'string' ? value : what === 'rv' ? '1' : 'unknown'
      })
  }

  #remember(step: Step, path: string, { status, body }: Answer): void {
    if (status >= 300 || path.includes('dryRun')) return
    const metadata = metadataOf(body)
    if (typeof metadata['continue'] === 'string') this.#continue = metadata['continue']
    const { name, uid } = metadata
    if (typeof name !== 'string' || typeof uid !== 'string') return
    const [pathname = ''] = path.split('?')
    const subresource = /\/(?:status|scale|approval|finalize)$/u
    if (pathname.endsWith('/scale')) return
    this.#known.set(step.method === 'POST' ? `${pathname}/${name}` : pathname.replace(subresource, ''), body)
  }
}

function metadataOf(value: Json): { readonly [key: string]: Json } {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return {}
  const metadata = (value as { readonly [key: string]: Json })['metadata']
  return metadata !== null && typeof metadata === 'object' ? (metadata as { readonly [key: string]: Json }) : {}
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    // A watch answers one value a line.
    const lines = text.split('\n').filter((line) => line !== '')
    try {
      return lines.length > 1 ? lines.map((line) => JSON.parse(line) as Json) : text
    } catch {
      return text
    }
  }
}
