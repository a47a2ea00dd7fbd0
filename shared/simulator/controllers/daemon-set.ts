import type { Json } from '../kinds/json.ts'
import { numberAt, objectAt, objectsAt, textAt } from '../kinds/json.ts'
import type { KubeObject } from '../object.ts'
import { privateCopy } from '../object.ts'
import type { Controller, Setting } from './controller.ts'
import { itsController, itself, keyOf, splitKey } from './controller.ts'
import { resolve } from './deployment-parts.ts'
import { HostError } from './host.ts'
import { byAge, claimed, selectorOf } from './ownership.ts'
import { availableInMs, isActive, isFinished, isReady, isTerminating } from './pod-state.ts'
import { podFromTemplate } from './pod-template.ts'
import { sameCounts } from './replica-set.ts'
import { daemonSets, nodes, pods } from './resources.ts'
import { revisionHash, revisionsOf, trimRevisions } from './revisions.ts'
import { suits } from './scheduler.ts'

/** Taints that pods of a daemon set bear by themselves. */
const borne = [
  ['node.kubernetes.io/not-ready', 'NoExecute'],
  ['node.kubernetes.io/unreachable', 'NoExecute'],
  ['node.kubernetes.io/disk-pressure', 'NoSchedule'],
  ['node.kubernetes.io/memory-pressure', 'NoSchedule'],
  ['node.kubernetes.io/pid-pressure', 'NoSchedule'],
  ['node.kubernetes.io/unschedulable', 'NoSchedule'],
] as const

/** One pod on every node that suits, after `pkg/controller/daemon`. */
export function daemonSetController(setting: Setting): Controller {
  const { host, queue } = setting
  const name = 'daemonsets'
  return {
    name,
    watches: [
      [daemonSets, itself(queue, name)],
      [pods, itsController(queue, name, 'DaemonSet')],
      [
        nodes,
        () => {
          for (const set of host.list(daemonSets)) queue.add(name, keyOf(set))
        },
      ],
    ],
    reconcile(key) {
      const [namespace, object] = splitKey(key)
      const set = host.get(daemonSets, namespace, object)
      if (set && !isTerminating(set)) reconcile(setting, set, key)
    },
  }
}

const nodeOf = (pod: KubeObject): string => textAt(objectAt(pod, 'spec'), 'nodeName') || wantedNode(pod)

/** The node that a pod is bound to by its affinity before it is scheduled. */
function wantedNode(pod: KubeObject): string {
  const affinity = objectAt(objectAt(objectAt(pod, 'spec'), 'affinity'), 'nodeAffinity')
  const terms = objectsAt(objectAt(affinity, 'requiredDuringSchedulingIgnoredDuringExecution'), 'nodeSelectorTerms')
  const values = objectsAt(terms[0], 'matchFields')[0]?.['values']
  return Array.isArray(values) ? String(values[0]) : ''
}

function reconcile(setting: Setting, set: KubeObject, key: string): void {
  const { host } = setting
  const { all, update } = revisionsOf(host, set)
  const hash = update.metadata.labels?.[revisionHash] ?? ''
  const wanted = host.list(nodes).filter((node) => suits(open(node), samplePod(set)))
  const names = new Set(wanted.map((node) => node.metadata.name ?? ''))
  const mine = (): KubeObject[] => claimed(host, set, pods, selectorOf(set)).sort(byAge)
  fillNodes(setting, set, hash, names, mine())
  replaceOld(setting, set, hash, names.size, mine())
  writeStatus(setting, set, hash, names, mine(), key)
  const inUse = new Set(mine().map((pod) => `${set.metadata.name ?? ''}-${pod.metadata.labels?.[revisionHash] ?? ''}`))
  inUse.add(update.metadata.name ?? '')
  trimRevisions(host, all, inUse, numberAt(objectAt(set, 'spec'), 'revisionHistoryLimit') ?? 10)
}

/** Whether a node is cordoned does not matter to a daemon set. */
function open(node: KubeObject): KubeObject {
  const { unschedulable: _, ...spec } = objectAt(node, 'spec') ?? {}
  return { ...node, spec }
}

function samplePod(set: KubeObject): KubeObject {
  const template = objectAt(objectAt(set, 'spec'), 'template') ?? {}
  return withTolerations(podFromTemplate(template, set, { generateName: `${set.metadata.name ?? ''}-` }))
}

