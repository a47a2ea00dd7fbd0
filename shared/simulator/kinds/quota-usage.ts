import { addQuantities, formatQuantity, parseQuantity } from '../../fields/quantity.ts'
import type { KubeObject } from '../object.ts'
import type { Json } from './json.ts'
import { numberAt, objectAt, objectsAt, textAt, textMapAt, textsAt } from './json.ts'
import { total } from './pod-resources.ts'
import { qosClass } from './pod.ts'
import type { StrategyContext } from './strategy.ts'

/** Amounts by resource name. */
export type Amounts = Readonly<Record<string, string>>

export function addAmounts(a: Amounts, b: Amounts): Record<string, string> {
  const sum: Record<string, string> = { ...a }
  for (const [name, amount] of Object.entries(b)) {
    const so = sum[name]
    sum[name] = so === undefined ? amount : formatQuantity(addQuantities(parseQuantity(so), parseQuantity(amount)))
  }
  return sum
}

/** Resources that quotas also know by a bare name. */
const bareNames = new Set([
  'configmaps',
  'persistentvolumeclaims',
  'pods',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'services',
])

/** What one object counts against a quota (`pkg/quota/v1/evaluator/core`). */
export function usageOf(group: string, resource: string, o: KubeObject): Amounts {
  const count = `count/${resource}${group === '' ? '' : `.${group}`}`
  if (group !== '') return { [count]: '1' }
  if (resource === 'pods' && isFinished(o)) return { [count]: '1' }
  return {
    [count]: '1',
    ...(bareNames.has(resource) && { [resource]: '1' }),
    ...(resource === 'pods' && podUsage(objectAt(o, 'spec') ?? {})),
    ...(resource === 'services' && serviceUsage(objectAt(o, 'spec') ?? {})),
    ...(resource === 'persistentvolumeclaims' && claimUsage(objectAt(o, 'spec') ?? {})),
  }
}

function isFinished(pod: KubeObject): boolean {
  const phase = textAt(objectAt(pod, 'status'), 'phase')
  return phase === 'Failed' || phase === 'Succeeded'
}

function podUsage(spec: Json): Amounts {
  const out: Record<string, string> = {}
  for (const [name, amount] of Object.entries(total(spec, 'requests'))) {
    if (name === 'cpu' || name === 'memory' || name === 'ephemeral-storage') out[name] = amount
    out[`requests.${name}`] = amount
  }
  for (const [name, amount] of Object.entries(total(spec, 'limits'))) out[`limits.${name}`] = amount
  return out
}

function serviceUsage(spec: Json): Amounts {
  const ports = String(objectsAt(spec, 'ports').length)
  if (spec['type'] === 'NodePort') return { 'services.nodeports': ports }
  if (spec['type'] !== 'LoadBalancer') return {}
  const nodePorts = spec['allocateLoadBalancerNodePorts'] === false ? '0' : ports
  return { 'services.loadbalancers': '1', 'services.nodeports': nodePorts }
}

function claimUsage(spec: Json): Amounts {
  const storage = textMapAt(objectAt(spec, 'resources'), 'requests')['storage']
  const name = textAt(spec, 'storageClassName')
  const prefix = `${name}.storageclass.storage.k8s.io`
  return {
    ...(storage !== undefined && { 'requests.storage': storage }),
    ...(name !== '' && { [`${prefix}/persistentvolumeclaims`]: '1' }),
    ...(name !== '' && storage !== undefined && { [`${prefix}/requests.storage`]: storage }),
  }
}

/** Whether the scopes of a quota let it count the object; only pods have scopes. */
export function quotaCovers(quota: KubeObject, resource: string, o: KubeObject): boolean {
  const spec = objectAt(quota, 'spec')
  const scopes = textsAt(spec, 'scopes')
  const expressions = objectsAt(objectAt(spec, 'scopeSelector'), 'matchExpressions')
  if (scopes.length + expressions.length === 0) return true
  if (resource !== 'pods') return false
  return (
    scopes.every((scope) => inScope(scope, 'Exists', [], o)) &&
    expressions.every((e) => inScope(textAt(e, 'scopeName'), textAt(e, 'operator'), textsAt(e, 'values'), o))
  )
}

function inScope(scope: string, operator: string, values: readonly string[], pod: KubeObject): boolean {
  const spec = objectAt(pod, 'spec') ?? {}
  const deadline = numberAt(spec, 'activeDeadlineSeconds') !== undefined
  switch (scope) {
    case 'Terminating':
      return deadline
    case 'NotTerminating':
      return !deadline
    case 'BestEffort':
      return qosClass(spec) === 'BestEffort'
    case 'NotBestEffort':
      return qosClass(spec) !== 'BestEffort'
    case 'PriorityClass':
      return matchesClass(textAt(spec, 'priorityClassName'), operator, values)
    default:
      return false
  }
}

function matchesClass(name: string, operator: string, values: readonly string[]): boolean {
  if (operator === 'Exists') return name !== ''
  if (operator === 'DoesNotExist') return name === ''
  return operator === 'In' ? values.includes(name) : !values.includes(name)
}

/** The resources that a quota's names refer to, as `context.list` knows them. */
function countedResources(quota: KubeObject): string[] {
  const names = Object.keys(textMapAt(objectAt(quota, 'spec'), 'hard'))
  const out = new Set<string>()
  for (const name of names) {
    if (name.startsWith('count/')) out.add(name.slice('count/'.length))
    else if (bareNames.has(name)) out.add(name)
    else if (name.startsWith('services.')) out.add('services')
    else if (name === 'requests.storage' || name.includes('.storageclass.storage.k8s.io/')) {
      out.add('persistentvolumeclaims')
    } else out.add('pods')
  }
  return [...out]
}

/** What a namespace uses of a quota's resources; zero where nothing does. */
export function usageIn(quota: KubeObject, { list }: Pick<StrategyContext, 'list'>): Record<string, string> {
  const names = Object.keys(textMapAt(objectAt(quota, 'spec'), 'hard'))
  let used: Record<string, string> = {}
  for (const resource of countedResources(quota)) {
    const dot = resource.indexOf('.')
    const [plural, group] = dot < 0 ? [resource, ''] : [resource.slice(0, dot), resource.slice(dot + 1)]
    for (const o of list(resource, quota.metadata.namespace)) {
      if (quotaCovers(quota, plural, o)) used = addAmounts(used, usageOf(group, plural, o))
    }
  }
  return Object.fromEntries(names.map((name) => [name, used[name] ?? '0']))
}
