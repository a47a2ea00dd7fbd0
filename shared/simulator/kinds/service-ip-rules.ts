import { isIPv6 } from 'node:net'
import { oneOf } from './checks.ts'
import type { FieldError } from './field-error.ts'
import { duplicate, invalid, required } from './field-error.ts'
import type { Json } from './json.ts'
import { textAt, textsAt } from './json.ts'
import { validIp } from './network-checks.ts'
import { isHeadless } from './service-traits.ts'

/** Rules that tie addresses, families and their policy (`ValidateServiceClusterIPsRelatedFields`). */
export function clusterIpErrors(spec: Json, before: readonly string[]): FieldError[] {
  if (spec['type'] === 'ExternalName') return []
  const ip = textAt(spec, 'clusterIP')
  const ips = textsAt(spec, 'clusterIPs')
  const errors: FieldError[] = []
  if (ip !== '' && ips.length === 0) errors.push(required('spec.clusterIPs'))
  else if (ip !== '' && ips[0] !== ip) {
    errors.push(invalid('spec.clusterIPs', ips, 'first value must match `clusterIP`'))
  } else if (ip === '' && ips.length > 0) {
    errors.push(invalid('spec.clusterIPs', ips, 'must be empty when `clusterIP` is not specified'))
  }
  const families = textsAt(spec, 'ipFamilies')
  families.forEach((family, i) => {
    errors.push(...oneOf(family, `spec.ipFamilies[${i}]`, ['IPv4', 'IPv6']))
    if (families.indexOf(family) !== i) errors.push(duplicate(`spec.ipFamilies[${i}]`, family))
  })
  const policy = spec['ipFamilyPolicy']
  if (typeof policy === 'string') {
    errors.push(...oneOf(policy, 'spec.ipFamilyPolicy', ['PreferDualStack', 'RequireDualStack', 'SingleStack']))
  }
  ips.forEach((value, i) => {
    if (i === 0 && value === 'None') {
      if (ips.length > 1) errors.push(invalid('spec.clusterIPs', ips, "'None' must be the first and only value"))
    } else if (!before.includes(value)) errors.push(...validIp(value, `spec.clusterIPs[${i}]`))
  })
  if (ips.length > 2) errors.push(invalid('spec.clusterIPs', ips, 'may only hold up to 2 values'))
  const broken =
    errors.some(({ field }) => /^spec\.clusterIPs\[\d\]$/u.test(field)) || (ips[0] === 'None' && ips.length > 1)
  if (broken || ips.length === 0 || isHeadless(spec)) return errors
  if (ips.length > 1 && new Set(ips.map((value) => isIPv6(value))).size !== ips.length) {
    errors.push(invalid('spec.clusterIPs', ips, 'may specify no more than one IP for each IP family'))
  }
  return [...errors, ...familyOfEach(ips, families)]
}

function familyOfEach(ips: readonly string[], families: readonly string[]): FieldError[] {
  return ips.slice(0, families.length).flatMap((ip, i) => {
    const expected = families[i]
    const wrong = expected === 'IPv4' ? isIPv6(ip) : expected === 'IPv6' && !isIPv6(ip)
    const text = `expected an ${expected} value as indicated by \`ipFamilies[${i}]\``
    return wrong ? [invalid(`spec.clusterIPs[${i}]`, ip, text)] : []
  })
}

/** Cluster IPs and families stay, unless the service is or was of type ExternalName; the second of them may come and go. */
export function ipChangeErrors(spec: Json, before: Json): FieldError[] {
  if (spec['type'] === 'ExternalName' || before['type'] === 'ExternalName') return []
  if (isHeadless(spec) && isHeadless(before)) return []
  const addresses = onlyGrows('clusterIPs', 'clusterIP', spec, before)
  if (isHeadless(spec) || isHeadless(before)) return addresses
  return [...addresses, ...onlyGrows('ipFamilies', 'ipFamily', spec, before)]
}

function onlyGrows(key: 'clusterIPs' | 'ipFamilies', what: string, spec: Json, before: Json): FieldError[] {
  const is = textsAt(spec, key)
  const was = textsAt(before, key)
  const changed = (i: number): FieldError[] =>
    is.length > 0 && is[i] !== was[i]
      ? [invalid(`spec.${key}[${key === 'clusterIPs' ? i : 0}]`, is, 'may not change once set')]
      : []
  if (is.length === was.length) return was.flatMap((_, i) => changed(i))
  if (is.length > was.length) return was.length > 0 ? changed(0) : []
  const unset = is.length === 0 ? [invalid(`spec.${key}[0]`, null, `primary ${what} can not be unset`)] : []
  const released = is.length === 1 && spec['ipFamilyPolicy'] !== 'SingleStack'
  const text = `must be set to 'SingleStack' when releasing the secondary ${what}`
  return [
    ...unset,
    ...changed(0),
    ...(released ? [invalid('spec.ipFamilyPolicy', spec['ipFamilyPolicy'] ?? null, text)] : []),
  ]
}
