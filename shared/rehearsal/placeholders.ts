import { createHmac } from 'node:crypto'
import { isObject, parseJson, stringifyJson, type Json, type JsonObject } from '../model/json.ts'
import type { KubeObject } from '../model/kubernetes.ts'

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration'

/**
 * Values of Secrets under a key: the same placeholder for the same value, so that what differs still differs, and nothing
 * that says what the value is. Keys stay.
 */
export class Placeholders {
  readonly #key: Uint8Array
  readonly #known = new WeakMap<KubeObject, KubeObject>()

  constructor(key: Uint8Array) {
    this.#key = key
  }

  /** A Secret without its values; anything else as it is. */
  of(object: KubeObject): KubeObject {
    if (object.kind !== 'Secret' || object.apiVersion !== 'v1') return object
    const known = this.#known.get(object)
    if (known !== undefined) return known
    const bare = this.#secret(object)
    this.#known.set(object, bare)
    return bare
  }

  #secret(secret: KubeObject): KubeObject {
    const type = typeof secret['type'] === 'string' ? secret['type'] : ''
    const { metadata } = secret
    const { [LAST_APPLIED]: applied, ...annotations } = metadata.annotations ?? {}
    const kept = applied === undefined ? undefined : this.#applied(applied)
    const told = kept === undefined ? annotations : { ...annotations, [LAST_APPLIED]: kept }
    return {
      ...secret,
      ...(isObject(secret['data']) ? { data: this.#data(secret['data'], type) } : {}),
      ...(isObject(secret['stringData']) ? { stringData: this.#stringData(secret['stringData'], type) } : {}),
      metadata: { ...metadata, ...(metadata.annotations === undefined ? {} : { annotations: told }) },
    }
  }

  /** kubectl keeps a copy of what it applied, values and all. */
  #applied(text: string): string | undefined {
    try {
      const copy = parseJson(text)
      if (!isObject(copy)) return undefined
      return `${stringifyJson(this.#secret({ metadata: { name: '' }, ...copy } as unknown as KubeObject))}\n`
    } catch {
      return undefined
    }
  }

  #data(data: JsonObject, type: string): JsonObject {
    return mapped(data, (value, key) => {
      // What is no base64 is refused by the server, whose word for it is wanted.
      if (!/^[A-Za-z0-9+/\r\n]*={0,2}[\r\n]*$/.test(value)) return value
      return Buffer.from(this.#placeholder(Buffer.from(value, 'base64'), key, type)).toString('base64')
    })
  }

  #stringData(data: JsonObject, type: string): JsonObject {
    return mapped(data, (value, key) => this.#placeholder(Buffer.from(value), key, type))
  }

  #placeholder(value: Uint8Array, key: string, type: string): string {
    if (value.length === 0) return ''
    const word = `placeholder-${createHmac('sha256', this.#key).update(value).digest('hex').slice(0, 24)}`
    // The server wants JSON of these (core validation of Secrets), and refuses what is none.
    const json =
      (type === 'kubernetes.io/dockerconfigjson' && key === '.dockerconfigjson') ||
      (type === 'kubernetes.io/dockercfg' && key === '.dockercfg')
    return json && isJson(value) ? JSON.stringify({ auths: {}, plumbline: word }) : word
  }
}

function mapped(data: JsonObject, change: (value: string, key: string) => string): JsonObject {
  const entries = Object.entries(data).map(([key, value]): readonly [string, Json | undefined] => [
    key,
    typeof value === 'string' ? change(value, key) : value,
  ])
  return Object.fromEntries(entries)
}

function isJson(value: Uint8Array): boolean {
  try {
    JSON.parse(Buffer.from(value).toString('utf8'))
    return true
  } catch {
    return false
  }
}
