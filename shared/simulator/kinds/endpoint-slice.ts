import { isIPv4, isIPv6 } from 'node:net'
import type { KubeObject } from '../object.ts'
import { dnsLabelField, oneOf, requiredOneOf } from './checks.ts'
import { defineKind } from './define.ts'
import type { FieldError } from './field-error.ts'
import { duplicate, invalid, required, tooMany } from './field-error.ts'
import type { Json } from './json.ts'
import { objectAt, objectsAt, textAt, textsAt } from './json.ts'
import { failing, unchanged } from './metadata.ts'
import { dnsLabel, dnsSubdomain, labelValue, qualifiedName, subdomainName } from './names.ts'
import { canonicalIp, endpointIp, validIp } from './network-checks.ts'
import { ipWarnings } from './network-warnings.ts'
import { sameMeaning } from './same.ts'

/** Slices of endpoints (`pkg/apis/discovery/validation`). */
export const endpointSlice = defineKind({
  generation: ['addressType', 'endpoints', 'ports'],
  generationOfLabels: true,
  metadataOnUpdate: 'whole',
  validate: sliceErrors,
  validateChange: (next, live) => unchanged('addressType', next['addressType'], live['addressType']),
  warnings: sliceWarnings,
})

const ownManagers = ['endpointslice-controller.k8s.io', 'endpointslicemirroring-controller.k8s.io']

function sliceWarnings(o: KubeObject, live: KubeObject | undefined): string[] {
  const old = live === undefined && textAt(o, 'addressType') === 'FQDN'
  const warnings = old ? ['spec.addressType: FQDN endpoints are deprecated'] : []
  if (ownManagers.includes(o.metadata.labels?.['endpointslice.kubernetes.io/managed-by'] ?? '')) return warnings
  const ips = objectsAt(o, 'endpoints').flatMap((endpoint, i) =>
    textsAt(endpoint, 'addresses').flatMap((address, a) => ipWarnings(address, `endpoints[${i}].addresses[${a}]`)),
  )
  return [...warnings, ...ips]
}

function sliceErrors(o: KubeObject, _context: unknown, live: KubeObject | undefined): FieldError[] {
  const type = textAt(o, 'addressType')
  const errors = endpointsErrors(objectsAt(o, 'endpoints'), type)
  // What stands since before a rule is let be.
  const kept = errors.length > 0 && live !== undefined && sameMeaning(o['endpoints'], live['endpoints'])
  return [
    ...requiredOneOf(type, 'addressType', ['FQDN', 'IPv4', 'IPv6']),
    ...portErrors(objectsAt(o, 'ports')),
    ...(kept ? [] : errors),
  ]
}

function portErrors(ports: readonly Json[]): FieldError[] {
  if (ports.length > 20_000) return [tooMany('ports', ports.length, 20_000)]
  const names = new Set<string>()
  return ports.flatMap((port, i) => {
    const at = `ports[${i}]`
    const name = textAt(port, 'name')
    const errors = name === '' ? [] : dnsLabelField(name, `${at}.name`)
    if (names.has(name)) errors.push(duplicate(`${at}.name`, name))
    names.add(name)
    const application = port['appProtocol']
    return [
      ...errors,
      ...oneOf(textAt(port, 'protocol'), `${at}.protocol`, ['SCTP', 'TCP', 'UDP']),
      ...(typeof application === 'string' ? failing(qualifiedName, application, `${at}.appProtocol`) : []),
    ]
  })
}

function endpointsErrors(endpoints: readonly Json[], type: string): FieldError[] {
  if (endpoints.length > 1000) return [tooMany('endpoints', endpoints.length, 1000)]
  return endpoints.flatMap((endpoint, i) => endpointErrors(endpoint, type, `endpoints[${i}]`))
}

function endpointErrors(endpoint: Json, type: string, at: string): FieldError[] {
  const addresses = textsAt(endpoint, 'addresses')
  const host = endpoint['hostname']
  const node = endpoint['nodeName']
  return [
    ...(addresses.length === 0 ? [required(`${at}.addresses`, 'must contain at least 1 address')] : []),
    ...(addresses.length > 100 ? [tooMany(`${at}.addresses`, addresses.length, 100)] : []),
    ...addresses.flatMap((address, i) => addressErrors(address, type, `${at}.addresses`, i)),
    ...(typeof node === 'string' ? nodeName(node, `${at}.nodeName`) : []),
    ...(typeof host === 'string' ? dnsLabelField(host, `${at}.hostname`) : []),
    ...hintErrors(objectAt(endpoint, 'hints'), `${at}.hints`),
  ]
}

function addressErrors(address: string, type: string, list: string, index: number): FieldError[] {
  const at = `${list}[${index}]`
  if (type === 'FQDN') return fullDomainName(address, at)
  if (type !== 'IPv4' && type !== 'IPv6') return []
  const errors = type === 'IPv6' ? canonicalIp(address, at) : validIp(address, at)
  if (errors.length > 0) return errors
  const right = type === 'IPv4' ? isIPv4(address) : isIPv6(address)
  const family = right ? [] : [invalid(list, address, `must be an ${type} address`)]
  return [...family, ...endpointIp(address, at)]
}

/** `IsFullyQualifiedDomainName`: the first thing that is wrong. */
function fullDomainName(name: string, field: string): FieldError[] {
  if (name === '') return [required(field)]
  const bare = name.endsWith('.') ? name.slice(0, -1) : name
  const errors = dnsSubdomain(bare)
  if (errors.length > 0) return [invalid(field, bare, errors.join(','))]
  const labels = bare.split('.')
  if (labels.length < 2)
    return [invalid(field, bare, 'should be a domain with at least two segments separated by dots')]
  const bad = labels.find((label) => dnsLabel(label).length > 0)
  return bad === undefined ? [] : [invalid(field, bad, dnsLabel(bad).join(','))]
}

const nodeName = (name: string, field: string): FieldError[] =>
  subdomainName(name, false).map((text) => invalid(field, name, text))

function hintErrors(hints: Json | undefined, at: string): FieldError[] {
  const zones = objectsAt(hints, 'forZones')
  const nodes = objectsAt(hints, 'forNodes')
  if (zones.length > 8) return [tooMany(`${at}.forZones`, zones.length, 8)]
  const errors = named(zones, `${at}.forZones`, (name, field) => failing(labelValue, name, field))
  if (nodes.length > 8) return [...errors, tooMany(`${at}.forNodes`, nodes.length, 8)]
  return [...errors, ...named(nodes, `${at}.forNodes`, nodeName)]
}

function named(items: readonly Json[], at: string, check: (name: string, field: string) => FieldError[]): FieldError[] {
  const seen = new Set<string>()
  return items.flatMap((item, i) => {
    const name = textAt(item, 'name')
    const again = seen.has(name) ? [duplicate(`${at}[${i}].name`, name)] : []
    seen.add(name)
    return [...again, ...check(name, `${at}[${i}].name`)]
  })
}
