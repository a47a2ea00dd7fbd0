import type { Health } from '../../model/health.ts'
import type { KubeObject } from '../../model/kubernetes.ts'
import { answer } from './answer.ts'
import { conditionsOf, type StatusCondition } from './facts.ts'

/** Argo CD `resource_customizations/apiextensions.k8s.io/CustomResourceDefinition/health.lua`. */
export function customResourceDefinitionHealth(object: KubeObject): Health {
  const conditions = conditionsOf(object)
  if (conditions.length === 0) return answer('Progressing', 'it has not been looked at yet')
  const find = (type: string, status: string): StatusCondition | undefined =>
    conditions.find((condition) => condition.type === type && condition.status === status)
  const terminating = find('Terminating', 'True')
  if (terminating !== undefined) return answer('Progressing', `terminating: ${terminating.message}`)
  const refused = find('NamesAccepted', 'False')
  if (refused !== undefined) return answer('Degraded', `its names are not accepted: ${refused.message}`)
  if (find('Established', 'True') === undefined) return answer('Degraded', 'it is not established')
  const violation = find('NonStructuralSchema', 'True')
  if (violation !== undefined) return answer('Degraded', `its schema is not structural: ${violation.message}`)
  return answer('Healthy')
}
