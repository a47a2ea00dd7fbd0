import { groupKindKey, type GroupKind, type ResourceId } from '../model/kubernetes.ts'
import type { Proven } from '../model/rehearsal.ts'

/**
 * Built-in kinds whose answers were compared with a real kube-apiserver's, by random conversations with both and by replay of
 * recorded ones (`test/cluster/simulator-differential.test.ts`, `simulator-vectors.test.ts`); a test holds the table to the
 * kinds of those.
 */
export const PROVEN_KINDS: ReadonlyMap<string, readonly string[]> = new Map([
  [
    '',
    [
      'ConfigMap',
      'Endpoints',
      'Event',
      'LimitRange',
      'Namespace',
      'PersistentVolume',
      'PersistentVolumeClaim',
      'Pod',
      'PodTemplate',
      'ReplicationController',
      'ResourceQuota',
      'Secret',
      'Service',
      'ServiceAccount',
    ],
  ],
  ['apiextensions.k8s.io', ['CustomResourceDefinition']],
  ['apps', ['DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet']],
  ['autoscaling', ['HorizontalPodAutoscaler']],
  ['batch', ['CronJob', 'Job']],
  ['coordination.k8s.io', ['Lease']],
  ['discovery.k8s.io', ['EndpointSlice']],
  ['networking.k8s.io', ['Ingress', 'IngressClass', 'NetworkPolicy']],
  ['policy', ['PodDisruptionBudget']],
  ['rbac.authorization.k8s.io', ['ClusterRole', 'Role', 'RoleBinding']],
  ['scheduling.k8s.io', ['PriorityClass']],
  ['storage.k8s.io', ['StorageClass']],
])

/** Groups that Kubernetes itself serves; all others come with definitions or with servers of their own. */
export function isBuiltIn({ group }: GroupKind): boolean {
  return !group.includes('.') || group.endsWith('.k8s.io')
}

/**
 * Whether the embedded server was held against a real one for a kind. Custom kinds are: what a definition says of its objects
 * was compared with generated definitions.
 */
export function isProven(kind: GroupKind): boolean {
  return isBuiltIn(kind) ? (PROVEN_KINDS.get(kind.group)?.includes(kind.kind) ?? false) : true
}

export function provenOf(ids: readonly ResourceId[]): Proven {
  const unproven = new Map<string, GroupKind>()
  let proven = 0
  for (const id of ids) {
    if (isProven(id)) proven += 1
    else unproven.set(groupKindKey(id), { group: id.group, kind: id.kind })
  }
  return { proven, total: ids.length, unproven: [...unproven.values()] }
}
