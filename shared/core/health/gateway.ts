import type { Health } from '../../model/health.ts'
import type { KubeObject } from '../../model/kubernetes.ts'
import type { JsonObject } from '../../model/json.ts'
import { answer } from './answer.ts'
import { conditionsIn, count, objects, part, statusOf, text, type StatusCondition } from './facts.ts'

/** Gateway API, by Argo CD `resource_customizations/gateway.networking.k8s.io/Gateway/health.lua`. */
export function gatewayHealth(object: KubeObject): Health {
  const status = statusOf(object)
  const listeners = objects(status['listeners'])
  const own = troubleIn(conditionsIn(status['conditions']), '')
  if (own !== undefined) return own
  for (const listener of listeners) {
    const trouble = troubleIn(conditionsIn(listener['conditions']), `listener ${text(listener['name'])}: `)
    if (trouble !== undefined) return trouble
  }
  if (status['conditions'] === undefined && listeners.length === 0) return answer('Progressing', 'it has no status yet')
  return answer('Healthy')
}

/** Routes and policies are judged by each of their parents; what another generation was told of does not count. */
export function routeHealth(object: KubeObject): Health {
  const status = statusOf(object)
  const parents = [...objects(status['parents']), ...objects(status['ancestors'])].filter((parent) =>
    isObserved(object, parent),
  )
  for (const parent of parents) {
    const name = text(part(parent, 'parentRef')['name']) || text(part(parent, 'ancestorRef')['name'])
    const trouble = troubleIn(conditionsIn(parent['conditions']), `parent ${name}: `)
    if (trouble !== undefined) return trouble
  }
  return parents.length === 0 ? answer('Progressing', 'no parent has answered yet') : answer('Healthy')
}

function troubleIn(conditions: readonly StatusCondition[], where: string): Health | undefined {
  const refused = ['ResolvedRefs', 'Accepted']
    .map((name) => conditions.find(({ type, status }) => type === name && status === 'False'))
    .find((one) => one !== undefined)
  if (refused !== undefined) return answer('Degraded', `${where}${refused.message || refused.type}`)
  const pending = conditions.find(({ type, status }) => type === 'Programmed' && status !== 'True')
  return pending === undefined ? undefined : answer('Progressing', `${where}${pending.message || 'to be programmed'}`)
}

function isObserved({ metadata }: KubeObject, parent: JsonObject): boolean {
  const conditions = conditionsIn(parent['conditions'])
  if (conditions.length === 0) return false
  if (metadata.generation === undefined) return true
  return conditions.some(({ observedGeneration }) => observedGeneration === count(metadata.generation))
}
