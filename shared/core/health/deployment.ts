import type { Health } from '../../model/health.ts'
import type { KubeObject } from '../../model/kubernetes.ts'
import { answer } from './answer.ts'
import { conditionsOf, count, isStale, specOf, statusOf, wanted } from './facts.ts'

/** Argo CD `gitops-engine/pkg/health/health_deployment.go`, which follows `kubectl rollout status`. */
export function deploymentHealth(object: KubeObject): Health {
  const spec = specOf(object)
  if (spec['paused'] === true) return answer('Suspended', 'its rollout is paused')
  if (isStale(object)) return answer('Progressing', 'the newest spec has not been observed yet')
  const progressing = conditionsOf(object).find(({ type }) => type === 'Progressing')
  if (progressing?.reason === 'ProgressDeadlineExceeded') {
    return answer('Degraded', progressing.message || 'the rollout exceeded its progress deadline')
  }
  const status = statusOf(object)
  const replicas = count(status['replicas'])
  const updated = count(status['updatedReplicas'])
  const available = count(status['availableReplicas'])
  const want = wanted(spec['replicas'])
  if (want !== undefined && updated < want) return answer('Progressing', `${updated} of ${want} pods are updated`)
  if (replicas > updated) {
    const old = replicas - updated
    return answer('Progressing', old === 1 ? '1 old pod has yet to end' : `${old} old pods have yet to end`)
  }
  if (available < updated) return answer('Progressing', `${available} of ${updated} updated pods are available`)
  return answer('Healthy')
}
