import { createHash } from 'node:crypto'
import definitionsData from '../../kubernetes/openapi-v2-definitions-v1.36.json' with { type: 'json' }
import { isObject } from '../object.ts'
import type { JsonObject } from '../object.ts'
import type { ApiRequest, ApiResponse } from './api-types.ts'
import { jsonResponse, textResponse } from './api-types.ts'
import { pathsOf } from './openapi-paths.ts'
import type { ResourceRegistry } from './registry.ts'
import type { ResourceType } from './resource-type.ts'
import { apiVersionOf } from './resource-type.ts'

const definitions = definitionsData.definitions as unknown as Readonly<Record<string, JsonObject>>
const metaPrefix = 'io.k8s.apimachinery.pkg.apis.meta.v1'
const kindsKey = 'x-kubernetes-group-version-kind'

interface GroupVersion {
  /** `apis/apps/v1`, as the index names it. */
  readonly path: string
  readonly types: readonly ResourceType[]
}

/**
 * `/openapi/v3`, its documents and `/openapi/v2`, made of the recorded definitions and the schemas of custom
 * resources. The documents are made when first asked for, and again when a definition changes.
 */
export class OpenApi {
  readonly #registry: ResourceRegistry
  readonly #documents = new Map<string, { readonly hash: string; readonly document: JsonObject }>()
  #generation = -1

  constructor(registry: ResourceRegistry) {
    this.#registry = registry
  }

  /** Undefined for paths that are not of OpenAPI. */
  respond(path: string, request: ApiRequest): ApiResponse | undefined {
    if (path === '/openapi/v2') return this.#version2(request)
    if (path !== '/openapi/v3' && !path.startsWith('/openapi/v3/')) return undefined
    this.#refresh()
    const groups = this.#groupVersions()
    if (path === '/openapi/v3' || path === '/openapi/v3/') return jsonResponse(200, this.#index(groups))
    const found = groups.find((group) => group.path === path.slice('/openapi/v3/'.length).replace(/\/$/u, ''))
    if (found === undefined) return textResponse(404, '')
    const { hash, document } = this.#documentOf(found)
    const headers = { etag: `"${hash}"`, vary: 'Accept' }
    if (request.headers?.['if-none-match'] === headers.etag) return { kind: 'text', status: 304, headers, body: '' }
    return jsonResponse(200, document, headers)
  }

  #refresh(): void {
    if (this.#generation === this.#registry.generation) return
    this.#generation = this.#registry.generation
    for (const path of this.#documents.keys()) if (!isBuiltIn(path)) this.#documents.delete(path)
  }

  #groupVersions(): GroupVersion[] {
    const groups = new Map<string, ResourceType[]>()
    for (const type of this.#registry.all()) {
      const path = `${type.group === '' ? 'api' : 'apis'}/${apiVersionOf(type)}`
      const types = groups.get(path)
      if (types === undefined) groups.set(path, [type])
      else types.push(type)
    }
    return [...groups].map(([path, types]) => ({ path, types }))
  }

  #index(groups: readonly GroupVersion[]): JsonObject {
    const paths = Object.fromEntries(
      groups.map((group) => [
        group.path,
        { serverRelativeURL: `/openapi/v3/${group.path}?hash=${this.#hashOf(group)}` },
      ]),
    )
    return { paths }
  }

  /** Built-in documents never change while the server runs, so their names stand for them. */
  #hashOf(group: GroupVersion): string {
    return isBuiltIn(group.path) ? hashText(`v1.36.2 ${group.path}`) : this.#documentOf(group).hash
  }

  #documentOf(group: GroupVersion): { readonly hash: string; readonly document: JsonObject } {
    const known = this.#documents.get(group.path)
    if (known !== undefined) return known
    const document = documentOf(group.types)
    const hash = isBuiltIn(group.path) ? hashText(`v1.36.2 ${group.path}`) : hashText(JSON.stringify(document))
    const made = { hash, document }
    this.#documents.set(group.path, made)
    return made
  }

  #version2(request: ApiRequest): ApiResponse {
    if (
      /protobuf/u.test(request.headers?.['accept'] ?? '') &&
      !/json|\*\/\*/u.test(request.headers?.['accept'] ?? '')
    ) {
      return textResponse(406, '406 not acceptable\n')
    }
    const custom = Object.fromEntries(this.#registry.custom().flatMap((type) => customDefinitions(type)))
    const body = {
      swagger: '2.0',
      info: { title: 'Kubernetes', version: 'v1.36.2' },
      paths: {},
      definitions: { ...definitions, ...(version2(custom) as JsonObject) },
    }
    return jsonResponse(200, body)
  }
}

function isBuiltIn(path: string): boolean {
  return path.startsWith('api/') || !/^apis\/[^/]*\./u.test(path) || /^apis\/[^/]*\.k8s\.io\//u.test(path)
}

function hashText(text: string): string {
  return createHash('sha512').update(text).digest('hex').toUpperCase().slice(0, 128)
}

