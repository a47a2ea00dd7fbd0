import type { Health } from '../../model/health.ts'
import type { KubeObject } from '../../model/kubernetes.ts'
import { answer } from './answer.ts'
import { conditionsOf } from './facts.ts'

/** Argo CD `gitops-engine/pkg/health/health_apiservice.go`. */
export function apiServiceHealth(object: KubeObject): Health {
  const available = conditionsOf(object).find(({ type }) => type === 'Available')
  if (available === undefined) return answer('Progressing', 'it has not been looked at yet')
  const message = [available.reason, available.message].filter((part) => part !== '').join(': ')
  return answer(available.status === 'True' ? 'Healthy' : 'Progressing', message)
}
