import { createHash } from 'node:crypto'
import aggregatedData from '../../kubernetes/aggregated-discovery-v1.36.json' with { type: 'json' }
import discoveryData from '../../kubernetes/discovery-v1.36.json' with { type: 'json' }
import { methodNotAllowed } from './dispatch.ts'
import type { ApiRequest, ApiResponse } from './api-types.ts'
import { jsonResponse, textResponse } from './api-types.ts'
import { negotiate } from './negotiate.ts'
import type { ResourceRegistry } from './registry.ts'
import type { ResourceType } from './resource-type.ts'
import { apiVersionOf } from './resource-type.ts'

const documents: Readonly<Record<string, { readonly [key: string]: unknown }>> = discoveryData
const aggregated: Readonly<Record<'/api' | '/apis', { readonly items: readonly object[] }>> = aggregatedData

interface GroupEntry {
  readonly name: string
  readonly versions: readonly { readonly groupVersion: string; readonly version: string }[]
  readonly preferredVersion: { readonly groupVersion: string; readonly version: string }
}

const aggregatedKind = 'APIGroupDiscoveryList'
const transforms = [`${aggregatedKind}.v2.apidiscovery.k8s.io`, `${aggregatedKind}.v2beta1.apidiscovery.k8s.io`]

/** `/api`, `/apis` and what lies under them as far as it lists resources; undefined for every other path. */
export function discoveryResponse(
  registry: ResourceRegistry,
  path: string,
  request: ApiRequest,
): ApiResponse | undefined {
  const clean = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
  // What go-restful serves has routes for GET alone; the rest does not ask.
  if (isReadOnly(clean) && request.method !== 'GET') throw methodNotAllowed()
  if (clean === '/version') return versionResponse()
  if (clean === '/api' || clean === '/apis') return rootResponse(registry, clean, request)
  if (clean === '/api/v1') return jsonResponse(200, documents[clean] ?? {})
  const [, root, group, version, ...rest] = clean.split('/')
  if (root !== 'apis' || group === undefined || rest.length > 0) return undefined
  const entry = groups(registry).find((candidate) => candidate.name === group)
  if (entry === undefined) return undefined
  if (version === undefined) return jsonResponse(200, { kind: 'APIGroup', apiVersion: 'v1', ...entry })
  const document = documents[clean]
  if (document !== undefined) return jsonResponse(200, document)
  const types = registry.custom().filter((type) => type.group === group && type.version === version)
  return types.length === 0 ? undefined : jsonResponse(200, resourceList(types))
}

const versionFields = [
  'major',
  'minor',
  'emulationMajor',
  'emulationMinor',
  'minCompatibilityMajor',
  'minCompatibilityMinor',
  'gitVersion',
  'gitCommit',
  'gitTreeState',
  'buildDate',
  'goVersion',
  'compiler',
  'platform',
]

function isReadOnly(path: string): boolean {
  return path === '/version' || path === '/api' || documents[path]?.['kind'] === 'APIResourceList'
}

/** People read this one, so it comes indented and in the order of its declaration. */
function versionResponse(): ApiResponse {
  const known: Readonly<Record<string, unknown>> = discoveryData['/version']
  const ordered = Object.fromEntries(versionFields.map((field) => [field, known[field]]))
  return textResponse(200, JSON.stringify(ordered, undefined, 2), 'application/json')
}

/** Whether a path lies under a group that is built in: what is not found there is answered with a Status. */
export function isBuiltInGroup(path: string): boolean {
  const [, root, group] = path.split('/')
  if (root === 'api') return true
  return root === 'apis' && Object.keys(documents).some((known) => known.startsWith(`/apis/${group}/`))
}

/** Clients show this one as it comes, so its order is that of its declaration. */
function legacyRoot(): object {
  const { kind, versions, serverAddressByClientCIDRs } = documents['/api'] ?? {}
  return { kind, versions, serverAddressByClientCIDRs }
}

function rootResponse(registry: ResourceRegistry, path: '/api' | '/apis', request: ApiRequest): ApiResponse {
  const wanted = negotiate(request.headers?.['accept'], transforms)
  if (wanted.as === undefined) {
    const body = path === '/api' ? legacyRoot() : { kind: 'APIGroupList', apiVersion: 'v1', groups: groups(registry) }
    return jsonResponse(200, body)
  }
  const { version } = wanted.as
  const body = {
    kind: aggregatedKind,
    apiVersion: `apidiscovery.k8s.io/${version}`,
    metadata: {},
    items: [...aggregated[path].items, ...(path === '/apis' ? customDiscovery(registry) : [])],
  }
  const etag = `"${createHash('sha256').update(JSON.stringify(body)).digest('hex').toUpperCase()}"`
  const headers = {
    'content-type': `application/json;g=apidiscovery.k8s.io;v=${version};as=${aggregatedKind}`,
    etag,
    vary: 'Accept',
  }
  if (request.headers?.['if-none-match'] === etag) return { kind: 'text', status: 304, headers, body: '' }
  return jsonResponse(200, body, headers)
}

