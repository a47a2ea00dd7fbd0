import type { Health } from '../../model/health.ts'
import type { KubeObject } from '../../model/kubernetes.ts'
import { answer } from './answer.ts'
import { conditionsOf, count, isStale, specOf, statusOf, wanted } from './facts.ts'

/** Argo CD `gitops-engine/pkg/health/health_replicaset.go`. */
export function replicaSetHealth(object: KubeObject): Health {
  if (isStale(object)) return answer('Progressing', 'the newest spec has not been observed yet')
  const failure = conditionsOf(object).find(({ type }) => type === 'ReplicaFailure')
  if (failure?.status === 'True') return answer('Degraded', failure.message)
  const want = wanted(specOf(object)['replicas'])
  const available = count(statusOf(object)['availableReplicas'])
  if (want !== undefined && available < want) {
    return answer('Progressing', `${available} of ${want} pods are available`)
  }
  return answer('Healthy')
}
