import type {
  Application,
  ApplicationSource,
  AutomatedSync,
  Destination,
  IgnoreDifference,
  RetryPolicy,
  SyncPolicy,
} from '../model/application.ts'
import type { Failure } from '../model/failure.ts'
import { isArray, isObject, type Json, type JsonObject } from '../model/json.ts'
import type { KubeObject } from '../model/kubernetes.ts'
import type { Place } from '../model/manifest.ts'

export const APPLICATION_GROUP = 'argoproj.io'

export function isApplication(object: KubeObject): boolean {
  return object.kind === 'Application' && object.apiVersion.startsWith(`${APPLICATION_GROUP}/`)
}

/**
 * Reads an Argo CD Application (`argoproj.io/v1alpha1`). Unknown fields are kept in `raw` and otherwise ignored, as
 * Argo CD does; what cannot be meant is a failure that names the field.
 */
export function readApplication(object: KubeObject, place?: Place): Application | Failure {
  const spec = object['spec']
  if (!isObject(spec)) return invalid('spec is missing', place)
  const sources = readSources(spec)
  if (sources.length === 0) return invalid('spec.source (or spec.sources) is missing', place)
  const empty = sources.find((source) => source.repoURL === '')
  if (empty !== undefined) return invalid('spec.source.repoURL is missing', place)
  return {
    name: object.metadata.name,
    namespace: object.metadata.namespace ?? 'argocd',
    labels: object.metadata.labels ?? {},
    annotations: object.metadata.annotations ?? {},
    finalizers: object.metadata.finalizers ?? [],
    project: text(spec['project'], 'default'),
    sources,
    destination: readDestination(spec['destination']),
    syncPolicy: readSyncPolicy(spec['syncPolicy']),
    ignoreDifferences: objects(spec['ignoreDifferences']).map(readIgnoreDifference),
    revisionHistoryLimit: numberOr(spec['revisionHistoryLimit'], 10),
    raw: object,
    ...(place === undefined ? {} : { place }),
  }
}

function invalid(message: string, place: Place | undefined): Failure {
  return { stage: 'source', reason: 'invalid-application', message, ...(place === undefined ? {} : { place }) }
}

function readSources(spec: JsonObject): readonly ApplicationSource[] {
  const many = objects(spec['sources'])
  if (many.length > 0) return many.map(readSource)
  return isObject(spec['source']) ? [readSource(spec['source'])] : []
}

function readSource(source: JsonObject): ApplicationSource {
  return {
    repoURL: text(source['repoURL'], ''),
    targetRevision: text(source['targetRevision'], '') || 'HEAD',
    path: text(source['path'], '.') || '.',
    ...optionalText(source, 'chart'),
    ...optionalText(source, 'ref'),
    ...(isObject(source['directory'])
      ? {
          directory: {
            ...optionalFlag(source['directory'], 'recurse'),
            ...optionalText(source['directory'], 'include'),
            ...optionalText(source['directory'], 'exclude'),
          },
        }
      : {}),
    // Both sections are plain data in Argo CD's own shape; the renderer reads each option defensively.
    ...(isObject(source['kustomize']) ? { kustomize: source['kustomize'] } : {}),
    ...(isObject(source['helm']) ? { helm: source['helm'] } : {}),
  }
}

function readDestination(value: Json | undefined): Destination {
  const destination = isObject(value) ? value : {}
  return {
    ...optionalText(destination, 'server'),
    ...optionalText(destination, 'name'),
    namespace: text(destination['namespace'], ''),
  }
}

function readSyncPolicy(value: Json | undefined): SyncPolicy {
  const policy = isObject(value) ? value : {}
  const metadata = policy['managedNamespaceMetadata']
  return {
    ...(isObject(policy['automated']) ? { automated: readAutomated(policy['automated']) } : {}),
    syncOptions: texts(policy['syncOptions']),
    ...(isObject(policy['retry']) ? { retry: readRetry(policy['retry']) } : {}),
    ...(isObject(metadata)
      ? {
          managedNamespaceMetadata: {
            labels: textMap(metadata['labels']),
            annotations: textMap(metadata['annotations']),
          },
        }
      : {}),
  }
}

function readAutomated(value: JsonObject): AutomatedSync {
  return {
    // `enabled: null` and an absent `enabled` both mean on (Argo CD `docs/user-guide/auto_sync.md`).
    enabled: value['enabled'] !== false,
    prune: value['prune'] === true,
    selfHeal: value['selfHeal'] === true,
    allowEmpty: value['allowEmpty'] === true,
  }
}

function readRetry(value: JsonObject): RetryPolicy {
  const backoff = isObject(value['backoff']) ? value['backoff'] : {}
  return {
    limit: numberOr(value['limit'], 5),
    ...optionalFlag(value, 'refresh'),
    backoff: {
      duration: text(backoff['duration'], '5s'),
      factor: numberOr(backoff['factor'], 2),
      maxDuration: text(backoff['maxDuration'], '3m'),
    },
  }
}

function readIgnoreDifference(value: JsonObject): IgnoreDifference {
  return {
    group: text(value['group'], ''),
    kind: text(value['kind'], ''),
    ...optionalText(value, 'name'),
    ...optionalText(value, 'namespace'),
    jsonPointers: texts(value['jsonPointers']),
    jqPathExpressions: texts(value['jqPathExpressions']),
    managedFieldsManagers: texts(value['managedFieldsManagers']),
  }
}

function text(value: Json | undefined, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise
}

function numberOr(value: Json | undefined, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise
}

function texts(value: Json | undefined): readonly string[] {
  return isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

function objects(value: Json | undefined): readonly JsonObject[] {
  return isArray(value) ? value.filter(isObject) : []
}

function textMap(value: Json | undefined): Readonly<Record<string, string>> {
  if (!isObject(value)) return {}
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => (typeof item === 'string' ? [[key, item]] : [])),
  )
}

function optionalText<K extends string>(from: JsonObject, key: K): { readonly [P in K]?: string } {
  const value = from[key]
  return (typeof value === 'string' ? { [key]: value } : {}) as { readonly [P in K]?: string }
}

function optionalFlag<K extends string>(from: JsonObject, key: K): { readonly [P in K]?: boolean } {
  const value = from[key]
  return (typeof value === 'boolean' ? { [key]: value } : {}) as { readonly [P in K]?: boolean }
}
