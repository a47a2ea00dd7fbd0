import type { KubeObject } from '../object.ts'
import { oneOf } from './checks.ts'
import type { FieldError } from './field-error.ts'
import { forbidden, invalid, required } from './field-error.ts'
import type { Json } from './json.ts'
import { objectAt, objectsAt, textAt } from './json.ts'
import { failing } from './metadata.ts'
import { dnsSubdomain } from './names.ts'
import { validIp } from './network-checks.ts'

const ingressOf = (o: KubeObject): readonly Json[] =>
  objectsAt(objectAt(objectAt(o, 'status'), 'loadBalancer'), 'ingress')

/** The addresses that a load balancer reports (`ValidateLoadBalancerStatus`). */
export function balancerStatusErrors(next: KubeObject, live: KubeObject): FieldError[] {
  const field = 'status.loadBalancer.ingress'
  const ingress = ingressOf(next)
  if (ingress.length > 0 && textAt(objectAt(next, 'spec'), 'type') !== 'LoadBalancer') {
    return [forbidden(field, "may only be used when `spec.type` is 'LoadBalancer'")]
  }
  const known = ingressOf(live).map((entry) => textAt(entry, 'ip'))
  return ingress.flatMap((entry, i) => {
    const at = `${field}[${i}]`
    const ip = textAt(entry, 'ip')
    const host = textAt(entry, 'hostname')
    return [
      ...(ip === '' || known.includes(ip) ? [] : validIp(ip, `${at}.ip`)),
      ...ipMode(entry['ipMode'], ip, `${at}.ipMode`),
      ...(host === '' ? [] : failing(dnsSubdomain, host, `${at}.hostname`)),
      ...(host !== '' && validIp(host, '').length === 0
        ? [invalid(`${at}.hostname`, host, 'must be a DNS name, not an IP address')]
        : []),
    ]
  })
}

function ipMode(mode: unknown, ip: string, field: string): FieldError[] {
  if (typeof mode !== 'string') return ip === '' ? [] : [required(field, 'must be specified when `ip` is set')]
  if (ip === '') return [forbidden(field, 'may not be specified when `ip` is not set')]
  return oneOf(mode, field, ['Proxy', 'VIP'])
}