/** All groups but the core one, in the order of the recorded server, then the defined ones. */
function groups(registry: ResourceRegistry): GroupEntry[] {
  const builtIn = (documents['/apis'] as { groups: GroupEntry[] }).groups
  const custom = new Map<string, Set<string>>()
  for (const { group, version } of registry.custom()) custom.set(group, (custom.get(group) ?? new Set()).add(version))
  const added = [...custom].map(([name, names]): GroupEntry => {
    const versions = [...names]
      .sort(compareVersions)
      .map((version) => ({ groupVersion: `${name}/${version}`, version }))
    return { name, versions, preferredVersion: versions[0] ?? { groupVersion: '', version: '' } }
  })
  return [...builtIn, ...added]
}

function resourceList(types: readonly ResourceType[]): object {
  const resources = types.flatMap((type) => [mainEntry(type), ...subresourceEntries(type)])
  return {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: types[0] === undefined ? '' : apiVersionOf(types[0]),
    resources,
  }
}

function mainEntry(type: ResourceType): object {
  return {
    name: type.resource,
    singularName: type.singular,
    namespaced: type.namespaced,
    kind: type.kind,
    verbs: type.verbs,
    ...(type.shortNames.length === 0 ? {} : { shortNames: type.shortNames }),
    ...(type.categories.length === 0 ? {} : { categories: type.categories }),
    storageVersionHash: type.storageVersionHash,
  }
}

function subresourceEntries(type: ResourceType): object[] {
  return [...type.subresources.values()].map((sub) => ({
    name: `${type.resource}/${sub.name}`,
    singularName: '',
    namespaced: type.namespaced,
    ...(sub.group === '' ? {} : { group: sub.group, version: sub.version }),
    kind: sub.kind,
    verbs: sub.verbs,
  }))
}

function customDiscovery(registry: ResourceRegistry): object[] {
  const custom = registry.custom()
  return groups(registry)
    .filter((group) => custom.some((type) => type.group === group.name))
    .map((group) => ({
      metadata: { name: group.name, creationTimestamp: null },
      versions: group.versions.map(({ version }) => ({
        version,
        resources: custom
          .filter((type) => type.group === group.name && type.version === version)
          .map((type) => aggregatedEntry(type)),
        freshness: 'Current',
      })),
    }))
}

function aggregatedEntry(type: ResourceType): object {
  const responseKind = { group: type.group, version: type.version, kind: type.kind }
  const subresources = [...type.subresources.values()].map((sub) => ({
    subresource: sub.name,
    responseKind: sub.group === '' ? responseKind : { group: sub.group, version: sub.version, kind: sub.kind },
    verbs: sub.verbs,
  }))
  return {
    resource: type.resource,
    responseKind,
    scope: type.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: type.singular,
    verbs: type.verbs,
    ...(type.shortNames.length === 0 ? {} : { shortNames: type.shortNames }),
    ...(type.categories.length === 0 ? {} : { categories: type.categories }),
    ...(subresources.length === 0 ? {} : { subresources }),
  }
}

/** Newest first, stable before beta before alpha (apimachinery `pkg/version/helpers.go`). */
export function compareVersions(a: string, b: string): number {
  const [x, y] = [versionRank(a), versionRank(b)]
  if (x === undefined || y === undefined) {
    if (x === undefined && y === undefined) return a < b ? -1 : 1
    return x === undefined ? 1 : -1
  }
  for (let i = 0; i < 3; i++) if (x[i] !== y[i]) return (y[i] ?? 0) - (x[i] ?? 0)
  return 0
}

function versionRank(version: string): readonly [stability: number, major: number, minor: number] | undefined {
  const match = /^v(\d+)(?:(alpha|beta)(\d+))?$/u.exec(version)
  if (match === null) return undefined
  const stability = match[2] === undefined ? 2 : match[2] === 'beta' ? 1 : 0
  return [stability, Number(match[1]), Number(match[3] ?? 0)]
}

/** What discovery calls the hash of a stored version (apiserver, endpoints/discovery/storageversionhash.go). */
export function storageVersionHash(group: string, version: string, kind: string): string {
  return createHash('sha256').update(`${group}/${version}/${kind}`).digest().subarray(0, 8).toString('base64')
}
