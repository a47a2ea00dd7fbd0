import type { KubeObject } from '../object.ts'
import type { Json } from '../kinds/json.ts'
import { ensureObject, numberAt, objectAt, objectsAt, textAt, textMapAt } from '../kinds/json.ts'
import type { StrategyContext } from '../kinds/strategy.ts'
import type { AdmissionRequest, Plugin } from './request.ts'
import { creates, refuse } from './request.ts'

const classes = 'priorityclasses.scheduling.k8s.io'
const systemClasses: Readonly<Record<string, number>> = {
  'system-node-critical': 2_000_001_000,
  'system-cluster-critical': 2_000_000_000,
}

interface Priority {
  readonly name: string
  readonly value: number
  readonly preemption: string
}

function defaultPriority(context: StrategyContext): Priority {
  let lowest: Priority | undefined
  for (const o of context.list(classes)) {
    const value = numberAt(o, 'value') ?? 0
    if (o['globalDefault'] !== true || (lowest && lowest.value <= value)) continue
    lowest = { name: o.metadata.name ?? '', value, preemption: textAt(o, 'preemptionPolicy') }
  }
  return lowest ?? { name: '', value: 0, preemption: 'PreemptLowerPriority' }
}

function namedPriority(request: AdmissionRequest, name: string): Priority {
  const found = request.context.lookup(classes, '', name)
  if (found) return { name, value: numberAt(found, 'value') ?? 0, preemption: textAt(found, 'preemptionPolicy') }
  const value = Object.hasOwn(systemClasses, name) ? systemClasses[name] : undefined
  if (value === undefined) throw refuse(request, `no PriorityClass with name ${name} was found`)
  return { name, value, preemption: 'PreemptLowerPriority' }
}

/** Priority: from the named class, or the default one. */
export const priority: Plugin = (request) => {
  const { next, live, context } = request
  if (request.operation === 'update' && request.group === '' && request.resource === 'pods' && next && live) {
    keepPriority(next, live)
    return
  }
  if (!next || !creates(request, 'pods')) return
  const spec = ensureObject(next, 'spec')
  const name = textAt(spec, 'priorityClassName')
  const chosen = name === '' ? defaultPriority(context) : namedPriority(request, name)
  const given = numberAt(spec, 'priority')
  if (given !== undefined && given !== chosen.value) {
    const problem = `the integer value of priority (${given}) must not be provided in pod spec; priority admission controller computed ${chosen.value} from the given PriorityClass name`
    throw refuse(request, problem)
  }
  if (chosen.name !== '') spec['priorityClassName'] = chosen.name
  spec['priority'] = chosen.value
  const policy = textAt(spec, 'preemptionPolicy')
  if (policy !== '' && policy !== chosen.preemption) {
    const problem = `the string value of PreemptionPolicy (${policy}) must not be provided in pod spec; priority admission controller computed ${chosen.preemption} from the given PriorityClass name`
    throw refuse(request, problem)
  }
  spec['preemptionPolicy'] = chosen.preemption
}

/** A PUT that leaves the computed fields out keeps them. */
function keepPriority(next: KubeObject, live: KubeObject): void {
  const spec = ensureObject(next, 'spec')
  const before = objectAt(live, 'spec') ?? {}
  for (const key of ['priority', 'preemptionPolicy']) {
    if (spec[key] === undefined && before[key] !== undefined) spec[key] = before[key]
  }
}

const awayTaints = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable']

/** Five minutes of patience with a node that is gone (`DefaultTolerationSeconds`). */
export const defaultTolerations: Plugin = (request) => {
  const { next } = request
  const isPod = request.group === '' && request.resource === 'pods' && request.subresource === ''
  if (!next || !isPod || request.operation === 'delete') return
  const spec = ensureObject(next, 'spec')
  const tolerations = objectsAt(spec, 'tolerations')
  const missing = awayTaints.filter((key) => !tolerations.some((toleration) => tolerates(toleration, key)))
  if (missing.length === 0) return
  spec['tolerations'] = [
    ...tolerations,
    ...missing.map((key) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 })),
  ]
}

function tolerates(toleration: Json, key: string): boolean {
  const own = textAt(toleration, 'key')
  const effect = textAt(toleration, 'effect')
  return (own === key || own === '') && (effect === 'NoExecute' || effect === '')
}

/** Overhead and placement that a RuntimeClass brings. */
export const runtimeClass: Plugin = (request) => {
  const { next, context } = request
  if (!next || !creates(request, 'pods')) return
  const spec = ensureObject(next, 'spec')
  const name = textAt(spec, 'runtimeClassName')
  if (name === '') return
  const found = context.lookup('runtimeclasses.node.k8s.io', '', name)
  if (!found) throw refuse(request, `pod rejected: RuntimeClass ${JSON.stringify(name)} not found`)
  const fixed = objectAt(objectAt(found, 'overhead'), 'podFixed')
  if (fixed) spec['overhead'] = { ...fixed }
  const scheduling = objectAt(found, 'scheduling')
  const selector = textMapAt(scheduling, 'nodeSelector')
  if (Object.keys(selector).length > 0) spec['nodeSelector'] = { ...textMapAt(spec, 'nodeSelector'), ...selector }
  const added = objectsAt(scheduling, 'tolerations')
  if (added.length > 0) spec['tolerations'] = [...objectsAt(spec, 'tolerations'), ...added]
}

/** Nodes join as not ready; the node controller takes the taint away. */
export const taintNewNode: Plugin = (request) => {
  const { next } = request
  if (!next || !creates(request, 'nodes')) return
  const spec = ensureObject(next, 'spec')
  const taints = objectsAt(spec, 'taints')
  const key = 'node.kubernetes.io/not-ready'
  if (taints.some((taint) => taint['key'] === key && taint['effect'] === 'NoSchedule')) return
  spec['taints'] = [...taints, { key, effect: 'NoSchedule' }]
}
