import type { KubeObject, GroupKind, GroupVersionKind } from '../model/kubernetes.ts'
import { gvkOf, idOf, parseApiVersion } from '../model/kubernetes.ts'
import { isObject, type Json } from '../model/json.ts'
import type { LiveObject } from '../model/live.ts'
import type { LiveView } from '../model/ports.ts'
import type { TreeNode } from '../model/status.ts'
import type { JudgeHealth } from './health/health-of.ts'
import { roleOf } from './hooks/read-hook.ts'

const APPS: GroupVersionKind = { group: 'apps', version: 'v1', kind: 'ReplicaSet' }
const PODS: GroupVersionKind = { group: '', version: 'v1', kind: 'Pod' }

/** Kinds that controllers make from a kind: what has to be watched to draw the tree below it. */
const DESCENDANTS: ReadonlyMap<string, readonly GroupVersionKind[]> = new Map([
  ['apps|Deployment', [APPS, PODS]],
  ['apps|ReplicaSet', [PODS]],
  ['apps|StatefulSet', [PODS, { group: '', version: 'v1', kind: 'PersistentVolumeClaim' }]],
  ['apps|DaemonSet', [PODS]],
  ['batch|CronJob', [{ group: 'batch', version: 'v1', kind: 'Job' }, PODS]],
  ['batch|Job', [PODS]],
  ['|ReplicationController', [PODS]],
  ['|Service', [{ group: 'discovery.k8s.io', version: 'v1', kind: 'EndpointSlice' }]],
])

/** Kinds to observe besides the managed ones, for the tree. */
export function descendantsOf(kinds: readonly GroupKind[]): readonly GroupVersionKind[] {
  const found = new Map<string, GroupVersionKind>()
  for (const kind of kinds) {
    for (const child of DESCENDANTS.get(`${kind.group}|${kind.kind}`) ?? [])
      found.set(`${child.group}|${child.kind}`, child)
  }
  return [...found.values()]
}

/** How the nodes' health is judged. */
type Judge = { readonly health: JudgeHealth; readonly healthDigest: string }

/** The managed objects and everything that descends from them by owner reference, each once. */
export function treeOf(roots: Iterable<LiveObject>, view: LiveView, judge: Judge): readonly TreeNode[] {
  const nodes = new Map<string, TreeNode>()
  const add = (live: LiveObject, parent: string): void => {
    if (nodes.has(live.uid)) return
    nodes.set(live.uid, nodeOf(live, parent, judge))
    for (const child of view.childrenOf(live.uid)) add(child, live.uid)
  }
  for (const root of roots) add(root, '')
  return [...nodes.values()]
}

/** Nodes of objects that have not changed, by parent and by the rules that judged them. */
const known = new WeakMap<LiveObject, { readonly node: TreeNode; readonly digest: string }>()

function nodeOf(live: LiveObject, parent: string, { health, healthDigest }: Judge): TreeNode {
  const before = known.get(live)
  if (before?.digest === healthDigest && (before.node.parents[0] ?? '') === parent) return before.node
  const node = freshNode(live, parent === '' ? [] : [parent], health)
  known.set(live, { node, digest: healthDigest })
  return node
}

function freshNode({ object, uid }: LiveObject, parents: readonly string[], judge: JudgeHealth): TreeNode {
  const health = judge(object)
  return {
    id: idOf(object),
    uid,
    version: parseApiVersion(object.apiVersion).version,
    info: infoOf(object),
    createdAt: object.metadata.creationTimestamp ?? '',
    parents,
    ...(parents.length === 0 && roleOf(object).kind === 'hook' ? { hook: true } : {}),
    ...(health === undefined ? {} : { health }),
  }
}

/** One short detail: how many of how many, a phase, an address. */
function infoOf(object: KubeObject): string {
  const spec = isObject(object['spec']) ? object['spec'] : {}
  const status = isObject(object['status']) ? object['status'] : {}
  switch (`${gvkOf(object).group}|${object.kind}`) {
    case 'apps|Deployment':
    case 'apps|ReplicaSet':
    case 'apps|StatefulSet':
      return `${text(status['readyReplicas'], '0')}/${text(spec['replicas'], '1')}`
    case 'apps|DaemonSet':
      return `${text(status['numberReady'], '0')}/${text(status['desiredNumberScheduled'], '0')}`
    case 'batch|Job':
      return `${text(status['succeeded'], '0')}/${text(spec['completions'], '1')}`
    case '|Pod':
    case '|PersistentVolumeClaim':
    case '|Namespace':
      return text(status['phase'], '')
    case '|Service':
      return text(spec['type'], '')
    default:
      return ''
  }
}

function text(value: Json | undefined, otherwise: string): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : otherwise
}
