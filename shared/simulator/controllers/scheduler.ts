import type { Json } from '../kinds/json.ts'
import { objectAt, objectsAt, textAt, textMapAt, textsAt } from '../kinds/json.ts'
import type { KubeObject } from '../object.ts'
import { withCondition } from './conditions.ts'
import type { Controller, Setting } from './controller.ts'
import { keyOf, splitKey } from './controller.ts'
import { isActive, isTerminating } from './pod-state.ts'
import { claims, nodes, pods } from './resources.ts'

const component = 'default-scheduler'
/** A pod that waits for this stays unscheduled. */
export const behaviourKey = 'simulator.plumbline.dev/pod'
/** What says of a pod that it is simulated. */
const simulatedKey = 'simulator.plumbline.dev/simulated'

/** Gives every pod a node, where one suits it and its claims are bound. */
export function scheduler(setting: Setting): Controller {
  const { host, queue } = setting
  const name = 'scheduler'
  const retryWaiting = (namespace?: string): void => {
    for (const pod of host.list(pods, namespace)) if (needsNode(pod)) queue.add(name, keyOf(pod))
  }
  return {
    name,
    watches: [
      [
        pods,
        ({ object, type }) => {
          if (type !== 'DELETED' && needsNode(object)) queue.add(name, keyOf(object))
        },
      ],
      [claims, ({ namespace }) => retryWaiting(namespace)],
      [nodes, () => retryWaiting()],
    ],
    reconcile(key) {
      const [namespace, pod] = splitKey(key)
      const live = host.get(pods, namespace, pod)
      if (live && needsNode(live)) place(setting, live)
    },
  }
}

function needsNode(pod: KubeObject): boolean {
  const spec = objectAt(pod, 'spec')
  return textAt(spec, 'nodeName') === '' && isActive(pod) && objectsAt(spec, 'schedulingGates').length === 0
}

function place({ host }: Setting, pod: KubeObject): void {
  if (isTerminating(pod)) return
  const all = host.list(nodes)
  const suitable = all.filter((node) => suits(node, pod))
  const problem =
    pod.metadata.annotations?.[behaviourKey] === 'unschedulable'
      ? `0/${all.length} nodes are available (simulated).`
      : (claimProblem(host, pod) ??
        (suitable.length === 0 ? `0/${all.length} nodes are available: none suits the pod.` : undefined))
  if (problem !== undefined) {
    refuse(host, pod, problem)
    return
  }
  const chosen = suitable[spread(pod, suitable.length)]?.metadata.name ?? ''
  const target = { apiVersion: 'v1', kind: 'Node', name: chosen }
  const { name = '', namespace = '' } = pod.metadata
  const metadata = { name, namespace, annotations: { [simulatedKey]: 'true' } }
  host.call('POST', pods, pod, 'binding', { apiVersion: 'v1', kind: 'Binding', metadata, target })
  const text = `Successfully assigned ${namespace}/${name} to ${chosen}`
  host.event(pod, 'Normal', 'Scheduled', text, component)
}

/** Always the same node for the same pod. */
function spread(pod: KubeObject, count: number): number {
  let hash = 0
  for (const char of pod.metadata.uid ?? '') hash = (hash * 31 + (char.codePointAt(0) ?? 0)) >>> 0
  return hash % count
}

function refuse(host: Setting['host'], pod: KubeObject, message: string): void {
  const status = objectAt(pod, 'status') ?? {}
  const known = (status['conditions'] as Json[] | undefined) ?? []
  const wanted = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message } as const
  const conditions = withCondition(known, wanted, host.now())
  if (conditions === known) return
  host.updateStatus(pods, { ...pod, status: { ...status, conditions } }, 'kube-scheduler')
  host.event(pod, 'Warning', 'FailedScheduling', message, component)
}

function claimProblem(host: Setting['host'], pod: KubeObject): string | undefined {
  const { namespace = '' } = pod.metadata
  for (const volume of objectsAt(objectAt(pod, 'spec'), 'volumes')) {
    const name = textAt(objectAt(volume, 'persistentVolumeClaim'), 'claimName')
    if (name === '') continue
    const claim = host.get(claims, namespace, name)
    if (!claim) return `persistentvolumeclaim "${name}" not found`
    if (isTerminating(claim)) return `persistentvolumeclaim "${name}" is being deleted`
    if (textAt(objectAt(claim, 'status'), 'phase') !== 'Bound')
      return 'pod has unbound immediate PersistentVolumeClaims'
  }
  return undefined
}

/** Whether a node takes the pod: open, with the labels asked for, and no taint that the pod does not bear. */
export function suits(node: KubeObject, pod: KubeObject): boolean {
  const spec = objectAt(pod, 'spec') ?? {}
  const labels = node.metadata.labels ?? {}
  if (objectAt(node, 'spec')?.['unschedulable'] === true) return false
  const wanted = Object.entries(textMapAt(spec, 'nodeSelector'))
  if (!wanted.every(([key, value]) => labels[key] === value)) return false
  const affinity = objectAt(objectAt(spec, 'affinity'), 'nodeAffinity')
  const terms = objectsAt(objectAt(affinity, 'requiredDuringSchedulingIgnoredDuringExecution'), 'nodeSelectorTerms')
  if (terms.length > 0 && !terms.some((term) => termMatches(term, node))) return false
  const taints = objectsAt(objectAt(node, 'spec'), 'taints').filter((t) => t['effect'] !== 'PreferNoSchedule')
  const tolerations = objectsAt(spec, 'tolerations')
  return taints.every((taint) => tolerations.some((toleration) => bears(toleration, taint)))
}

function termMatches(term: Json, node: KubeObject): boolean {
  const labels = node.metadata.labels ?? {}
  const expressions = objectsAt(term, 'matchExpressions').map((e) => ({ e, value: labels[textAt(e, 'key')] }))
  const fields = objectsAt(term, 'matchFields').map((e) => ({ e, value: node.metadata.name }))
  if (expressions.length + fields.length === 0) return false
  return [...expressions, ...fields].every(({ e, value }) => {
    const values = textsAt(e, 'values')
    switch (textAt(e, 'operator')) {
      case 'In':
        return value !== undefined && values.includes(value)
      case 'NotIn':
        return value === undefined || !values.includes(value)
      case 'Exists':
        return value !== undefined
      case 'DoesNotExist':
        return value === undefined
      case 'Gt':
        return Number(value) > Number(values[0])
      default:
        return Number(value) < Number(values[0])
    }
  })
}

function bears(toleration: Json, taint: Json): boolean {
  const key = textAt(toleration, 'key')
  const effect = textAt(toleration, 'effect')
  if (key !== '' && key !== taint['key']) return false
  if (effect !== '' && effect !== taint['effect']) return false
  return textAt(toleration, 'operator') === 'Exists' || textAt(toleration, 'value') === textAt(taint, 'value')
}
