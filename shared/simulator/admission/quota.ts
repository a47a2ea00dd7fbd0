import { compareQuantities, parseQuantity } from '../../fields/quantity.ts'
import { objectAt, textMapAt } from '../kinds/json.ts'
import type { Amounts } from '../kinds/quota-usage.ts'
import { addAmounts, quotaCovers, usageIn, usageOf } from '../kinds/quota-usage.ts'
import type { KubeObject } from '../object.ts'
import type { AdmissionRequest, Plugin } from './request.ts'
import { refuse } from './request.ts'

/**
 * Refuses what would exceed a quota that its controller has taken up. What is used is counted from what is stored, so that a
 * burst of requests cannot slip past a status that lags behind.
 */
export const resourceQuota: Plugin = (request) => {
  const { next, live, group, resource, operation, subresource, namespace, context } = request
  if (!next || namespace === '' || operation === 'delete' || subresource !== '' || resource === 'resourcequotas') return
  let delta: Amounts | undefined
  for (const quota of context.list('resourcequotas', namespace)) {
    const hard = textMapAt(objectAt(quota, 'status'), 'hard')
    if (Object.keys(hard).length === 0 || !quotaCovers(quota, resource, next)) continue
    delta ??= difference(usageOf(group, resource, next), live ? usageOf(group, resource, live) : {})
    check(request, quota, hard, delta)
  }
}

function difference(next: Amounts, live: Amounts): Amounts {
  const out: Record<string, string> = {}
  for (const [name, amount] of Object.entries(next)) {
    const before = live[name]
    if (before === undefined) out[name] = amount
    else if (compareQuantities(parseQuantity(amount), parseQuantity(before)) > 0) {
      out[name] = addAmounts({ [name]: amount }, { [name]: `-${before}` })[name] ?? amount
    }
  }
  return out
}

function check(request: AdmissionRequest, quota: KubeObject, hard: Amounts, delta: Amounts): void {
  const requested = pick(delta, Object.keys(hard))
  if (Object.keys(requested).length === 0) return
  const used = usageIn(quota, request.context)
  const exceeded = Object.keys(requested).filter((name) => {
    const sum = addAmounts(pick(used, [name]), pick(requested, [name]))[name] ?? '0'
    return compareQuantities(parseQuantity(sum), parseQuantity(hard[name] ?? '0')) > 0
  })
  if (exceeded.length === 0) return
  const print = (amounts: Amounts): string =>
    [...exceeded]
      .sort()
      .map((name) => `${name}=${amounts[name] ?? '0'}`)
      .join(',')
  const name = quota.metadata.name ?? ''
  const problem = `exceeded quota: ${name}, requested: ${print(requested)}, used: ${print(used)}, limited: ${print(hard)}`
  throw refuse(request, problem)
}

function pick(amounts: Amounts, names: readonly string[]): Amounts {
  return Object.fromEntries(
    names.flatMap((name) => {
      const amount = amounts[name]
      return amount === undefined || parseQuantity(amount).unscaled === 0n ? [] : [[name, amount]]
    }),
  )
}
