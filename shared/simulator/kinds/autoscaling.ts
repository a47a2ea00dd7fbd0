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
import { pathSegmentName } from './names.ts'
import { containerResourceName } from './resource-rules.ts'
import type { KindStrategy } from './strategy.ts'

/** HorizontalPodAutoscaler and PodDisruptionBudget. */

const specOf = (o: KubeObject): Json => objectAt(o, 'spec') ?? {}

const autoscaler = defineKind({
  status: true,
  validate: (o, _context, live) => autoscalerErrors(specOf(o), live && specOf(live)),
  validateStatus: (next) =>
    ['currentReplicas', 'desiredReplicas'].flatMap((key) =>
      optionalNumber(objectAt(next, 'status') ?? {}, key, 'status'),
    ),
})

function autoscalerErrors(spec: Json, before: Json | undefined): FieldError[] {
  const lowest = numberAt(before, 'minReplicas') === 0 ? 0 : 1
  const target = objectAt(spec, 'scaleTargetRef') ?? {}
  const min = numberAt(spec, 'minReplicas')
  const max = numberAt(spec, 'maxReplicas') ?? 0
  const cpu = numberAt(spec, 'targetCPUUtilizationPercentage')
  return [
    ...(min !== undefined && min < lowest
      ? [invalid('spec.minReplicas', min, `must be greater than or equal to ${lowest}`)]
      : []),
    ...(max === 0 ? [required('spec.maxReplicas', 'must be set and greater than 0')] : []),
    ...(max < 0 ? [invalid('spec.maxReplicas', max, 'must be greater than or equal to 1')] : []),
    ...(min !== undefined && max < min
      ? [invalid('spec.maxReplicas', max, 'must be greater than or equal to `minReplicas`')]
      : []),
    ...typedReference({ kind: target['kind'], name: target['name'] }, 'spec.scaleTargetRef'),
    ...(sameTarget(target, objectAt(before, 'scaleTargetRef'))
      ? []
      : targetVersion(target, 'spec.scaleTargetRef', textAt(target, 'kind') !== 'ReplicationController')),
    ...objectsAt(spec, 'metrics').flatMap((metric, i) => metricErrors(metric, `spec.metrics[${i}]`, before)),
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

/** A target that stays of its kind and version is not looked at again. */
function sameTarget(target: Json, before: Json | undefined): boolean {
  return before !== undefined && ['kind', 'apiVersion'].every((key) => textAt(target, key) === textAt(before, key))
}

function targetVersion(reference: Json, at: string, groupNeeded: boolean): FieldError[] {
  const version = textAt(reference, 'apiVersion')
  const why = versionProblem(version, groupNeeded)
  return why === undefined ? [] : [invalid(`${at}.apiVersion`, version, why)]
}

function versionProblem(version: string, groupNeeded: boolean): string | undefined {
  const parts = version.split('/')
  if (parts.length > 2) return `unexpected GroupVersion string: ${version}`
  if (!groupNeeded || (parts.length === 2 && parts[0] !== '')) return undefined
  return 'apiVersion must specify API group'
}

/** Versions of described objects are let be where one was wrong already. */
function described(object: Json, at: string, before: Json | undefined): FieldError[] {
  const errors = typedReference({ kind: object['kind'], name: object['name'] }, at)
  const wasWrong = objectsAt(before, 'metrics').some((metric) =>
    versionProblem(textAt(objectAt(objectAt(metric, 'object'), 'describedObject'), 'apiVersion'), false),
  )
  return wasWrong ? errors : [...errors, ...targetVersion(object, at, false)]
}

const metricKinds: readonly (readonly [key: string, type: string])[] = [
  ['object', 'Object'],
  ['external', 'External'],
  ['pods', 'Pods'],
  ['resource', 'Resource'],
  ['containerResource', 'ContainerResource'],
]
const metricTypes = metricKinds.map(([, type]) => type).sort()

function metricErrors(metric: Json, at: string, before: Json | undefined): FieldError[] {
  const type = textAt(metric, 'type')
  const errors: FieldError[] = []
  if (type === '') errors.push(required(`${at}.type`, 'must specify a metric source type'))
  if (!metricTypes.includes(type)) errors.push(notSupported(`${at}.type`, type, metricTypes))
  const present = metricKinds.filter(([key]) => !absent(metric, key))
  const [first] = present
  if (first) errors.push(...sourceErrors(first[0], objectAt(metric, first[0]) ?? {}, `${at}.${first[0]}`, before))
  const expected = metricKinds.find(([, name]) => name === type)?.[0]
  if (expected === undefined) errors.push(notSupported(`${at}.type`, type, metricTypes))
  else if (absent(metric, expected)) {
    errors.push(required(`${at}.${expected}`, 'must populate information for the given metric source'))
  }
  if (present.length === 1) return errors
  const others = present.filter(([key]) => key !== expected)
  return [...errors, ...others.map(([key]) => forbidden(`${at}.${key}`, 'must populate the given metric source only'))]
}

function sourceErrors(kind: string, source: Json, at: string, before: Json | undefined): FieldError[] {
  const target = objectAt(source, 'target') ?? {}
  const has = (key: string): boolean => !absent(target, key)
  const about = [...sourceNames(kind, source, at, before), ...targetErrors(target, `${at}.target`)]
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

function sourceNames(kind: string, source: Json, at: string, before: Json | undefined): FieldError[] {
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
  const metric = textAt(objectAt(source, 'metric'), 'name')
  return [
    ...(kind === 'object' ? described(objectAt(source, 'describedObject') ?? {}, `${at}.describedObject`, before) : []),
    ...(metric === ''
      ? [required(`${at}.metric.name`, 'must specify a metric name')]
      : pathSegmentName(metric, false).map((text) => invalid(`${at}.metric.name`, metric, text))),
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
  const tolerance = rules['tolerance']
  return [
    ...errors,
    ...policies.flatMap((policy, i) => scalingPolicy(policy, `${at}.policies[${i}]`)),
    ...(typeof tolerance === 'string' && parseQuantity(tolerance).unscaled < 0n
      ? [invalid(`${at}.tolerance`, tolerance, 'must be greater than or equal to 0')]
      : []),
  ]
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
