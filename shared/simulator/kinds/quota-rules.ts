import { compareQuantities, parseQuantity } from '../../fields/quantity.ts'
import { sameJson } from '../object.ts'
import type { FieldError } from './field-error.ts'
import { duplicate, forbidden, invalid, required } from './field-error.ts'
import type { Json } from './json.ts'
import { objectAt, objectsAt, textAt, textMapAt, textsAt } from './json.ts'
import { failing } from './metadata.ts'
import { qualifiedName } from './names.ts'
import { containerResourceName, quotaResourceName, resourceAmount, resourceName } from './resource-rules.ts'

/** ResourceQuota and LimitRange specs. */

const scopes = [
  'Terminating',
  'NotTerminating',
  'BestEffort',
  'NotBestEffort',
  'PriorityClass',
  'CrossNamespacePodAffinity',
  'VolumeAttributesClass',
]

const podCompute = ['cpu', 'memory'].flatMap((name) => [name, `limits.${name}`, `requests.${name}`])
const ofPods = ['pods', ...podCompute]
/** What may be counted under a scope. */
const countable: Readonly<Record<string, readonly string[]>> = {
  Terminating: ofPods,
  NotTerminating: ofPods,
  BestEffort: ['pods'],
  NotBestEffort: ofPods,
  PriorityClass: ofPods,
  CrossNamespacePodAffinity: ofPods,
  VolumeAttributesClass: ['persistentvolumeclaims', 'requests.storage'],
}
const standard = new Set([
  ...ofPods,
  ...['', 'requests.', 'limits.'].map((prefix) => `${prefix}ephemeral-storage`),
  'requests.storage',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'persistentvolumeclaims',
  'configmaps',
  'services.nodeports',
  'services.loadbalancers',
])

/** One error for every resource of the quota that its scope does not cover. */
function misplaced(spec: Json, scope: string, field: string, shown: unknown): FieldError[] {
  const covered = Object.hasOwn(countable, scope) ? countable[scope] : undefined
  if (!covered) return []
  return Object.keys(textMapAt(spec, 'hard'))
    .filter((name) => (standard.has(name) || /^(requests\.)?hugepages-/u.test(name)) && !covered.includes(name))
    .map(() => invalid(field, shown, 'unsupported scope applied to resource'))
}

export function quotaErrors(spec: Json): FieldError[] {
  return [
    ...Object.entries(textMapAt(spec, 'hard')).flatMap(([name, amount]) => [
      ...quotaResourceName(name, `spec.hard[${name}]`),
      ...resourceAmount(name, amount, `spec.hard[${name}]`),
    ]),
    ...scopeErrors(spec),
    ...selectorErrors(spec),
  ]
}

function scopeErrors(spec: Json): FieldError[] {
  const given = textsAt(spec, 'scopes')
  const errors = given.flatMap((scope) => [
    ...(scopes.includes(scope) ? [] : [invalid('spec.scopes', given, 'unsupported scope')]),
    ...misplaced(spec, scope, 'spec.scopes', given),
  ])
  return [...errors, ...conflicting(given, given)]
}

function conflicting(given: readonly string[], shown: readonly string[]): FieldError[] {
  return [
    ['BestEffort', 'NotBestEffort'],
    ['Terminating', 'NotTerminating'],
  ]
    .filter((pair) => pair.every((scope) => given.includes(scope)))
    .map(() => invalid('spec.scopes', shown.length === 0 ? null : shown, 'conflicting scopes'))
}

const existsOnly = new Set(scopes.filter((scope) => scope !== 'PriorityClass' && scope !== 'VolumeAttributesClass'))
const mustExist =
  "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity"

function selectorErrors(spec: Json): FieldError[] {
  const at = 'spec.scopeSelector.matchExpressions'
  const expressions = objectsAt(objectAt(spec, 'scopeSelector'), 'matchExpressions')
  const shown = {
    MatchExpressions: expressions.map((expression) => ({
      ScopeName: textAt(expression, 'scopeName'),
      Operator: textAt(expression, 'operator'),
      Values: expression['values'] ?? null,
    })),
  }
  const errors = expressions.flatMap((expression) => {
    const scope = textAt(expression, 'scopeName')
    const operator = textAt(expression, 'operator')
    const values = textsAt(expression, 'values')
    const found: FieldError[] = []
    if (!scopes.includes(scope)) found.push(invalid(`${at}.scopeName`, scope, 'unsupported scope'))
    found.push(...misplaced(spec, scope, at, shown))
    if (existsOnly.has(scope) && operator !== 'Exists') found.push(invalid(`${at}.operator`, operator, mustExist))
    if (operator === 'In' || operator === 'NotIn') {
      const text = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector"
      if (values.length === 0) found.push(required(`${at}.values`, text))
    } else if (operator === 'Exists' || operator === 'DoesNotExist') {
      const text = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector"
      if (values.length > 0) found.push(invalid(`${at}.values`, values, text))
    } else found.push(invalid(`${at}.operator`, operator, 'not a valid selector operator'))
    return found
  })
  return [
    ...errors,
    ...conflicting(
      expressions.map((e) => textAt(e, 'scopeName')),
      textsAt(spec, 'scopes'),
    ),
  ]
}

