import type { Health } from '../../model/health.ts'
import { isObject } from '../../model/json.ts'
import type { KubeObject } from '../../model/kubernetes.ts'
import { answer } from './answer.ts'
import { objects, specOf, statusOf, text } from './facts.ts'

/** Argo CD `resource_customizations/batch/CronJob/health.lua`. Times are RFC 3339 in UTC, so their text orders them. */
export function cronJobHealth(object: KubeObject): Health {
  if (specOf(object)['suspend'] === true) return answer('Suspended', 'it is suspended')
  if (!isObject(object['status'])) return answer('Progressing', 'it has not been looked at yet')
  const status = statusOf(object)
  const scheduled = text(status['lastScheduleTime'])
  const succeeded = text(status['lastSuccessfulTime'])
  if (scheduled === '') return answer('Healthy', 'it has not been scheduled yet')
  if (succeeded === '') return answer('Healthy', 'no run of it has succeeded yet; it may not be healthy')
  if (objects(status['active']).length > 0) return answer('Healthy', 'a run of it is under way')
  return succeeded < scheduled ? answer('Degraded', 'its last run did not succeed') : answer('Healthy')
}
