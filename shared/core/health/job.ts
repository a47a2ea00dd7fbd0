import type { Health } from '../../model/health.ts'
import type { KubeObject } from '../../model/kubernetes.ts'
import { answer } from './answer.ts'
import { conditionsOf } from './facts.ts'

/** Argo CD `gitops-engine/pkg/health/health_job.go`: that a condition is there counts, only Suspended has to be True. */
export function jobHealth(object: KubeObject): Health {
  const conditions = new Map(conditionsOf(object).map((condition) => [condition.type, condition]))
  const failed = conditions.get('Failed')
  const suspended = conditions.get('Suspended')
  const complete = conditions.get('Complete')
  if (failed !== undefined) return answer('Degraded', failed.message)
  if (suspended?.status === 'True') return answer('Suspended', suspended.message)
  const ended = complete ?? suspended
  return ended === undefined ? answer('Progressing') : answer('Healthy', ended.message)
}
