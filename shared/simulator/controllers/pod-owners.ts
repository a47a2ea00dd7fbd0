import { numberAt, objectAt } from '../kinds/json.ts'
import type { KubeObject } from '../object.ts'
import type { Host } from './host.ts'
import { controllerOf } from './owner-index.ts'

/** How many pods the controllers of these pods want together. */
export function expectedScale(host: Host, pods: readonly KubeObject[]): number {
  const scales = new Map<string, number>()
  let single = 0
  for (const pod of pods) {
    const owner = topController(host, pod)
    const replicas = numberAt(objectAt(owner, 'spec'), 'replicas')
    if (!owner || replicas === undefined) single++
    else scales.set(owner.metadata.uid ?? '', replicas)
  }
  return [...scales.values()].reduce((sum, replicas) => sum + replicas, single)
}

/** The workload at the top of a pod's chain of controllers. */
function topController(host: Host, object: KubeObject): KubeObject | undefined {
  let found: KubeObject | undefined
  let current: KubeObject | undefined = object
  for (let depth = 0; depth < 5 && current; depth++) {
    const reference = controllerOf(current)
    const place = reference && host.index.find(reference.uid)
    current = place && host.store.get(place.resource, place.namespace, place.name)
    if (current) found = current
  }
  return found
}
