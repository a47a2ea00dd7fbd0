import { isIP, isIPv6 } from 'node:net'
import type { KubeObject } from '../object.ts'
import { labelSelector, oneOf, requireText } from './checks.ts'
import { defineKind } from './define.ts'
import type { FieldError } from './field-error.ts'
import { forbidden, invalid, notSupported, required, tooLong } from './field-error.ts'
import { endpointSlice } from './endpoint-slice.ts'
import { ingressErrors, typedReference } from './ingress-rules.ts'
import type { Json } from './json.ts'
import { absent, numberAt, objectAt, objectsAt, textAt, textsAt } from './json.ts'
import { failing, unchanged } from './metadata.ts'
import { byteLength, dnsSubdomain, labelName, pathSegmentName, portName, portNumber } from './names.ts'
import { canonicalIp, cidrContains, validCidr } from './network-checks.ts'
import type { KindStrategy } from './strategy.ts'

const specOf = (o: KubeObject): Json => objectAt(o, 'spec') ?? {}

const ingress = defineKind({
  status: true,
  generation: ['spec'],
  metadataOnUpdate: 'both',
  validate: (o, _context, live) => ingressErrors(o, live),
})

/** A path under somebody's domain, such as names of controllers. */
export function domainPath(value: string, field: string): FieldError[] {
  if (value === '') return [required(field)]
  const slash = value.indexOf('/')
  const [host, path] = slash < 0 ? ['', ''] : [value.slice(0, slash), value.slice(slash + 1)]
  if (host === '' || path === '') {
    return [invalid(field, value, 'must be a domain-prefixed path (such as "acme.io/foo")')]
  }
  const pattern = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+"
  const good = /^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/u.test(path)
  return [
    ...failing(dnsSubdomain, host, field),
    ...(good ? [] : [invalid(field, path, `Invalid path (regex used for validation is '${pattern}')`)]),
  ]
}

function ingressClassErrors(spec: Json): FieldError[] {
  const controller = textAt(spec, 'controller')
  const parameters = objectAt(spec, 'parameters')
  return [
    ...(byteLength(controller) > 250 ? [tooLong('spec.controller', 250)] : []),
    ...domainPath(controller, 'spec.controller'),
    ...(parameters ? parameterErrors(parameters, 'spec.parameters') : []),
  ]
}

function parameterErrors(parameters: Json, field: string): FieldError[] {
  const scope = textAt(parameters, 'scope')
  const namespace = parameters['namespace']
  const errors = typedReference(parameters, field)
  if (!['Cluster', 'Namespace'].includes(scope)) {
    return [...errors, notSupported(`${field}.scope`, scope, ['Cluster', 'Namespace'])]
  }
  if (scope === 'Cluster') {
    if (typeof namespace !== 'string') return errors
    return [...errors, forbidden(`${field}.namespace`, "`parameters.scope` is set to 'Cluster'")]
  }
  if (typeof namespace !== 'string') {
    return [...errors, required(`${field}.namespace`, "`parameters.scope` is set to 'Namespace'")]
  }
  return [...errors, ...labelName(namespace, false).map((text) => invalid(`${field}.namespace`, namespace, text))]
}

const ingressClass = defineKind({
  generation: ['spec'],
  metadataOnUpdate: 'both',
  validate: (o) => ingressClassErrors(specOf(o)),
  changeFirst: true,
  validateChange: (next, live) =>
    unchanged('spec.controller', textAt(specOf(next), 'controller'), textAt(specOf(live), 'controller')),
})

const networkPolicy = defineKind({
  generation: ['spec'],
  generationOfEmpty: true,
  validate: (o) => networkPolicyErrors(specOf(o)),
})

function networkPolicyErrors(spec: Json): FieldError[] {
  const rules = (list: string, peers: string): FieldError[] =>
    objectsAt(spec, list).flatMap((rule, i) => [
      ...objectsAt(rule, 'ports').flatMap((port, p) => policyPort(port, `spec.${list}[${i}].ports[${p}]`)),
      ...objectsAt(rule, peers).flatMap((peer, p) => policyPeer(peer, `spec.${list}[${i}].${peers}[${p}]`)),
    ])
  const types = textsAt(spec, 'policyTypes')
  const errors = [
    ...labelSelector(objectAt(spec, 'podSelector'), 'spec.podSelector'),
    ...rules('ingress', 'from'),
    ...rules('egress', 'to'),
  ]
  if (types.length > 2) {
    return [...errors, invalid('spec.policyTypes', types, 'may not specify more than two policyTypes')]
  }
  return [...errors, ...types.flatMap((type, i) => oneOf(type, `spec.policyTypes[${i}]`, ['Ingress', 'Egress']))]
}

