import { isArray, isObject, type Json, type JsonObject } from '../model/json.ts'
import { groupKindKey, gvkOf, type KubeObject } from '../model/kubernetes.ts'

/** What every cluster has, and nobody else should make. */
const SYSTEM_NAMESPACES: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public', 'kube-node-lease'])

/** What a cluster's own parts make, or what would reach out of it: webhooks would be called, volumes are somebody's. */
const LEFT_BEHIND: ReadonlySet<string> = new Set([
  '|Node',
  '|Endpoints',
  '|PersistentVolume',
  'discovery.k8s.io|EndpointSlice',
  'apps|ControllerRevision',
  'admissionregistration.k8s.io|ValidatingWebhookConfiguration',
  'admissionregistration.k8s.io|MutatingWebhookConfiguration',
])

/** Names that come with a namespace or a cluster. */
const GIVEN: ReadonlySet<string> = new Set([
  'ServiceAccount/default',
  'ConfigMap/kube-root-ca.crt',
  'Service/kubernetes',
])

/** Definitions and namespaces first, then what pods need, then what makes pods. */
const ORDER: readonly string[] = [
  'Namespace',
  'CustomResourceDefinition',
  'PriorityClass',
  'StorageClass',
  'IngressClass',
  'RuntimeClass',
  'ServiceAccount',
  'Secret',
  'ConfigMap',
  'PersistentVolumeClaim',
  'Service',
  'LimitRange',
]
/** Quotas come last: what is there fits, in whatever order it came. */
const LAST: readonly string[] = ['ResourceQuota']

/** What has to be made on another cluster so that a sync finds there what it would find on the real one, in order. */
export function transplanted(objects: readonly KubeObject[]): readonly KubeObject[] {
  return objects.filter(isMade).sort((a, b) => rank(a) - rank(b))
}

function rank({ kind }: KubeObject): number {
  const first = ORDER.indexOf(kind)
  if (first >= 0) return first
  return ORDER.length + (LAST.includes(kind) ? 1 : 0)
}

/** Namespaces that are made for a rehearsal and taken away after it. */
export function namespacesOf(objects: readonly KubeObject[], touched: readonly string[]): readonly string[] {
  const made = objects
    .filter(isMade)
    .map(({ kind, metadata }) => (kind === 'Namespace' ? metadata.name : (metadata.namespace ?? '')))
  return [...new Set([...touched, ...made])].filter((name) => name !== '' && !SYSTEM_NAMESPACES.has(name))
}

function isMade(object: KubeObject): boolean {
  const { kind, metadata } = object
  if (LEFT_BEHIND.has(groupKindKey(gvkOf(object))) || GIVEN.has(`${kind}/${metadata.name}`)) return false
  if (metadata.deletionTimestamp !== undefined) return false
  // Controllers make it again.
  if ((metadata.ownerReferences ?? []).some(({ controller }) => controller === true)) return false
  const home = kind === 'Namespace' ? metadata.name : metadata.namespace
  return home === undefined || !SYSTEM_NAMESPACES.has(home)
}

/** Metadata that is the other server's to give. */
const OF_THE_SERVER = [
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'managedFields',
  'ownerReferences',
  'selfLink',
  'finalizers',
]

/** An object as another server can take it: without what only the first one could know. */
export function cutting(object: KubeObject): KubeObject {
  const { status: _, ...rest } = object
  const metadata = Object.fromEntries(Object.entries(object.metadata).filter(([key]) => !OF_THE_SERVER.includes(key)))
  const { spec } = object
  const bare = isObject(spec) ? { spec: bareSpec(object.kind, spec) } : {}
  return { ...rest, ...bare, metadata } as unknown as KubeObject
}

function bareSpec(kind: string, spec: JsonObject): JsonObject {
  switch (kind) {
    case 'Service': {
      const { clusterIP, clusterIPs: _ips, healthCheckNodePort: _port, ports, ...rest } = spec
      const free = isArray(ports) ? { ports: ports.map(withoutNodePort) } : {}
      return { ...rest, ...free, ...(clusterIP === 'None' ? { clusterIP } : {}) }
    }
    case 'PersistentVolumeClaim': {
      const { volumeName: _, ...rest } = spec
      return rest
    }
    case 'Job': {
      const { selector: _, template, ...rest } = spec
      return { ...rest, ...(template === undefined ? {} : { template: withoutGivenLabels(template) }) }
    }
    case 'Namespace':
      return {}
    case 'Pod': {
      const { nodeName: _, ...rest } = spec
      return rest
    }
    default:
      return spec
  }
}

function withoutNodePort(port: Json): Json {
  if (!isObject(port)) return port
  const { nodePort: _, ...rest } = port
  return rest
}

const GIVEN_LABELS = /^(?:batch\.kubernetes\.io\/)?(?:controller-uid|job-name)$/

function withoutGivenLabels(template: Json): Json {
  if (!isObject(template) || !isObject(template['metadata'])) return template
  const { metadata } = template
  if (!isObject(metadata['labels'])) return template
  const labels = Object.fromEntries(Object.entries(metadata['labels']).filter(([key]) => !GIVEN_LABELS.test(key)))
  return { ...template, metadata: { ...metadata, labels } }
}
