import type { KubeObject } from '../object.ts'
import { parseQuantity } from '../../fields/quantity.ts'
import { dnsLabelField, intOrPercent, labelSelector, notMoreThanAll, oneOf, optionalNumber } from './checks.ts'
import { defineKind } from './define.ts'
import type { FieldError } from './field-error.ts'
import { forbidden, invalid, notSupported, required } from './field-error.ts'
import { goView } from './go-view.ts'
import { typedReference } from './ingress-rules.ts'
import type { Json } from './json.ts'
import { absent, numberAt, objectAt, objectsAt, textAt } from './json.ts'
import { containerResourceName } from './resource-rules.ts'
import type { KindStrategy } from './strategy.ts'

/** HorizontalPodAutoscaler and PodDisruptionBudget. */

const specOf = (o: KubeObject): Json => objectAt(o, 'spec') ?? {}

const autoscaler = defineKind({
  status: true,
  validate: (o) => autoscalerErrors(o),
  validateStatus: (next) =>
    ['currentReplicas', 'desiredReplicas'].flatMap((key) =>
      optionalNumber(objectAt(next, 'status') ?? {}, key, 'status'),
    ),
})

function autoscalerErrors(o: KubeObject): FieldError[] {
  const spec = specOf(o)
  const min = numberAt(spec, 'minReplicas')
  const max = numberAt(spec, 'maxReplicas') ?? 0
  const cpu = numberAt(spec, 'targetCPUUtilizationPercentage')
  return [
    ...(min !== undefined && min < 1 ? [invalid('spec.minReplicas', min, 'must be greater than or equal to 1')] : []),
    ...(max === 0 ? [required('spec.maxReplicas', 'must be set and greater than 0')] : []),
    ...(max < 0 ? [invalid('spec.maxReplicas', max, 'must be greater than or equal to 1')] : []),
    ...(min !== undefined && max < min
      ? [invalid('spec.maxReplicas', max, 'must be greater than or equal to `minReplicas`')]
      : []),
    ...scaleTarget(objectAt(spec, 'scaleTargetRef') ?? {}, 'spec.scaleTargetRef', true),
    ...objectsAt(spec, 'metrics').flatMap((metric, i) => metricErrors(metric, `spec.metrics[${i}]`)),
    ...zeroReplicas(spec, min),
    ...(cpu !== undefined && cpu < 1
      ? [invalid('spec.metrics[0].resource.target.averageUtilization', cpu, 'must be greater than 0')]
      : []),
    ...['scaleUp', 'scaleDown'].flatMap((key) => {
      const rules = objectAt(objectAt(spec, 'behavior'), key)
      return rules ? scalingRules(rules, `spec.behavior.${key}`) : []
    }),
  ]
}

function zeroReplicas(spec: Json, min: number | undefined): FieldError[] {
  const scalable = objectsAt(spec, 'metrics').some((metric) => ['Object', 'External'].includes(textAt(metric, 'type')))
  if (min !== 0 || scalable) return []
  const text = 'must specify at least one Object or External metric to support scaling to zero replicas'
  return [forbidden('spec.metrics', text)]
}

function scaleTarget(reference: Json, at: string, groupNeeded: boolean): FieldError[] {
  const version = textAt(reference, 'apiVersion')
  const errors = typedReference({ kind: reference['kind'], name: reference['name'] }, at)
  const parts = version.split('/')
  if (parts.length > 2)
    return [...errors, invalid(`${at}.apiVersion`, version, `unexpected GroupVersion string: ${version}`)]
  if (!groupNeeded || (parts.length === 2 && parts[0] !== '')) return errors
  const core = ['ReplicationController'].includes(textAt(reference, 'kind')) && version === 'v1'
  return core ? errors : [...errors, invalid(`${at}.apiVersion`, version, 'apiVersion must specify API group')]
}

const metricKinds: readonly (readonly [key: string, type: string])[] = [
  ['object', 'Object'],
  ['external', 'External'],
  ['pods', 'Pods'],
  ['resource', 'Resource'],
  ['containerResource', 'ContainerResource'],
]
const metricTypes = metricKinds.map(([, type]) => type).sort()

function metricErrors(metric: Json, at: string): FieldError[] {
  const type = textAt(metric, 'type')
  const errors: FieldError[] = []
  if (type === '') errors.push(required(`${at}.type`, 'must specify a metric source type'))
  if (!metricTypes.includes(type)) errors.push(notSupported(`${at}.type`, type, metricTypes))
  const present = metricKinds.filter(([key]) => !absent(metric, key))
  const [first] = present
  if (first) errors.push(...sourceErrors(first[0], objectAt(metric, first[0]) ?? {}, `${at}.${first[0]}`))
  const expected = metricKinds.find(([, name]) => name === type)?.[0]
  if (expected === undefined) errors.push(notSupported(`${at}.type`, type, metricTypes))
  else if (absent(metric, expected)) {
    errors.push(required(`${at}.${expected}`, 'must populate information for the given metric source'))
  }
  if (present.length === 1) return errors
  const others = present.filter(([key]) => key !== expected)
  return [...errors, ...others.map(([key]) => forbidden(`${at}.${key}`, 'must populate the given metric source only'))]
}

