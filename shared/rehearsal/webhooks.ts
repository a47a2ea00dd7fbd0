import { isArray, isObject, valueAt, type Json } from '../model/json.ts'
import { parseApiVersion, type KubeObject } from '../model/kubernetes.ts'
import { listAt, textAt } from './fill-scope.ts'
import { selects } from './selector.ts'

/** One admission webhook of a configuration. */
export type Webhook = {
  readonly name: string
  readonly configuration: string
  readonly mutating: boolean
  readonly failurePolicy: string
  /** Where it listens, for error texts. */
  readonly url: string
  readonly timeoutSeconds: number
  readonly raw: Json
}

/** A write as admission sees it. */
export type AdmissionTarget = {
  readonly apiVersion: string
  /** Plural. */
  readonly resource: string
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE'
  readonly namespaced: boolean
  readonly object: KubeObject
  /** Labels of the namespace that it is in. */
  readonly namespaceLabels: Json | undefined
}

export function webhooksIn(objects: Iterable<KubeObject>): readonly Webhook[] {
  return [...objects].flatMap((configuration): readonly Webhook[] => {
    const mutating = configuration.kind === 'MutatingWebhookConfiguration'
    if (!mutating && configuration.kind !== 'ValidatingWebhookConfiguration') return []
    return listAt(configuration, 'webhooks').map((raw) => ({
      name: textAt(raw, 'name'),
      configuration: configuration.metadata.name,
      mutating,
      failurePolicy: textAt(raw, 'failurePolicy') || 'Fail',
      url: urlOf(raw),
      timeoutSeconds: Number(valueAt(raw, ['timeoutSeconds']) ?? 10),
      raw,
    }))
  })
}

function urlOf(raw: Json): string {
  const url = valueAt(raw, ['clientConfig', 'url'])
  if (typeof url === 'string') return url
  const service = valueAt(raw, ['clientConfig', 'service'])
  const port = valueAt(service, ['port'])
  const place = `${textAt(service, 'name')}.${textAt(service, 'namespace')}.svc`
  return `https://${place}:${typeof port === 'number' ? port : 443}${textAt(service, 'path')}`
}

/** Whether the server would call a webhook for a write (`k8s.io/apiserver/pkg/admission/plugin/webhook`). */
export function isCalled({ raw }: Webhook, target: AdmissionTarget): boolean {
  const { group, version } = parseApiVersion(target.apiVersion)
  const ruled = listAt(raw, 'rules').some(
    (rule) =>
      has(rule, 'operations', target.operation) &&
      has(rule, 'apiGroups', group) &&
      has(rule, 'apiVersions', version) &&
      has(rule, 'resources', target.resource) &&
      inScope(textAt(rule, 'scope'), target.namespaced),
  )
  if (!ruled) return false
  // Namespaces themselves are judged by their own labels.
  const labels = target.object.kind === 'Namespace' ? target.object.metadata.labels : target.namespaceLabels
  const places = valueAt(raw, ['namespaceSelector'])
  const objects = valueAt(raw, ['objectSelector'])
  const place = target.namespaced || target.object.kind === 'Namespace' ? selects(places, labels ?? {}) : true
  return place && selects(objects, target.object.metadata.labels ?? {})
}

function has(rule: Json, key: string, value: string): boolean {
  const list = isObject(rule) ? rule[key] : undefined
  if (!isArray(list)) return false
  return list.some((one) => one === '*' || one === '*/*' || one === value || one === `${value}/*`)
}

function inScope(scope: string, namespaced: boolean): boolean {
  return scope === '' || scope === '*' || (scope === 'Namespaced') === namespaced
}
