import type { Json } from '../kinds/json.ts'
import { numberAt, objectAt, textAt } from '../kinds/json.ts'
import type { KubeObject } from '../object.ts'
import { sameJson } from '../object.ts'
import type { Condition } from './conditions.ts'
import { withCondition } from './conditions.ts'
import type { Controller, Setting } from './controller.ts'
import { itself, keyOf, splitKey } from './controller.ts'
import { resourceOf } from './garbage-collector.ts'
import type { Host } from './host.ts'
import { HostError } from './host.ts'
import type { Resource } from './resources.ts'
import { autoscalers, deployments, replicaSets, statefulSets } from './resources.ts'

/**
 * Autoscalers without metrics: they keep their target between its bounds and say that there is nothing to measure, as on a
 * cluster without a metrics server.
 */
export function autoscalerController(setting: Setting): Controller {
  const { host, queue } = setting
  const name = 'autoscalers'
  const wakeFor = (target: KubeObject): void => {
    for (const scaler of host.list(autoscalers, target.metadata.namespace ?? '')) {
      const reference = objectAt(objectAt(scaler, 'spec'), 'scaleTargetRef')
      if (reference?.['name'] === target.metadata.name && reference?.['kind'] === target.kind)
        queue.add(name, keyOf(scaler))
    }
  }
  return {
    name,
    watches: [
      [autoscalers, itself(queue, name)],
      ...[deployments, replicaSets, statefulSets].map(
        (resource) => [resource, ({ object }: { object: KubeObject }) => wakeFor(object)] as const,
      ),
    ],
    reconcile(key) {
      const [namespace, object] = splitKey(key)
      const live = host.get(autoscalers, namespace, object)
      if (live) reconcile(host, live)
    },
  }
}

function targetOf(host: Host, live: KubeObject): { resource: Resource; object: KubeObject } | undefined {
  const reference = objectAt(objectAt(live, 'spec'), 'scaleTargetRef')
  const type = host.registry.byKind(textAt(reference, 'apiVersion'), textAt(reference, 'kind'))
  const resource = type && resourceOf(host, type.storage)
  const object = resource && host.get(resource, live.metadata.namespace ?? '', textAt(reference, 'name'))
  return object && { resource, object }
}

function reconcile(host: Host, live: KubeObject): void {
  const spec = objectAt(live, 'spec') ?? {}
  const target = targetOf(host, live)
  if (!target) {
    const kind = textAt(objectAt(spec, 'scaleTargetRef'), 'kind')
    const name = textAt(objectAt(spec, 'scaleTargetRef'), 'name')
    const message = `the HPA controller was unable to get the target's current scale: ${kind} "${name}" not found`
    report(host, live, undefined, undefined, [
      { type: 'AbleToScale', status: 'False', reason: 'FailedGetScale', message },
    ])
    return
  }
  const current = numberAt(objectAt(target.object, 'spec'), 'replicas') ?? 1
  const [least, most] = [numberAt(spec, 'minReplicas') ?? 1, numberAt(spec, 'maxReplicas') ?? 1]
  const able = { type: 'AbleToScale', status: 'True' } as const
  if (current === 0) {
    const message = 'scaling is disabled since the replica count of the target is zero'
    const off = { type: 'ScalingActive', status: 'False', reason: 'ScalingDisabled', message } as const
    const scale = "the HPA controller was able to get the target's current scale"
    report(host, live, 0, 0, [{ ...able, reason: 'SucceededGetScale', message: scale }, off])
    return
  }
  const desired = Math.min(most, Math.max(least, current))
  if (desired !== current) {
    rescale(host, live, target, desired)
    const message = `the HPA controller was able to update the target scale to ${desired}`
    report(host, live, current, desired, [{ ...able, reason: 'SucceededRescale', message }])
    return
  }
  const message = 'the HPA was unable to compute the replica count: no metrics are available in a simulated cluster'
  const metric = { type: 'ScalingActive', status: 'False', reason: 'FailedGetResourceMetric', message } as const
  const scale = "the HPA controller was able to get the target's current scale"
  report(host, live, current, current, [{ ...able, reason: 'SucceededGetScale', message: scale }, metric])
}

function rescale(
  host: Host,
  live: KubeObject,
  { resource, object }: { resource: Resource; object: KubeObject },
  replicas: number,
): void {
  try {
    host.patch(resource, object, { spec: { replicas } }, 'kube-controller-manager', 'scale')
    const text = `New size: ${replicas}; reason: the current number of replicas is out of bounds`
    host.event(live, 'Normal', 'SuccessfulRescale', text, 'horizontal-pod-autoscaler')
  } catch (error) {
    if (!HostError.is(error)) throw error
    host.event(live, 'Warning', 'FailedRescale', error.message, 'horizontal-pod-autoscaler')
  }
}

function report(
  host: Host,
  live: KubeObject,
  current: number | undefined,
  desired: number | undefined,
  wanted: readonly Condition[],
): void {
  const before = objectAt(live, 'status') ?? {}
  let conditions = (before['conditions'] as readonly Json[] | undefined) ?? []
  for (const condition of wanted) conditions = withCondition(conditions, condition, host.now())
  const scaled = current !== desired
  const status: Json = {
    ...before,
    ...(live.metadata.generation !== undefined && { observedGeneration: live.metadata.generation }),
    ...(scaled && { lastScaleTime: host.now() }),
    currentReplicas: current ?? 0,
    desiredReplicas: desired ?? 0,
    currentMetrics: null,
    conditions,
  }
  if (!sameJson(status, before)) host.updateStatus(autoscalers, { ...live, status })
}
