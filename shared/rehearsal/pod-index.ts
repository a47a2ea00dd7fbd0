import { isArray, isObject, valueAt } from '../model/json.ts'
import { idOf, resourceKey, type KubeObject } from '../model/kubernetes.ts'

/** Kinds whose pods are meant to be there all the time. */
const LASTING: ReadonlySet<string> = new Set([
  'Deployment',
  'StatefulSet',
  'DaemonSet',
  'ReplicaSet',
  'ReplicationController',
])

type Node = { readonly key: string; readonly kind: string; readonly parent: string | undefined }

/** Which workload a pod belongs to, and how many pods of each are ready. */
export class PodIndex {
  readonly #nodes = new Map<string, Node>()
  readonly #ready = new Map<string, Set<string>>()
  /** By a pod's uid: the key of its workload. */
  readonly #workloads = new Map<string, string>()

  /** Takes up an object's new state, or its end. @returns the workload whose count may have changed */
  take(object: KubeObject, gone: boolean): string | undefined {
    const { uid } = object.metadata
    if (uid === undefined) return undefined
    const parent = object.metadata.ownerReferences?.find(({ controller }) => controller === true)?.uid
    // Owners are kept when they go: their pods may outlive them for a while.
    if (!this.#nodes.has(uid)) this.#nodes.set(uid, { key: resourceKey(idOf(object)), kind: object.kind, parent })
    if (object.kind !== 'Pod') return undefined
    const workload = this.#workloads.get(uid) ?? this.#rootOf(uid)
    if (workload === undefined) return undefined
    this.#workloads.set(uid, workload)
    const ready = this.#ready.get(workload) ?? new Set<string>()
    this.#ready.set(workload, ready)
    if (!gone && isReady(object)) ready.add(uid)
    else ready.delete(uid)
    return workload
  }

  workloadOf(uid: string): string | undefined {
    return this.#workloads.get(uid)
  }

  ready(workload: string): number {
    return this.#ready.get(workload)?.size ?? 0
  }

  /** The outermost controller; undefined for a pod that has none that keeps its pods. */
  #rootOf(uid: string): string | undefined {
    let found: string | undefined
    let node = this.#nodes.get(uid)
    for (let depth = 0; node !== undefined && depth < 8; depth++) {
      if (LASTING.has(node.kind)) found = node.key
      node = node.parent === undefined ? undefined : this.#nodes.get(node.parent)
    }
    return found
  }
}

/** In service: ready, and not on its way out. */
function isReady(pod: KubeObject): boolean {
  if (pod.metadata.deletionTimestamp !== undefined) return false
  const conditions = valueAt(pod, ['status', 'conditions'])
  return (
    isArray(conditions) &&
    conditions.some((one) => isObject(one) && one['type'] === 'Ready' && one['status'] === 'True')
  )
}
