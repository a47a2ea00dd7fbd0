import { dnsLabelField } from './checks.ts'
import type { FieldError } from './field-error.ts'
import { duplicate, forbidden, invalid, notFoundValue, notSupported, required } from './field-error.ts'
import type { Json } from './json.ts'
import { objectsAt, textAt, textMapAt } from './json.ts'
import { failing } from './metadata.ts'
import { qualifiedName } from './names.ts'
import { compareQuantities, parseQuantity } from '../../fields/quantity.ts'

/** Resource names, requests and limits (`pkg/apis/core/helper`, `validateResourceRequirements`). */

const quotaOnly = [
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
]
const computeNames = ['cpu', 'memory', 'ephemeral-storage']
const quotaCompute = [
  'requests.cpu',
  'requests.memory',
  'requests.storage',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
]
const standard = new Set([...computeNames, ...quotaCompute, ...quotaOnly, 'storage'])
const standardQuota = new Set([...computeNames, ...quotaCompute, ...quotaOnly])

export const isHugePage = (name: string): boolean => name.startsWith('hugepages-')
const isNative = (name: string): boolean => !name.includes('/') || name.includes('kubernetes.io/')

function isExtended(name: string): boolean {
  if (isNative(name) || name.startsWith('requests.')) return false
  return qualifiedName(`requests.${name}`).length === 0
}

const overcommits = (name: string): boolean => isNative(name) && !isHugePage(name)

export function resourceName(name: string, field: string): FieldError[] {
  const errors = failing(qualifiedName, name, field)
  if (errors.length > 0 || name.includes('/') || standard.has(name) || isHugePage(name)) return errors
  if (name.startsWith('requests.hugepages-')) return errors
  return [invalid(field, name, 'must be a standard resource type or fully qualified')]
}

export function containerResourceName(name: string, field: string): FieldError[] {
  const errors = resourceName(name, field)
  if (!name.includes('/')) {
    if (computeNames.includes(name) || isHugePage(name)) return errors
    return [...errors, invalid(field, name, 'must be a standard resource for containers')]
  }
  if (isNative(name) || isExtended(name)) return errors
  return [...errors, invalid(field, name, "doesn't follow extended resource name standard")]
}

export function podResourceName(name: string, field: string): FieldError[] {
  const errors = resourceName(name, field)
  if (errors.length > 0 || name === 'cpu' || name === 'memory' || isHugePage(name)) return errors
  return [notSupported(field, name, ['cpu', 'hugepages-', 'memory'])]
}

export function quotaResourceName(name: string, field: string): FieldError[] {
  const errors = resourceName(name, field)
  const counted = name.startsWith('count/')
  if (name.includes('/') || counted || standardQuota.has(name) || /^(?:requests\.)?hugepages-/u.test(name))
    return errors
  return [...errors, invalid(field, name, 'must be a standard resource for quota')]
}

const counted = new Set([...quotaOnly, 'pods'])

/** An amount: not negative, whole where the resource is counted in pieces. */
export function resourceAmount(name: string, amount: string, field: string): FieldError[] {
  const quantity = parseQuantity(amount)
  const errors: FieldError[] =
    quantity.unscaled < 0n ? [invalid(field, amount, 'must be greater than or equal to 0')] : []
  if (!counted.has(name) && !isExtended(name)) return errors
  const whole = quantity.exponent >= 0 || quantity.unscaled % 10n ** BigInt(-quantity.exponent) === 0n
  return whole ? errors : [...errors, invalid(field, amount, 'must be an integer')]
}

/** `resources` of a container, or of a pod with `podResourceName`. */
export function validateResources(
  resources: Json | undefined,
  claimNames: ReadonlySet<string>,
  field: string,
  nameRule: typeof containerResourceName = containerResourceName,
): FieldError[] {
  if (!resources) return []
  const limits = textMapAt(resources, 'limits')
  const requests = textMapAt(resources, 'requests')
  const errors = [
    ...Object.entries(limits).flatMap(([name, amount]) => named(name, amount, `${field}.limits[${name}]`, nameRule)),
    ...Object.entries(requests).flatMap(([name, amount]) => [
      ...named(name, amount, `${field}.requests[${name}]`, nameRule),
      ...againstLimit(name, amount, limits[name], field),
    ]),
  ]
  const names = [...Object.keys(limits), ...Object.keys(requests)]
  if (names.some(isHugePage) && !names.includes('cpu') && !names.includes('memory')) {
    errors.push(forbidden(field, 'HugePages require cpu or memory'))
  }
  return [...errors, ...claims(objectsAt(resources, 'claims'), claimNames, `${field}.claims`)]
}

function named(name: string, amount: string, field: string, nameRule: typeof containerResourceName): FieldError[] {
  const errors = [...nameRule(name, field), ...resourceAmount(name, amount, field)]
  if (!isHugePage(name) || divisible(name, amount)) return errors
  return [...errors, invalid(field, amount, `${amount} is not positive integer multiple of ${name}`)]
}

function divisible(name: string, amount: string): boolean {
  try {
    const page = parseQuantity(name.slice('hugepages-'.length))
    const pageBytes = page.unscaled * 10n ** BigInt(Math.max(0, page.exponent))
    const read = parseQuantity(amount)
    return pageBytes > 0n && (read.unscaled * 10n ** BigInt(Math.max(0, read.exponent))) % pageBytes === 0n
  } catch {
    return false
  }
}

function againstLimit(name: string, amount: string, limit: string | undefined, field: string): FieldError[] {
  const path = `${field}.requests`
  if (limit === undefined) {
    if (overcommits(name)) return []
    return [required(`${field}.limits`, 'Limit must be set for non overcommitable resources')]
  }
  const order = compareQuantities(parseQuantity(amount), parseQuantity(limit))
  if (order !== 0 && !overcommits(name)) return [invalid(path, amount, `must be equal to ${name} limit of ${limit}`)]
  return order > 0 ? [invalid(path, amount, `must be less than or equal to ${name} limit of ${limit}`)] : []
}

function claims(list: readonly Json[], podClaims: ReadonlySet<string>, field: string): FieldError[] {
  const seen = new Set<string>()
  return list.flatMap((claim, i) => {
    const at = `${field}[${i}]`
    const name = textAt(claim, 'name')
    if (name === '') return [required(at)]
    const request = textAt(claim, 'request')
    const errors = request === '' ? [] : dnsLabelField(request, `${at}.request`)
    const key = request === '' ? name : `${name}/${request}`
    if (seen.has(name) || seen.has(key)) errors.push(duplicate(at, seen.has(name) ? name : key))
    seen.add(key)
    if (podClaims.has(name)) return errors
    const known = podClaims.size === 0 ? ' which is empty' : `: ${[...podClaims].sort().join(', ')}`
    return [
      ...errors,
      { ...notFoundValue(at, name), detail: `must be one of the names in pod.spec.resourceClaims${known}` },
    ]
  })
}
