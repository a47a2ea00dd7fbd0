import { isArray, isObject } from '../model/json.ts'
import type { Json, JsonObject } from '../model/json.ts'
import type { ServedResource } from './resource-path.ts'

/** One `group/version` as discovery tells it, in the server's order of preference. */
export type ServedVersion = {
  readonly group: string
  readonly version: string
  readonly resources: readonly ServedResource[]
  /** Whether the server behind it did not answer, so that what it serves is not known. */
  readonly stale: boolean
}

/** Reads an `APIGroupDiscoveryList` (KEP-3352). */
export function parseAggregated(document: Json): readonly ServedVersion[] {
  return objects(document, 'items').flatMap((item) => {
    const group = text(isObject(item['metadata']) ? item['metadata']['name'] : undefined)
    return objects(item, 'versions').map((entry) => {
      const version = text(entry['version'])
      const resources = objects(entry, 'resources').flatMap((r) => aggregatedResource(r, group, version))
      return { group, version, resources, stale: entry['freshness'] === 'Stale' }
    })
  })
}

function aggregatedResource(entry: JsonObject, group: string, version: string): readonly ServedResource[] {
  const response = isObject(entry['responseKind']) ? entry['responseKind'] : {}
  const kind = text(response['kind'])
  if (kind === '') return []
  return [
    {
      // A subresource-like resource may answer in another group's kind; an empty group means its own.
      group,
      version,
      kind,
      resource: text(entry['resource']),
      namespaced: entry['scope'] === 'Namespaced',
      verbs: texts(entry['verbs']),
    },
  ]
}

/** Reads an `APIResourceList`; subresources are left out. */
export function parseResourceList(document: Json, group: string, version: string): readonly ServedResource[] {
  return objects(document, 'resources')
    .filter((entry) => !text(entry['name']).includes('/'))
    .map((entry) => ({
      group,
      version,
      kind: text(entry['kind']),
      resource: text(entry['name']),
      namespaced: entry['namespaced'] === true,
      verbs: texts(entry['verbs']),
    }))
}

/** Reads an `APIGroupList`: groups with their versions, the preferred one first. */
export function parseGroupList(document: Json): readonly { readonly group: string; readonly version: string }[] {
  return objects(document, 'groups').flatMap((entry) => {
    const group = text(entry['name'])
    const preferred = isObject(entry['preferredVersion']) ? text(entry['preferredVersion']['version']) : ''
    const versions = objects(entry, 'versions').map((version) => text(version['version']))
    return [...new Set([preferred, ...versions])]
      .filter((version) => version !== '')
      .map((version) => ({ group, version }))
  })
}

/** Reads the `APIVersions` of `/api`. */
export function parseCoreVersions(document: Json): readonly { readonly group: string; readonly version: string }[] {
  return texts(isObject(document) ? document['versions'] : undefined).map((version) => ({ group: '', version }))
}

function objects(value: Json | undefined, key: string): readonly JsonObject[] {
  const list = isObject(value) ? value[key] : undefined
  return isArray(list) ? list.filter(isObject) : []
}

function texts(value: Json | undefined): readonly string[] {
  return isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}
