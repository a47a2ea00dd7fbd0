import type { Quantity } from '../../fields/quantity.ts'
import { compareQuantities, parseQuantity } from '../../fields/quantity.ts'
import type { Json } from '../kinds/json.ts'
import { ensureObject, objectAt, objectsAt, textAt, textMapAt } from '../kinds/json.ts'
import { total } from '../kinds/pod-resources.ts'
import type { KubeObject } from '../object.ts'
import type { Plugin } from './request.ts'
import { creates, refuse } from './request.ts'

type Amounts = Readonly<Record<string, string>>

/** Containers get the namespace's default requests and limits. */
export const defaultLimits: Plugin = (request) => {
  const { next, context, namespace } = request
  if (!next || !creates(request, 'pods')) return
  for (const range of context.list('limitranges', namespace)) applyDefaults(next, range)
}

function applyDefaults(pod: KubeObject, range: KubeObject): void {
  const limits = objectsAt(objectAt(range, 'spec'), 'limits').filter((limit) => limit['type'] === 'Container')
  const merged = (key: string): Amounts => Object.assign({}, ...limits.map((limit) => textMapAt(limit, key)))
  const notes: string[] = []
  const spec = ensureObject(pod, 'spec')
  for (const [list, word] of [
    ['containers', 'container'],
    ['initContainers', 'init container'],
  ] as const) {
    for (const container of objectsAt(spec, list)) {
      const resources = ensureObject(container, 'resources')
      const name = textAt(container, 'name')
      const setLimits = fill(resources, 'limits', merged('default'))
      const setRequests = fill(resources, 'requests', merged('defaultRequest'))
      if (setRequests.length > 0) notes.push(`${setRequests.join(', ')} request for ${word} ${name}`)
      if (setLimits.length > 0) notes.push(`${setLimits.join(', ')} limit for ${word} ${name}`)
    }
  }
  if (notes.length === 0) return
  const annotations = ensureObject(pod.metadata as Json, 'annotations')
  annotations['kubernetes.io/limit-ranger'] = `LimitRanger plugin set: ${notes.join('; ')}`
}

function fill(resources: Json, key: string, defaults: Amounts): string[] {
  const known = textMapAt(resources, key)
  const added = Object.keys(defaults)
    .filter((name) => known[name] === undefined)
    .sort()
  for (const name of added) ensureObject(resources, key)[name] = defaults[name]
  return added
}

/** Pods and claims stay within the namespace's bounds. */
export const checkLimits: Plugin = (request) => {
  const { next, context, namespace } = request
  if (!next) return
  const isClaim =
    request.operation !== 'delete' &&
    request.group === '' &&
    request.subresource === '' &&
    request.resource === 'persistentvolumeclaims'
  if (!isClaim && !creates(request, 'pods')) return
  for (const range of context.list('limitranges', namespace)) {
    const limits = objectsAt(objectAt(range, 'spec'), 'limits')
    const problems = limits.flatMap((limit) => (isClaim ? claimProblems(next, limit) : podProblems(next, limit)))
    const unique = [...new Set(problems)]
    if (unique.length > 0) throw refuse(request, unique.length === 1 ? (unique[0] ?? '') : `[${unique.join(', ')}]`)
  }
}

function podProblems(pod: KubeObject, limit: Json): string[] {
  const spec = objectAt(pod, 'spec') ?? {}
  const type = textAt(limit, 'type')
  if (type === 'Pod') return problems(limit, type, total(spec, 'requests'), total(spec, 'limits'))
  if (type !== 'Container') return []
  return [...objectsAt(spec, 'containers'), ...objectsAt(spec, 'initContainers')].flatMap((container) => {
    const resources = objectAt(container, 'resources')
    return problems(limit, type, textMapAt(resources, 'requests'), textMapAt(resources, 'limits'))
  })
}

function claimProblems(claim: KubeObject, limit: Json): string[] {
  if (limit['type'] !== 'PersistentVolumeClaim') return []
  const requests = textMapAt(objectAt(objectAt(claim, 'spec'), 'resources'), 'requests')
  const most = Object.entries(textMapAt(limit, 'max')).flatMap(([name, enforced]) =>
    bound('maximum', name, 'PersistentVolumeClaim', enforced, [['request', requests[name]]]),
  )
  const least = Object.entries(textMapAt(limit, 'min')).flatMap(([name, enforced]) =>
    bound('minimum', name, 'PersistentVolumeClaim', enforced, [['request', requests[name]]]),
  )
  return [...least, ...most]
}

function problems(limit: Json, type: string, requests: Amounts, limits: Amounts): string[] {
  const each = (key: string): [string, string][] => Object.entries(textMapAt(limit, key))
  return [
    ...each('min').flatMap(([name, enforced]) =>
      bound('minimum', name, type, enforced, [
        ['request', requests[name]],
        ['limit', limits[name]],
      ]),
    ),
    ...each('max').flatMap(([name, enforced]) =>
      bound('maximum', name, type, enforced, [
        ['limit', limits[name]],
        ['request', requests[name]],
      ]),
    ),
    ...each('maxLimitRequestRatio').flatMap(([name, enforced]) =>
      ratio(name, type, enforced, requests[name], limits[name]),
    ),
  ]
}

/** The first amount must be there; the first that breaks the bound is named. */
function bound(
  word: 'minimum' | 'maximum',
  name: string,
  type: string,
  enforced: string,
  amounts: readonly (readonly [kind: string, amount: string | undefined])[],
): string[] {
  const text = `${word} ${name} usage per ${type} is ${enforced}`
  const [first] = amounts
  if (first?.[1] === undefined) return [`${text}.  No ${first?.[0] ?? 'request'} is specified`]
  for (const [kind, amount] of amounts) {
    if (amount === undefined) continue
    const order = compareQuantities(parseQuantity(amount), parseQuantity(enforced))
    if (word === 'minimum' ? order < 0 : order > 0) return [`${text}, but ${kind} is ${amount}`]
  }
  return []
}

function ratio(name: string, type: string, enforced: string, request?: string, limit?: string): string[] {
  const text = `${name} max limit to request ratio per ${type} is ${enforced}`
  const asked = request === undefined ? 0 : amountOf(parseQuantity(request))
  const most = limit === undefined ? 0 : amountOf(parseQuantity(limit))
  if (asked === 0) return [`${text}, but no request is specified or request is 0`]
  if (most === 0) return [`${text}, but no limit is specified or limit is 0`]
  if (most / asked <= amountOf(parseQuantity(enforced))) return []
  return [`${text}, but provided ratio is ${(most / asked).toFixed(6)}`]
}

function amountOf(quantity: Quantity): number {
  return Number(quantity.unscaled) * 10 ** quantity.exponent
}
