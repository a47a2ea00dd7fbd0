import { catalogueOf } from '../fields/openapi-schema.ts'
import type { Schema, SchemaCatalogue } from '../fields/schema.ts'
import { isObject, parseJson } from '../model/json.ts'
import type { Json, JsonObject } from '../model/json.ts'
import type { Cancellable } from '../model/ports.ts'
import type { Answer } from './answer-error.ts'
import { ClusterError } from './cluster-error.ts'
import type { OpenApiIndexSource } from './openapi-index.ts'
import type { ServedResource } from './resource-path.ts'
import type { SchemaFiles } from './schema-files.ts'
import type { Transport } from './transport.ts'

/** The server whose types are built in. */
const builtInMinor = '1.36'
/** A document that lacks its kind (a definition just installed) is asked for again, but not more often than this. */
const retryMs = 1000
const indexAgeMs = 60_000

export type SchemaServer = {
  readonly transport: Transport
  readonly index: OpenApiIndexSource
  /** The server's version, such as `v1.36.2`. */
  readonly version: (options: Cancellable) => Promise<string>
  /** Where documents are kept between runs, by their hash; undefined keeps none. */
  readonly files: SchemaFiles | undefined
}

/**
 * Types of kinds from the server's own `/openapi/v3`, only of the group versions that are asked for. Kinds that the
 * built-in catalogue has from the same minor version cost no question; it also serves where the server gives nothing.
 */
export class SchemaSource {
  private readonly server: SchemaServer
  /** By the document's URL, which holds its hash. */
  private readonly documents = new Map<string, Promise<SchemaCatalogue>>()
  private retriedAt = 0

  constructor(server: SchemaServer) {
    this.server = server
  }

  /** @throws ClusterError where the server fails, not where it has no schema */
  async schemaOf(served: ServedResource, options: Cancellable): Promise<Schema | undefined> {
    const { group, version, kind } = served
    const builtIn = (await builtInTypes()).schemaFor(group, version, kind)
    if (builtIn !== undefined && minorOf(await this.server.version(options)) === builtInMinor) return builtIn
    return (await this.ownSchema(served, options)) ?? builtIn
  }

  private async ownSchema(served: ServedResource, options: Cancellable): Promise<Schema | undefined> {
    const known = await this.lookUp(served, indexAgeMs, options)
    if (known !== undefined || Date.now() - this.retriedAt < retryMs) return known
    this.retriedAt = Date.now()
    return this.lookUp(served, 0, options)
  }

  private async lookUp(served: ServedResource, maxAgeMs: number, options: Cancellable): Promise<Schema | undefined> {
    const { group, version, kind } = served
    const index = await this.server.index.get(maxAgeMs, options)
    const name = group === '' ? `api/${version}` : `apis/${group}/${version}`
    const url = index.get(name)
    if (url === undefined) return undefined
    return (await this.document(url, name)).schemaFor(group, version, kind)
  }

  private document(url: string, name: string): Promise<SchemaCatalogue> {
    const known = this.documents.get(url)
    if (known !== undefined) return known
    const loading = this.load(url, name)
    this.documents.set(url, loading)
    loading.catch(() => this.documents.delete(url))
    // The document's older state is of no more use.
    for (const other of this.documents.keys()) {
      if (other !== url && other.split('?', 1)[0] === url.split('?', 1)[0]) this.documents.delete(other)
    }
    return loading
  }

  private async load(url: string, name: string): Promise<SchemaCatalogue> {
    const { transport, files } = this.server
    const hashed = url.includes('hash=')
    const stored = hashed ? await files?.read(url) : undefined
    if (stored !== undefined) return catalogueFrom(stored)
    const get = (path: string): Promise<Answer> =>
      transport.send({ method: 'GET', path, target: { verb: `get ${path}` }, repeatable: true }, {})
    try {
      const definitions = definitionsOf((await get(url)).text, name)
      if (hashed) await files?.write(url, definitions)
      return await catalogueFrom(definitions)
    } catch (error) {
      // While definitions change the index lags behind the documents, and the server sends the hash of an older one away.
      if (!hashed || !ClusterError.is(error) || error.status !== 301) throw error
      return catalogueFrom(definitionsOf((await get(url.split('?', 1)[0] ?? url)).text, name))
    }
  }
}

async function catalogueFrom(definitions: JsonObject): Promise<SchemaCatalogue> {
  const { default: goFields } = await import('../kubernetes/go-fields-v1.36.json', { with: { type: 'json' } })
  return catalogueOf(definitions, goFields)
}

async function builtInTypes(): Promise<SchemaCatalogue> {
  const { builtInCatalogue } = await import('../kubernetes/built-in.ts')
  return builtInCatalogue()
}

function definitionsOf(text: string, name: string): JsonObject {
  let document: Json
  try {
    document = parseJson(text)
  } catch (error) {
    throw new ClusterError('bad-answer', `the server's schema of ${name} is not JSON`, { cause: error })
  }
  const components = isObject(document) ? document['components'] : undefined
  const schemas = isObject(components) ? components['schemas'] : undefined
  return isObject(schemas) ? (withoutProse(schemas) as JsonObject) : {}
}

/** Descriptions are most of a document, and nothing reads them. */
function withoutProse(value: Json | undefined): Json {
  if (Array.isArray(value)) return value.map(withoutProse)
  if (!isObject(value)) return value ?? null
  const entries = Object.entries(value).filter(([key, item]) => key !== 'description' || typeof item !== 'string')
  return Object.fromEntries(entries.map(([key, item]) => [key, withoutProse(item)]))
}

function minorOf(version: string): string {
  return /^v?(\d+\.\d+)/.exec(version)?.[1] ?? ''
}
