import { setTimeout } from 'node:timers/promises'
import { Pool } from 'undici'

/** One write as the server ordered it. */
export type Write = { readonly type: 'ADDED' | 'DELETED'; readonly name: string; readonly version: number }

const PATHS = [
  '/api/v1/namespaces',
  '/api/v1/configmaps',
  '/api/v1/services',
  '/api/v1/secrets',
  '/apis/apps/v1/deployments',
  '/apis/apps/v1/replicasets',
  '/apis/batch/v1/jobs',
]

/** Watches what is made and deleted, in the order of the server's own resourceVersions. */
export class WriteOrder {
  readonly #pool: Pool
  readonly #token: string
  readonly #stop = new AbortController()
  readonly #writes: (Write & { readonly namespace: string })[] = []

  private constructor(url: string, token: string) {
    this.#pool = new Pool(url, {
      connections: PATHS.length + 1,
      connect: { rejectUnauthorized: false },
      bodyTimeout: 0,
    })
    this.#token = token
  }

  static async start(server: { readonly url: string; readonly token: string }): Promise<WriteOrder> {
    const order = new WriteOrder(server.url, server.token)
    await Promise.all(PATHS.map((path) => order.#follow(path)))
    return order
  }

  /** `Job/before`, or `-Job/before` for a deletion; of one namespace, and of the namespace itself. */
  async of(namespace: string): Promise<readonly string[]> {
    // Events come after the answers that they belong to.
    await setTimeout(300)
    return this.#writes
      .filter((write) => write.namespace === namespace || write.name === `Namespace/${namespace}`)
      .sort((a, b) => a.version - b.version)
      .map(({ type, name }) => (type === 'DELETED' ? `-${name}` : name))
  }

  clear(): void {
    this.#writes.length = 0
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#pool.destroy()
  }

  async #follow(path: string): Promise<void> {
    const headers = { authorization: `Bearer ${this.#token}`, accept: 'application/json' }
    const list = await this.#pool.request({ path, method: 'GET', headers })
    const { metadata } = (await list.body.json()) as { readonly metadata: { readonly resourceVersion: string } }
    const watch = await this.#pool.request({
      path: `${path}?watch=true&resourceVersion=${metadata.resourceVersion}&timeoutSeconds=3600`,
      method: 'GET',
      headers,
      signal: this.#stop.signal,
    })
    void this.#read(watch.body).catch(() => undefined)
  }

  async #read(body: AsyncIterable<unknown>): Promise<void> {
    const decoder = new TextDecoder()
    let rest = ''
    for await (const chunk of body) {
      const parts = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split('\n')
      rest = parts.pop() ?? ''
      for (const part of parts) if (part !== '') this.#take(JSON.parse(part) as WatchEvent)
    }
  }

  #take({ type, object }: WatchEvent): void {
    if (type !== 'ADDED' && type !== 'DELETED') return
    const { name, namespace = '', resourceVersion, ownerReferences } = object.metadata
    if (ownerReferences !== undefined || name === 'kube-root-ca.crt') return
    this.#writes.push({ type, name: `${object.kind}/${name}`, namespace, version: Number(resourceVersion) })
  }
}

type WatchEvent = {
  readonly type: string
  readonly object: {
    readonly kind: string
    readonly metadata: {
      readonly name: string
      readonly namespace?: string
      readonly resourceVersion: string
      readonly ownerReferences?: readonly unknown[]
    }
  }
}