function documentOf(types: readonly ResourceType[]): JsonObject {
  const schemas = new Map<string, unknown>()
  for (const type of types) {
    const own = type.custom ? customDefinitions(type) : builtInDefinitions(type)
    for (const [name, schema] of own) addSchema(schemas, name, schema)
  }
  for (const name of ['DeleteOptions', 'Status', 'APIResourceList', 'Patch']) {
    const full = `${metaPrefix}.${name}`
    if (definitions[full] !== undefined) addSchema(schemas, full, version3(definitions[full]))
  }
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: 'v1.36.2' },
    paths: Object.assign({}, ...types.map((type) => pathsOf(type, schemaName(type)))) as JsonObject,
    components: { schemas: Object.fromEntries(schemas) },
  }
}

/** Adds a schema and everything it refers to. */
function addSchema(schemas: Map<string, unknown>, name: string, schema: unknown): void {
  if (schemas.has(name)) return
  schemas.set(name, schema)
  for (const reference of JSON.stringify(schema).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/gu)) {
    const [, other = ''] = reference
    const definition = definitions[other]
    if (definition !== undefined) addSchema(schemas, other, widened[other] ?? version3(definition))
  }
}

/** The definition of a kind: the recorded one that carries its group, version and kind. */
function builtInDefinitions(type: ResourceType): [string, unknown][] {
  return [type.kind, type.listKind].flatMap((kind) => {
    const name = builtInNames().get(`${type.group}/${type.version}/${kind}`)
    const definition = name === undefined ? undefined : definitions[name]
    return name === undefined ? [] : [[name, version3(definition)] as [string, unknown]]
  })
}

let names: Map<string, string> | undefined

function builtInNames(): ReadonlyMap<string, string> {
  if (names !== undefined) return names
  names = new Map()
  for (const [name, definition] of Object.entries(definitions)) {
    const kinds = definition[kindsKey]
    if (!Array.isArray(kinds) || kinds.length !== 1) continue
    const { group, version, kind } = kinds[0] as { group: string; version: string; kind: string }
    names.set(`${group}/${version}/${kind}`, name)
  }
  return names
}

/** The schema's name: the recorded one, or the reversed group, version and kind. */
function schemaName(type: ResourceType): string {
  const known = builtInNames().get(`${type.group}/${type.version}/${type.kind}`)
  return known ?? `${type.group.split('.').reverse().join('.')}.${type.version}.${type.kind}`
}

function customDefinitions(type: ResourceType): [string, JsonObject][] {
  const name = schemaName(type)
  const own = isObject(type.openAPIV3Schema)
    ? type.openAPIV3Schema
    : { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
  const { group, version, kind, listKind } = type
  const common = { apiVersion: { type: 'string' }, kind: { type: 'string' } }
  const properties = isObject(own['properties']) ? own['properties'] : {}
  const metadata = { allOf: [{ $ref: `#/components/schemas/${metaPrefix}.ObjectMeta` }] }
  const listMeta = { allOf: [{ $ref: `#/components/schemas/${metaPrefix}.ListMeta` }] }
  const items = { type: 'array', items: { allOf: [{ $ref: `#/components/schemas/${name}` }] } }
  return [
    [
      name,
      {
        ...own,
        properties: { ...common, metadata, ...withoutTypeFields(properties) },
        [kindsKey]: [{ group, version, kind }],
      },
    ],
    [
      `${name}List`,
      {
        type: 'object',
        required: ['items'],
        properties: { ...common, items, metadata: listMeta },
        [kindsKey]: [{ group, version, kind: listKind }],
      },
    ],
  ]
}

function withoutTypeFields(properties: JsonObject): JsonObject {
  const { apiVersion: _apiVersion, kind: _kind, metadata: _metadata, ...rest } = properties
  return rest
}

/**
 * A definition as version 3 writes it: references moved, and those of properties and items wrapped in an `allOf`,
 * as kube-apiserver has them; kubectl names a field's type by that.
 */
function version3(value: unknown, wrap = false): unknown {
  if (Array.isArray(value)) return value.map((item) => version3(item))
  if (!isObject(value)) return value
  const entries = Object.entries(value).map(([key, child]): [string, unknown] => {
    if (key === '$ref' && typeof child === 'string')
      return [key, child.replace('#/definitions/', '#/components/schemas/')]
    if (key !== 'properties' || !isObject(child)) return [key, version3(child, key === 'items')]
    return [key, Object.fromEntries(Object.entries(child).map(([name, property]) => [name, version3(property, true)]))]
  })
  const { $ref, ...rest }: JsonObject = Object.fromEntries(entries)
  if ($ref === undefined) return rest
  return wrap || Object.keys(rest).length > 0 ? { allOf: [{ $ref }], ...rest } : { $ref }
}

/** Version 3 says of these what version 2 cannot. */
const widened: Readonly<Record<string, JsonObject>> = {
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': {
    format: 'int-or-string',
    oneOf: [{ type: 'integer' }, { type: 'string' }],
  },
  'io.k8s.apimachinery.pkg.api.resource.Quantity': { oneOf: [{ type: 'string' }, { type: 'number' }] },
}

/** Custom schemas for version 2, where references point elsewhere. */
function version2(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll('#/components/schemas/', '#/definitions/'))
}
