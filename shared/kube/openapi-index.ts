import { abortable } from '../base/abort.ts'
import { isObject, parseJson } from '../model/json.ts'
import type { Cancellable } from '../model/ports.ts'
import { ClusterError } from './cluster-error.ts'
import type { Transport } from './transport.ts'

/** `api/v1`, `apis/apps/v1` -> the document's path with the hash of its content. */
export type OpenApiIndex = ReadonlyMap<string, string>

/** The table of contents of `/openapi/v3`: small, and each document's hash is in it. */
export class OpenApiIndexSource {
  private readonly transport: Transport
  private current: Promise<OpenApiIndex> | undefined
  private askedAt = 0

  constructor(transport: Transport) {
    this.transport = transport
  }

  /** @param maxAgeMs an older one is asked for again. @throws ClusterError. Empty where the server has none. */
  async get(maxAgeMs: number, { signal }: Cancellable): Promise<OpenApiIndex> {
    if (this.current === undefined || Date.now() - this.askedAt > maxAgeMs) {
      this.askedAt = Date.now()
      const asking = this.ask()
      this.current = asking
      asking.catch(() => {
        if (this.current === asking) this.current = undefined
      })
    }
    return abortable(this.current, { signal })
  }

  invalidate(): void {
    this.current = undefined
  }

  private async ask(): Promise<OpenApiIndex> {
    try {
      const path = '/openapi/v3'
      const answer = await this.transport.send(
        { method: 'GET', path, target: { verb: `get ${path}` }, repeatable: true },
        {},
      )
      return indexOf(answer.text)
    } catch (error) {
      // Old servers have none, and an identity may be kept from it; schemas then come from the built-in catalogue.
      if (ClusterError.is(error, 'not-found') || ClusterError.is(error, 'forbidden')) return new Map()
      throw error
    }
  }
}

function indexOf(text: string): OpenApiIndex {
  let document
  try {
    document = parseJson(text)
  } catch (error) {
    throw new ClusterError('bad-answer', "the server's answer to /openapi/v3 is not JSON", { cause: error })
  }
  const paths = isObject(document) && isObject(document['paths']) ? document['paths'] : {}
  const index = new Map<string, string>()
  for (const [name, entry] of Object.entries(paths)) {
    const url = isObject(entry) ? entry['serverRelativeURL'] : undefined
    if (typeof url === 'string') index.set(name, url)
  }
  return index
}