const scopeSet = (spec: Json): readonly string[] => [...new Set(textsAt(spec, 'scopes'))].sort()

export function quotaScopesFixed(next: Json, live: Json): FieldError[] {
  if (sameJson(scopeSet(next), scopeSet(live))) return []
  return [invalid('spec.scopes', next['scopes'] ?? null, 'field is immutable')]
}

export function limitRangeErrors(spec: Json): FieldError[] {
  const seen = new Set<string>()
  return objectsAt(spec, 'limits').flatMap((limit, i) => {
    const at = `spec.limits[${i}]`
    const type = textAt(limit, 'type')
    const again = seen.has(type) ? [duplicate(`${at}.type`, type)] : []
    seen.add(type)
    return [...limitType(type, `${at}.type`), ...again, ...limitNames(limit, type, at), ...limitAmounts(limit, at)]
  })
}

function limitType(type: string, field: string): FieldError[] {
  const errors = failing(qualifiedName, type, field)
  if (errors.length > 0 || type.includes('/')) return errors
  if (['Pod', 'Container', 'PersistentVolumeClaim'].includes(type)) return []
  return [invalid(field, type, 'must be a standard limit type or fully qualified')]
}

function limitNames(limit: Json, type: string, at: string): FieldError[] {
  const rule = type === 'Pod' || type === 'Container' ? containerResourceName : resourceName
  const names = (key: string): FieldError[] =>
    Object.keys(textMapAt(limit, key)).flatMap((name) => rule(name, `${at}.${key}[${name}]`))
  const errors = [...names('max'), ...names('min')]
  for (const key of ['default', 'defaultRequest']) {
    if (type !== 'Pod') errors.push(...names(key))
    else if (Object.keys(textMapAt(limit, key)).length > 0) {
      errors.push(forbidden(`${at}.${key}`, "may not be specified when `type` is 'Pod'"))
    }
  }
  const bounded = ['min', 'max'].some((key) => textMapAt(limit, key)['storage'] !== undefined)
  if (type === 'PersistentVolumeClaim' && !bounded) {
    const text = 'either minimum or maximum storage value is required, but neither was provided'
    errors.push(required(`${at}.limits`, text))
  }
  return [...errors, ...names('maxLimitRequestRatio')]
}

/** Pairs of which the first may not exceed the second; the message hangs at `field` and shows `shown`. */
const orders: readonly (readonly [
  low: string,
  high: string,
  field: string,
  words: readonly [string, string],
  shown: string,
])[] = [
  ['min', 'max', 'min', ['min', 'max'], 'min'],
  ['min', 'defaultRequest', 'defaultRequest', ['min', 'default request'], 'defaultRequest'],
  ['defaultRequest', 'max', 'defaultRequest', ['default request', 'max'], 'defaultRequest'],
  ['defaultRequest', 'default', 'defaultRequest', ['default request', 'default limit'], 'defaultRequest'],
  ['min', 'default', 'default', ['min', 'default'], 'min'],
  ['default', 'max', 'default', ['default', 'max'], 'max'],
]

function limitAmounts(limit: Json, at: string): FieldError[] {
  const names = new Set(
    ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'].flatMap((key) =>
      Object.keys(textMapAt(limit, key)),
    ),
  )
  return [...names].flatMap((name) => {
    const amount = (key: string): string | undefined => textMapAt(limit, key)[name]
    const errors = orders.flatMap(([low, high, field, words, shown]) => {
      const [a, b] = [amount(low), amount(high)]
      if (a === undefined || b === undefined || compareQuantities(parseQuantity(a), parseQuantity(b)) <= 0) return []
      const text = `${words[0]} value ${a} is greater than ${words[1]} value ${b}`
      return [invalid(`${at}.${field}[${name}]`, amount(shown), text)]
    })
    const ratio = amount('maxLimitRequestRatio')
    if (ratio === undefined || compareQuantities(parseQuantity(ratio), parseQuantity('1')) >= 0) return errors
    return [...errors, invalid(`${at}.maxLimitRequestRatio[${name}]`, ratio, `ratio ${ratio} is less than 1`)]
  })
}
