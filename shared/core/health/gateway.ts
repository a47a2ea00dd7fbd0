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

/** One that another generation was told of is not known yet. */
export function gatewayClassHealth({ metadata, ...rest }: KubeObject): Health {
  const accepted = conditionsIn(part(rest, 'status')['conditions']).find(
    ({ type, observedGeneration }) =>
      type === 'Accepted' &&
      (observedGeneration === undefined ||
        metadata.generation === undefined ||
        observedGeneration === count(metadata.generation)),
  )
  if (accepted === undefined) return answer('Progressing', 'it has no status yet')
  const code = accepted.status === 'True' ? 'Healthy' : accepted.status === 'False' ? 'Degraded' : 'Progressing'
  return answer(code, accepted.message)
}

/**
 * By Argo CD `resource_customizations/gateway.networking.k8s.io/BackendTLSPolicy/health.lua`. A controller that has nothing
 * to do with the policy's target says so, and does not count.
 */
export function backendPolicyHealth(object: KubeObject): Health {
  const ancestors = objects(statusOf(object)['ancestors']).map((ancestor) => ({
    name: text(part(ancestor, 'ancestorRef')['name']),
    conditions: conditionsIn(ancestor['conditions']),
  }))
  const { generation } = object.metadata
  const told = ancestors.flatMap(({ conditions }) => conditions)
  const isOld = ({ observedGeneration }: StatusCondition): boolean =>
    observedGeneration !== undefined && generation !== undefined && observedGeneration !== count(generation)
  if (told.some(isOld)) return answer('Progressing', 'the newest spec has not been observed yet')
  const responsible = ancestors.filter(
    ({ conditions }) => !conditions.some(({ type, reason }) => type === 'Accepted' && reason === 'TargetNotFound'),
  )
  for (const { name, conditions } of responsible) {
    const refused = conditions.find(
      ({ type, status }) => (type === 'Accepted' || type === 'ResolvedRefs') && status !== 'True',
    )
    if (refused !== undefined) return answer('Degraded', `ancestor ${name}: ${refused.message || refused.type}`)
  }
  const accepted = responsible.some(({ conditions }) => conditions.some(({ type }) => type === 'Accepted'))
  return accepted ? answer('Healthy') : answer('Progressing', 'no gateway has answered yet')
}

/** Routes are judged by each of their parents; what another generation was told of does not count. */
export function routeHealth(object: KubeObject): Health {
  const status = statusOf(object)
  const parents = objects(status['parents']).filter((parent) => isObserved(object, parent))
  for (const parent of parents) {
    const name = text(part(parent, 'parentRef')['name'])
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