function policyPort(port: Json, at: string): FieldError[] {
  const protocol = textAt(port, 'protocol')
  const end = numberAt(port, 'endPort')
  const value = port['port']
  const errors = protocol === '' ? [] : oneOf(protocol, `${at}.protocol`, ['TCP', 'UDP', 'SCTP'])
  if (typeof value === 'number') {
    errors.push(...portNumber(value).map((text) => invalid(`${at}.port`, value, text)))
    if (end === undefined) return errors
    if (end < value) errors.push(invalid(`${at}.endPort`, value, 'must be greater than or equal to `port`'))
    return [...errors, ...portNumber(end).map((text) => invalid(`${at}.endPort`, end, text))]
  }
  if (end !== undefined) {
    const why = typeof value === 'string' ? 'non-numeric' : 'not specified'
    errors.push(invalid(`${at}.endPort`, end, `may not be specified when \`port\` is ${why}`))
  }
  return typeof value === 'string' ? [...errors, ...failing(portName, value, `${at}.port`)] : errors
}

function policyPeer(peer: Json, at: string): FieldError[] {
  const block = objectAt(peer, 'ipBlock')
  const present = ['podSelector', 'namespaceSelector', 'ipBlock'].filter((key) => !absent(peer, key))
  const errors = [
    ...labelSelector(objectAt(peer, 'podSelector'), `${at}.podSelector`),
    ...labelSelector(objectAt(peer, 'namespaceSelector'), `${at}.namespaceSelector`),
    ...(block ? ipBlock(block, `${at}.ipBlock`) : []),
  ]
  if (present.length === 0) return [...errors, required(at, 'must specify a peer')]
  if (present.length === 1 || !block) return errors
  return [...errors, forbidden(at, 'may not specify both ipBlock and another peer')]
}

function ipBlock(block: Json, at: string): FieldError[] {
  const cidr = textAt(block, 'cidr')
  if (cidr === '') return [required(`${at}.cidr`)]
  const errors = validCidr(cidr, `${at}.cidr`)
  if (isIP(cidr.split('/')[0] ?? '') === 0) return errors
  return [
    ...errors,
    ...textsAt(block, 'except').flatMap((except, i) => {
      const bad = validCidr(except, `${at}.except[${i}]`)
      const strict = isIPv6(cidr.split('/')[0] ?? '') || (cidrContains(cidr, except) && except !== cidr)
      if (bad.length > 0 || strict) return bad
      return [invalid(`${at}.except[${i}]`, except, 'must be a strict subset of `cidr`')]
    }),
  ]
}

const ipAddress = defineKind({
  name: (name) => canonicalIp(name, '').map(({ detail }) => detail),
  validate: (o) => {
    const parent = objectAt(specOf(o), 'parentRef')
    if (!parent) return [required('spec.parentRef')]
    const at = 'spec.parentRef'
    return [
      ...(textAt(parent, 'group') === '' ? [] : failing(dnsSubdomain, textAt(parent, 'group'), `${at}.group`)),
      ...requireText(parent, 'resource', at),
      ...requireText(parent, 'name', at),
      ...['resource', 'name', 'namespace'].flatMap((key) =>
        pathSegmentName(textAt(parent, key), false).map((text) => invalid(`${at}.${key}`, textAt(parent, key), text)),
      ),
    ]
  },
  validateChange: (next, live) => unchanged('spec.parentRef', specOf(next)['parentRef'], specOf(live)['parentRef']),
})

const serviceCidr = defineKind({
  status: true,
  resetFields: { main: [['status']], status: [['spec'], ['metadata']] },
  validate: (o) => {
    const cidrs = textsAt(specOf(o), 'cidrs')
    if (cidrs.length === 0) return [required('spec.cidrs', 'at least one CIDR required')]
    return cidrs.flatMap((cidr, i) => validCidr(cidr, `spec.cidrs[${i}]`))
  },
  validateChange: (next, live) => unchanged('spec.cidrs', specOf(next)['cidrs'], specOf(live)['cidrs']),
})

export const networkingKinds: Readonly<Record<string, KindStrategy>> = {
  'endpointslices.discovery.k8s.io': endpointSlice,
  'ingressclasses.networking.k8s.io': ingressClass,
  'ingresses.networking.k8s.io': ingress,
  'ipaddresses.networking.k8s.io': ipAddress,
  'networkpolicies.networking.k8s.io': networkPolicy,
  'servicecidrs.networking.k8s.io': serviceCidr,
}
