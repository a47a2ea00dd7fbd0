import type { ResourceId } from '../model/kubernetes.ts'

/** Kinds in the order in which they are applied (Argo CD `gitops-engine/pkg/sync/sync_tasks.go`); others come last. */
const KIND_ORDER: readonly string[] = [
  'Namespace',
  'NetworkPolicy',
  'ResourceQuota',
  'LimitRange',
  'PodSecurityPolicy',
  'PodDisruptionBudget',
  'ServiceAccount',
  'Secret',
  'SecretList',
  'ConfigMap',
  'StorageClass',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'CustomResourceDefinition',
  'ClusterRole',
  'ClusterRoleList',
  'ClusterRoleBinding',
  'ClusterRoleBindingList',
  'Role',
  'RoleList',
  'RoleBinding',
  'RoleBindingList',
  'Service',
  'DaemonSet',
  'Pod',
  'ReplicationController',
  'ReplicaSet',
  'Deployment',
  'HorizontalPodAutoscaler',
  'StatefulSet',
  'Job',
  'CronJob',
  'IngressClass',
  'Ingress',
  'APIService',
]

const RANK: ReadonlyMap<string, number> = new Map(KIND_ORDER.map((kind, index) => [kind, index]))

/** Where a kind stands in the order of application, from 0. */
export function kindRank(kind: string): number {
  return RANK.get(kind) ?? KIND_ORDER.length
}

/** A total order, so that the same set always comes out the same way. */
export function compareIds(a: ResourceId, b: ResourceId): number {
  return (
    compareText(a.group, b.group) ||
    compareText(a.kind, b.kind) ||
    compareText(a.namespace, b.namespace) ||
    compareText(a.name, b.name)
  )
}

/** Kind order first, then the total order. */
export function compareForApply(a: ResourceId, b: ResourceId): number {
  return kindRank(a.kind) - kindRank(b.kind) || compareIds(a, b)
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
