import type { Health } from '../../model/health.ts'
import type { KubeObject } from '../../model/kubernetes.ts'
import { answer } from './answer.ts'
import { count, isStale, part, specOf, statusOf } from './facts.ts'

/** Argo CD `gitops-engine/pkg/health/health_daemonset.go`, which follows `kubectl rollout status`. */
export function daemonSetHealth(object: KubeObject): Health {
  if (isStale(object)) return answer('Progressing', 'the newest spec has not been observed yet')
  const status = statusOf(object)
  const want = count(status['desiredNumberScheduled'])
  const updated = count(status['updatedNumberScheduled'])
  const available = count(status['numberAvailable'])
  if (part(specOf(object), 'updateStrategy')['type'] === 'OnDelete') {
    return answer('Healthy', `${updated} of ${want} pods are updated`)
  }
  if (updated < want) return answer('Progressing', `${updated} of ${want} pods are updated`)
  if (available < want) return answer('Progressing', `${available} of ${want} pods are available`)
  return answer('Healthy')
}