function sourceErrors(kind: string, source: Json, at: string): FieldError[] {
  const target = objectAt(source, 'target') ?? {}
  const has = (key: string): boolean => !absent(target, key)
  const about = [...sourceNames(kind, source, at), ...targetErrors(target, `${at}.target`)]
  switch (kind) {
    case 'object':
      if (has('value') || has('averageValue')) return about
      return [...about, required(`${at}.target.averageValue`, 'must set either a target value or averageValue')]
    case 'external': {
      const text = 'must set either a target value for metric or a per-pod target'
      if (!has('value') && !has('averageValue')) return [...about, required(`${at}.target.averageValue`, text)]
      if (!has('value') || !has('averageValue')) return about
      const both = 'may not set both a target value for metric and a per-pod target'
      return [...about, forbidden(`${at}.target.value`, both)]
    }
    case 'pods':
      if (has('averageValue')) return about
      return [...about, required(`${at}.target.averageValue`, 'must specify a positive target averageValue')]
    default: {
      const text = 'must set either a target raw value or a target utilization'
      if (!has('averageUtilization') && !has('averageValue')) {
        return [...about, required(`${at}.target.averageUtilization`, text)]
      }
      if (!has('averageUtilization') || !has('averageValue')) return about
      const both = 'may not set both a target raw value and a target utilization'
      return [...about, forbidden(`${at}.target.averageValue`, both)]
    }
  }
}

function sourceNames(kind: string, source: Json, at: string): FieldError[] {
  const name = textAt(source, 'name')
  if (kind === 'resource') return name === '' ? [required(`${at}.name`, 'must specify a resource name')] : []
  if (kind === 'containerResource') {
    const container = textAt(source, 'container')
    return [
      ...(name === ''
        ? [required(`${at}.name`, 'must specify a resource name')]
        : containerResourceName(name, `${at}.name`)),
      ...(container === ''
        ? [required(`${at}.container`, 'must specify a container')]
        : dnsLabelField(container, `${at}.container`)),
    ]
  }
  const described = objectAt(source, 'describedObject') ?? {}
  const metric = textAt(objectAt(source, 'metric'), 'name')
  return [
    ...(kind === 'object' ? scaleTarget(described, `${at}.describedObject`, false) : []),
    ...(metric === '' ? [required(`${at}.metric.name`, 'must specify a metric name')] : []),
  ]
}

function targetErrors(target: Json, at: string): FieldError[] {
  const type = textAt(target, 'type')
  const errors: FieldError[] = []
  if (type === '') errors.push(required(`${at}.type`, 'must specify a metric target type'))
  if (!['Utilization', 'Value', 'AverageValue'].includes(type)) {
    errors.push(invalid(`${at}.type`, type, 'must be either Utilization, Value, or AverageValue'))
  }
  for (const key of ['value', 'averageValue']) {
    const amount = target[key]
    if (typeof amount === 'string' && parseQuantity(amount).unscaled <= 0n) {
      errors.push(invalid(`${at}.${key}`, amount, 'must be positive'))
    }
  }
  const utilization = numberAt(target, 'averageUtilization')
  if (utilization === undefined || utilization >= 1) return errors
  return [...errors, invalid(`${at}.averageUtilization`, utilization, 'must be greater than 0')]
}

function scalingRules(rules: Json, at: string): FieldError[] {
  const window = numberAt(rules, 'stabilizationWindowSeconds')
  const select = rules['selectPolicy']
  const policies = objectsAt(rules, 'policies')
  const errors: FieldError[] = []
  const windowField = `${at}.stabilizationWindowSeconds`
  if (window !== undefined && window < 0) {
    errors.push(invalid(windowField, window, 'must be greater than or equal to zero'))
  }
  if (window !== undefined && window > 3600) {
    errors.push(invalid(windowField, window, 'must be less than or equal to 3600'))
  }
  if (typeof select === 'string') errors.push(...oneOf(select, `${at}.selectPolicy`, ['Disabled', 'Max', 'Min']))
  if (policies.length === 0) errors.push(required(`${at}.policies`, 'must specify at least one Policy'))
  return [...errors, ...policies.flatMap((policy, i) => scalingPolicy(policy, `${at}.policies[${i}]`))]
}

function scalingPolicy(policy: Json, at: string): FieldError[] {
  const value = numberAt(policy, 'value') ?? 0
  const period = numberAt(policy, 'periodSeconds') ?? 0
  return [
    ...oneOf(textAt(policy, 'type'), `${at}.type`, ['Percent', 'Pods']),
    ...(value <= 0 ? [invalid(`${at}.value`, value, 'must be greater than zero')] : []),
    ...(period <= 0 ? [invalid(`${at}.periodSeconds`, period, 'must be greater than zero')] : []),
    ...(period > 1800 ? [invalid(`${at}.periodSeconds`, period, 'must be less than or equal to 1800')] : []),
  ]
}

const disruptionBudget = defineKind({
  metadataOnUpdate: 'none',
  status: true,
  generation: ['spec'],
  unconditional: false,
  validate: (o) => budgetErrors(specOf(o)),
})

function budgetErrors(spec: Json): FieldError[] {
  const errors: FieldError[] = []
  if (!absent(spec, 'minAvailable') && !absent(spec, 'maxUnavailable')) {
    const shown = goView('internal/policy.PodDisruptionBudgetSpec', 'policy/v1.PodDisruptionBudgetSpec', spec)
    errors.push(invalid('spec', shown, 'minAvailable and maxUnavailable cannot be both set'))
  }
  for (const key of ['minAvailable', 'maxUnavailable']) {
    if (absent(spec, key)) continue
    errors.push(...intOrPercent(spec[key], `spec.${key}`), ...notMoreThanAll(spec[key], `spec.${key}`))
  }
  const policy = spec['unhealthyPodEvictionPolicy']
  return [
    ...errors,
    ...labelSelector(objectAt(spec, 'selector'), 'spec.selector'),
    ...(typeof policy === 'string'
      ? oneOf(policy, 'spec.unhealthyPodEvictionPolicy', ['AlwaysAllow', 'IfHealthyBudget'])
      : []),
  ]
}

export const scalingKinds: Readonly<Record<string, KindStrategy>> = {
  'horizontalpodautoscalers.autoscaling': autoscaler,
  'poddisruptionbudgets.policy': disruptionBudget,
}
