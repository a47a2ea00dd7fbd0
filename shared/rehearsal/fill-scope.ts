import { isArray, isObject, valueAt, type Json } from '../model/json.ts'
import { gvkOf, type GroupVersionKind, type KubeObject, type ResourceId } from '../model/kubernetes.ts'

const core = (kind: string): GroupVersionKind => ({ group: '', version: 'v1', kind })
const of = (group: string, version: string, ...kinds: readonly string[]): readonly GroupVersionKind[] =>
  kinds.map((kind) => ({ group, version, kind }))

/** What is read whole in every namespace that a sync touches: what runs there, and what rules there. */
export const NAMESPACE_KINDS: readonly GroupVersionKind[] = [
  ...['Pod', 'Service', 'Endpoints', 'ServiceAccount', 'ResourceQuota', 'LimitRange', 'PersistentVolumeClaim'].map(
    core,
  ),
  ...of('apps', 'v1', 'Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet', 'ControllerRevision'),
  ...of('batch', 'v1', 'Job', 'CronJob'),
  ...of('discovery.k8s.io', 'v1', 'EndpointSlice'),
  ...of('policy', 'v1', 'PodDisruptionBudget'),
  ...of('autoscaling', 'v2', 'HorizontalPodAutoscaler'),
]

/** What people keep in a namespace besides; read where the namespace itself is to go. */
export const HELD_KINDS: readonly GroupVersionKind[] = [
  ...['ConfigMap', 'Secret'].map(core),
  ...of('networking.k8s.io', 'v1', 'Ingress', 'NetworkPolicy'),
  ...of('rbac.authorization.k8s.io', 'v1', 'Role', 'RoleBinding'),
]

/** What is read whole of the cluster: its namespaces and nodes, and what rules everywhere. */
export const CLUSTER_KINDS: readonly GroupVersionKind[] = [
  ...['Namespace', 'Node', 'PersistentVolume'].map(core),
  ...of('scheduling.k8s.io', 'v1', 'PriorityClass'),
  ...of('storage.k8s.io', 'v1', 'StorageClass'),
  ...of('networking.k8s.io', 'v1', 'IngressClass'),
  ...of('node.k8s.io', 'v1', 'RuntimeClass'),
  ...of('admissionregistration.k8s.io', 'v1', 'ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration'),
  ...of('admissionregistration.k8s.io', 'v1', 'ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding'),
  ...of('admissionregistration.k8s.io', 'v1', 'MutatingAdmissionPolicy', 'MutatingAdmissionPolicyBinding'),
]

/** One object that has to be there for another one to work. */
export type Reference = { readonly gvk: GroupVersionKind; readonly id: ResourceId }

/** ConfigMaps and Secrets that the pods of an object read. */
export function referencesOf(object: KubeObject, namespace: string): readonly Reference[] {
  const pod = podSpecOf(object)
  if (pod === undefined) return []
  const found = new Map<string, Reference>()
  const note = (kind: 'ConfigMap' | 'Secret', name: Json | undefined): void => {
    if (typeof name !== 'string' || name === '') return
    found.set(`${kind}/${name}`, { gvk: core(kind), id: { group: '', kind, namespace, name } })
  }
  for (const volume of listAt(pod, 'volumes')) {
    for (const source of [volume, ...listAt(valueAt(volume, ['projected']), 'sources')]) {
      note('ConfigMap', valueAt(source, ['configMap', 'name']))
      note('Secret', valueAt(source, ['secret', 'secretName']) ?? valueAt(source, ['secret', 'name']))
    }
  }
  for (const container of [...listAt(pod, 'initContainers'), ...listAt(pod, 'containers')]) {
    for (const source of listAt(container, 'envFrom')) {
      note('ConfigMap', valueAt(source, ['configMapRef', 'name']))
      note('Secret', valueAt(source, ['secretRef', 'name']))
    }
    for (const variable of listAt(container, 'env')) {
      note('ConfigMap', valueAt(variable, ['valueFrom', 'configMapKeyRef', 'name']))
      note('Secret', valueAt(variable, ['valueFrom', 'secretKeyRef', 'name']))
    }
  }
  return [...found.values()]
}

/** The pod that an object is or makes; undefined for what makes none. */
export function podSpecOf(object: KubeObject): Json | undefined {
  const { group, kind } = gvkOf(object)
  if (group === '' && kind === 'Pod') return object['spec']
  if (kind === 'CronJob') return valueAt(object, ['spec', 'jobTemplate', 'spec', 'template', 'spec'])
  return valueAt(object, ['spec', 'template', 'spec'])
}

/** The images of the pods that an object is or makes. */
export function imagesOf(object: KubeObject): readonly string[] {
  const pod = podSpecOf(object)
  const containers = [...listAt(pod, 'initContainers'), ...listAt(pod, 'containers')]
  return containers.flatMap((container) => {
    const image = valueAt(container, ['image'])
    return typeof image === 'string' ? [image] : []
  })
}

export function listAt(value: Json | undefined, key: string): readonly Json[] {
  const list = isObject(value) ? value[key] : undefined
  return isArray(list) ? list : []
}

/** The text at a key; empty where there is none. */
export function textAt(value: Json | undefined, ...path: readonly string[]): string {
  const found = valueAt(value, path)
  return typeof found === 'string' ? found : ''
}
