import type { Json, JsonObject } from './json.ts'

/** What every Kubernetes object has. */
export type KubeObject = JsonObject & {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: ObjectMeta
}

export type ObjectMeta = JsonObject & {
  readonly name: string
  readonly namespace?: string
  readonly uid?: string
  readonly resourceVersion?: string
  readonly generation?: number
  readonly creationTimestamp?: string
  readonly deletionTimestamp?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly ownerReferences?: readonly OwnerReference[]
  readonly finalizers?: readonly string[]
}

export type OwnerReference = {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly uid: string
  readonly controller?: boolean
}

export type GroupVersionKind = { readonly group: string; readonly version: string; readonly kind: string }
export type GroupKind = { readonly group: string; readonly kind: string }

/** Which object: the same object in two API versions has one id. `namespace` is empty for cluster-scoped kinds. */
export type ResourceId = {
  readonly group: string
  readonly kind: string
  readonly namespace: string
  readonly name: string
}

/** `apps/v1` is group `apps`, version `v1`; `v1` is the core group, written empty. */
export function parseApiVersion(apiVersion: string): { readonly group: string; readonly version: string } {
  const slash = apiVersion.indexOf('/')
  return slash < 0
    ? { group: '', version: apiVersion }
    : { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) }
}

export function gvkOf(object: { readonly apiVersion: string; readonly kind: string }): GroupVersionKind {
  return { ...parseApiVersion(object.apiVersion), kind: object.kind }
}

export function apiVersionOf(gvk: GroupVersionKind): string {
  return gvk.group === '' ? gvk.version : `${gvk.group}/${gvk.version}`
}

export function idOf(object: KubeObject): ResourceId {
  const { group } = parseApiVersion(object.apiVersion)
  return { group, kind: object.kind, namespace: object.metadata.namespace ?? '', name: object.metadata.name }
}

/** One string for one object, for maps. No part may hold a slash but the group, which comes first. */
export function resourceKey(id: ResourceId): string {
  return `${id.group}|${id.kind}|${id.namespace}|${id.name}`
}

export function groupKindKey(kind: GroupKind): string {
  return `${kind.group}|${kind.kind}`
}

/** Narrows a JSON value to an object that a Kubernetes server could mean something by. */
export function isKubeObject(value: Json | undefined): value is KubeObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const object = value as JsonObject
  const metadata = object['metadata']
  return (
    typeof object['apiVersion'] === 'string' &&
    typeof object['kind'] === 'string' &&
    typeof metadata === 'object' &&
    metadata !== null &&
    !Array.isArray(metadata)
  )
}