function withTolerations(pod: KubeObject): KubeObject {
  const spec = objectAt(pod, 'spec') ?? {}
  const network =
    spec['hostNetwork'] === true ? [['node.kubernetes.io/network-unavailable', 'NoSchedule'] as const] : []
  const added = [...borne, ...network].map(([key, effect]) => ({ key, operator: 'Exists', effect }))
  return { ...pod, spec: { ...spec, tolerations: [...objectsAt(spec, 'tolerations'), ...added] } }
}

function fillNodes(
  setting: Setting,
  set: KubeObject,
  hash: string,
  names: ReadonlySet<string>,
  mine: readonly KubeObject[],
): void {
  const taken = new Set<string>()
  for (const pod of mine) {
    const node = nodeOf(pod)
    const second = taken.has(node) && isActive(pod)
    if (isFinished(pod) || second || !names.has(node)) {
      if (!isTerminating(pod)) setting.host.delete(pods, pod)
    }
    taken.add(node)
  }
  for (const name of names) if (!taken.has(name)) createOn(setting, set, hash, name)
}

function createOn({ host }: Setting, set: KubeObject, hash: string, node: string): void {
  const pod = samplePod(set)
  pod.metadata.labels = { ...pod.metadata.labels, [revisionHash]: hash, 'pod-template-generation': '1' }
  const spec = privateCopy(objectAt(pod, 'spec') ?? {})
  const term = { matchFields: [{ key: 'metadata.name', operator: 'In', values: [node] }] }
  const affinity = objectAt(spec, 'affinity') ?? {}
  const nodeAffinity = {
    ...objectAt(affinity, 'nodeAffinity'),
    requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] },
  }
  spec['affinity'] = { ...affinity, nodeAffinity }
  try {
    const made = host.create(pods, { ...pod, spec })
    host.event(set, 'Normal', 'SuccessfulCreate', `Created pod: ${made.metadata.name ?? ''}`, 'daemonset-controller')
  } catch (error) {
    if (!HostError.is(error)) throw error
    host.event(set, 'Warning', 'FailedCreate', `Error creating: ${error.message}`, 'daemonset-controller')
  }
}

/** A rolling update deletes old pods, as many at once as may be unavailable. */
function replaceOld(setting: Setting, set: KubeObject, hash: string, total: number, mine: readonly KubeObject[]): void {
  const strategy = objectAt(objectAt(set, 'spec'), 'updateStrategy')
  if (textAt(strategy, 'type') !== 'RollingUpdate') return
  const rolling = objectAt(strategy, 'rollingUpdate')
  const surge = resolve(rolling?.['maxSurge'], total, true)
  const most = Math.max(resolve(rolling?.['maxUnavailable'], total, true), surge > 0 ? surge : 1)
  const unavailable = total - mine.filter((pod) => isReady(pod) && !isTerminating(pod)).length
  const old = mine.filter((pod) => pod.metadata.labels?.[revisionHash] !== hash && !isTerminating(pod))
  const idle = old.filter((pod) => !isReady(pod))
  for (const pod of idle) setting.host.delete(pods, pod)
  const room = Math.max(0, most - unavailable)
  for (const pod of old.filter(isReady).slice(0, room)) setting.host.delete(pods, pod)
}

function writeStatus(
  { host, queue }: Setting,
  set: KubeObject,
  hash: string,
  names: ReadonlySet<string>,
  mine: readonly KubeObject[],
  key: string,
): void {
  const minReady = numberAt(objectAt(set, 'spec'), 'minReadySeconds') ?? 0
  const alive = mine.filter((pod) => !isTerminating(pod))
  const placed = alive.filter((pod) => names.has(nodeOf(pod)))
  const waits = placed.flatMap((pod) => availableInMs(pod, minReady, host.clock.now()) ?? [])
  const available = waits.filter((ms) => ms === 0).length
  const status: Json = {
    currentNumberScheduled: placed.length,
    numberMisscheduled: alive.length - placed.length,
    desiredNumberScheduled: names.size,
    numberReady: placed.filter(isReady).length,
    observedGeneration: set.metadata.generation ?? 0,
    updatedNumberScheduled: placed.filter((pod) => pod.metadata.labels?.[revisionHash] === hash).length,
    numberAvailable: available,
    numberUnavailable: names.size - available,
  }
  const later = waits.filter((ms) => ms > 0)
  if (later.length > 0) queue.addAfter('daemonsets', key, Math.min(...later))
  if (!sameCounts(status, objectAt(set, 'status') ?? {})) host.updateStatus(daemonSets, { ...set, status })
}
