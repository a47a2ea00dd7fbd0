import type { Health } from '../../model/health.ts'
import { isObject } from '../../model/json.ts'
import type { KubeObject } from '../../model/kubernetes.ts'
import { answer, podsAre } from './answer.ts'
import { count, isStale, part, specOf, statusOf, text, wanted } from './facts.ts'

/** Argo CD `gitops-engine/pkg/health/health_statefulset.go`, which follows `kubectl rollout status`. */
export function statefulSetHealth(object: KubeObject): Health {
  const spec = specOf(object)
  const status = statusOf(object)
  if (count(status['observedGeneration']) === 0 || isStale(object)) {
    return answer('Progressing', 'the newest spec has not been observed yet')
  }
  const want = wanted(spec['replicas'])
  const ready = count(status['readyReplicas'])
  if (want !== undefined && ready < want) return answer('Progressing', `${ready} of ${want} pods are ready`)
  const strategy = part(spec, 'updateStrategy')
  const updated = count(status['updatedReplicas'])
  if (strategy['type'] === 'RollingUpdate' && isObject(strategy['rollingUpdate'])) {
    const partition = wanted(strategy['rollingUpdate']['partition'])
    const due = want === undefined || partition === undefined ? 0 : want - partition
    return updated < due
      ? answer('Progressing', `${updated} of ${due} pods above the partition are updated`)
      : answer('Healthy', `${podsAre(updated)} updated`)
  }
  if (strategy['type'] === 'OnDelete') return answer('Healthy', `${podsAre(ready)} ready`)
  return text(status['updateRevision']) === text(status['currentRevision'])
    ? answer('Healthy')
    : answer('Progressing', `${podsAre(updated)} at revision ${text(status['updateRevision'])}`)
}
