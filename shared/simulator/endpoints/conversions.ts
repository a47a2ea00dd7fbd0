import { isObject } from '../object.ts'
import type { JsonObject, KubeObject } from '../object.ts'
import type { ResourceKey } from '../storage/store.ts'

/** How a served version differs from what is stored. */
export interface Conversion {
  readonly storage: ResourceKey
  readonly fromStorage: (stored: KubeObject) => KubeObject
  readonly toStorage: (object: KubeObject) => KubeObject
}

const conversions: Readonly<Record<string, Conversion>> = {
  'events.k8s.io/v1 events': {
    storage: { group: '', resource: 'events' },
    fromStorage: (stored) => renamed(stored, 'events.k8s.io/v1', eventNames),
    toStorage: (object) => renamed(object, 'v1', reversed(eventNames)),
  },
  'autoscaling/v1 horizontalpodautoscalers': {
    storage: { group: 'autoscaling', resource: 'horizontalpodautoscalers' },
    fromStorage: autoscalerV1,
    toStorage: autoscalerV2,
  },
}

/** Undefined for versions that are stored as they are. */
export function conversionOf(apiVersion: string, resource: string): Conversion | undefined {
  const key = `${apiVersion} ${resource}`
  return Object.hasOwn(conversions, key) ? conversions[key] : undefined
}

/** Field names of a core Event and of an `events.k8s.io` one. */
const eventNames: Readonly<Record<string, string>> = {
  involvedObject: 'regarding',
  message: 'note',
  source: 'deprecatedSource',
  firstTimestamp: 'deprecatedFirstTimestamp',
  lastTimestamp: 'deprecatedLastTimestamp',
  count: 'deprecatedCount',
  reportingComponent: 'reportingController',
}

function reversed(names: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(names).map(([from, to]) => [to, from]))
}

function renamed(object: KubeObject, apiVersion: string, names: Readonly<Record<string, string>>): KubeObject {
  const entries = Object.entries(object).map(([key, value]) => [Object.hasOwn(names, key) ? names[key] : key, value])
  return { ...(Object.fromEntries(entries) as KubeObject), apiVersion }
}

const metricsAnnotation = 'autoscaling.alpha.kubernetes.io/metrics'
const behaviorAnnotation = 'autoscaling.alpha.kubernetes.io/behavior'

/** v1 knows a CPU percentage only; the other metrics travel in an annotation (pkg/apis/autoscaling/v1/conversion.go). */
function autoscalerV1(stored: KubeObject): KubeObject {
  const { metrics, behavior, ...spec } = part(stored['spec'])
  const { currentMetrics, conditions: _conditions, ...status } = part(stored['status'])
  const all = list(metrics)
  const cpu = all.find(isCpuUtilization)
  const others = all.filter((metric) => metric !== cpu)
  const current = list(currentMetrics).find(isCpuUtilization)
  const annotations = {
    ...stored.metadata.annotations,
    ...(others.length === 0 ? {} : { [metricsAnnotation]: JSON.stringify(others) }),
    ...(behavior === undefined ? {} : { [behaviorAnnotation]: JSON.stringify(behavior) }),
  }
  const target = cpuPart(cpu, 'target')?.['averageUtilization']
  const used = cpuPart(current, 'current')?.['averageUtilization']
  return {
    ...stored,
    apiVersion: 'autoscaling/v1',
    metadata: { ...stored.metadata, ...(Object.keys(annotations).length === 0 ? {} : { annotations }) },
    spec: { ...spec, ...(target === undefined ? {} : { targetCPUUtilizationPercentage: target }) },
    status: { currentReplicas: 0, ...status, ...(used === undefined ? {} : { currentCPUUtilizationPercentage: used }) },
  }
}

function autoscalerV2(object: KubeObject): KubeObject {
  const { targetCPUUtilizationPercentage: percentage, ...spec } = part(object['spec'])
  const { currentCPUUtilizationPercentage: used, ...status } = part(object['status'])
  const {
    [metricsAnnotation]: kept,
    [behaviorAnnotation]: behavior,
    ...annotations
  } = object.metadata.annotations ?? {}
  const metrics = [
    ...(percentage === undefined ? [] : [cpuMetric('target', { type: 'Utilization', averageUtilization: percentage })]),
    ...parsed(kept, []),
  ]
  const { annotations: _annotations, ...metadata } = object.metadata
  return {
    ...object,
    apiVersion: 'autoscaling/v2',
    metadata: { ...metadata, ...(Object.keys(annotations).length === 0 ? {} : { annotations }) },
    spec: {
      ...spec,
      ...(metrics.length === 0 ? {} : { metrics }),
      ...(behavior === undefined ? {} : { behavior: parsed<unknown>(behavior, {}) }),
    },
    status: {
      desiredReplicas: 0,
      ...status,
      currentMetrics: used === undefined ? null : [cpuMetric('current', { averageUtilization: used })],
    },
  }
}

function cpuMetric(field: 'target' | 'current', value: JsonObject): JsonObject {
  return { type: 'Resource', resource: { name: 'cpu', [field]: value } }
}

function isCpuUtilization(metric: unknown): boolean {
  const { type, resource } = part(metric)
  return type === 'Resource' && part(resource)['name'] === 'cpu'
}

function cpuPart(metric: unknown, field: 'target' | 'current'): JsonObject | undefined {
  return metric === undefined ? undefined : part(part(part(metric)['resource'])[field])
}

function part(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function parsed<T>(text: string | undefined, otherwise: T): T {
  try {
    return text === undefined ? otherwise : (JSON.parse(text) as T)
  } catch {
    return otherwise
  }
}
