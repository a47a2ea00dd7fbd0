import type { KubeObject } from '../object.ts'
import { sameJson } from '../object.ts'
import { dnsLabelField, oneOf, portNumberOrName, requiredOneOf } from './checks.ts'
import type { FieldError } from './field-error.ts'
import { duplicate, forbidden, invalid, required } from './field-error.ts'
import type { Json } from './json.ts'
import { absent, numberAt, objectAt, objectsAt, textAt, textsAt } from './json.ts'
import { failing, validateLabels } from './metadata.ts'
import { dnsSubdomain, portNumber, qualifiedName } from './names.ts'
import { endpointIp, validCidr, validIp } from './network-checks.ts'
import { clusterIpErrors, ipChangeErrors } from './service-ip-rules.ts'
import { externallyAccessible, isHeadless, needsHealthCheck } from './service-traits.ts'
import type { StrategyContext } from './strategy.ts'

/** All rules for a service's spec (`validateService`). */
export function serviceErrors(o: KubeObject, _context: StrategyContext, live: KubeObject | undefined): FieldError[] {
  const spec = objectAt(o, 'spec') ?? {}
  const before = live && objectAt(live, 'spec')
  const ports = objectsAt(spec, 'ports')
  const type = textAt(spec, 'type')
  const headless = isHeadless(spec)
  return [
    ...(ports.length === 0 && !headless && type !== 'ExternalName' ? [required('spec.ports')] : []),
    ...typeErrors(spec, type, headless),
    ...portErrors(ports),
    ...validateLabels(spec['selector'], 'spec.selector'),
    ...requiredOneOf(textAt(spec, 'sessionAffinity'), 'spec.sessionAffinity', ['ClientIP', 'None']),
    ...affinityErrors(spec),
    ...clusterIpErrors(spec, textsAt(before, 'clusterIPs')),
    ...textsAt(spec, 'externalIPs').flatMap((ip, i) => externalIp(ip, `spec.externalIPs[${i}]`)),
    ...requiredOneOf(type, 'spec.type', ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort']),
    ...nodePortErrors(ports, type),
    ...loadBalancerErrors(spec, type),
    ...trafficErrors(spec, type),
  ]
}

function externalIp(ip: string, field: string): FieldError[] {
  const errors = validIp(ip, field)
  return errors.length > 0 ? errors : endpointIp(ip, field)
}

function typeErrors(spec: Json, type: string, headless: boolean): FieldError[] {
  if (type === 'LoadBalancer' || type === 'NodePort') {
    return headless ? [invalid('spec.clusterIPs[0]', 'None', `may not be set to 'None' for ${type} services`)] : []
  }
  if (type !== 'ExternalName') return []
  const cname = textAt(spec, 'externalName').replace(/\.$/u, '')
  return [
    ...['clusterIPs', 'ipFamilies', 'ipFamilyPolicy']
      .filter((key) => !absent(spec, key))
      .map((key) => forbidden(`spec.${key}`, 'may not be set for ExternalName services')),
    ...(cname === '' ? [required('spec.externalName')] : failing(dnsSubdomain, cname, 'spec.externalName')),
  ]
}

function portErrors(ports: readonly Json[]): FieldError[] {
  const names = new Set<string>()
  return ports.flatMap((port, i) => {
    const at = `spec.ports[${i}]`
    const name = textAt(port, 'name')
    const errors: FieldError[] = []
    if (name === '') errors.push(...(ports.length > 1 ? [required(`${at}.name`)] : []))
    else {
      errors.push(...dnsLabelField(name, `${at}.name`))
      if (names.has(name)) errors.push(duplicate(`${at}.name`, name))
      names.add(name)
    }
    const number = numberAt(port, 'port') ?? 0
    const protocol = port['appProtocol']
    return [
      ...errors,
      ...portNumber(number).map((text) => invalid(`${at}.port`, number, text)),
      ...requiredOneOf(textAt(port, 'protocol'), `${at}.protocol`, ['SCTP', 'TCP', 'UDP']),
      ...portNumberOrName(port['targetPort'], `${at}.targetPort`),
      ...(typeof protocol === 'string' ? failing(qualifiedName, protocol, `${at}.appProtocol`) : []),
    ]
  })
}

function affinityErrors(spec: Json): FieldError[] {
  const field = 'spec.sessionAffinityConfig'
  const config = objectAt(spec, 'sessionAffinityConfig')
  if (spec['sessionAffinity'] === 'None') {
    return config ? [forbidden(field, 'must not be set when session affinity is None')] : []
  }
  if (spec['sessionAffinity'] !== 'ClientIP') return []
  const seconds = numberAt(objectAt(config, 'clientIP'), 'timeoutSeconds')
  if (seconds === undefined) return [required(field, 'when session affinity type is ClientIP')]
  if (seconds > 0 && seconds <= 86_400) return []
  return [invalid(`${field}.clientIP.timeoutSeconds`, seconds, 'must be greater than 0 and less than 86400')]
}

function nodePortErrors(ports: readonly Json[], type: string): FieldError[] {
  const seen = new Set<string>()
  const pairs = new Set<string>()
  const errors: FieldError[] = []
  ports.forEach((port, i) => {
    const number = numberAt(port, 'nodePort') ?? 0
    if (number === 0) return
    if (type === 'ClusterIP') {
      errors.push(forbidden(`spec.ports[${i}].nodePort`, "may not be used when `type` is 'ClusterIP'"))
    }
    const key = `${textAt(port, 'protocol')}/${number}`
    if (seen.has(key)) errors.push(duplicate(`spec.ports[${i}].nodePort`, number))
    seen.add(key)
  })
  ports.forEach((port, i) => {
    const [protocol, number] = [textAt(port, 'protocol'), numberAt(port, 'port') ?? 0]
    const key = `${protocol}/${number}`
    if (pairs.has(key)) errors.push(duplicate(`spec.ports[${i}]`, bareServicePort(protocol, number)))
    pairs.add(key)
  })
  return errors
}

/** The Go struct of a port of which only protocol and number are set, as it is printed. */
function bareServicePort(protocol: string, port: number): Json {
  return { Name: '', Protocol: protocol, AppProtocol: null, Port: port, TargetPort: 0, NodePort: 0 }
}

function loadBalancerErrors(spec: Json, type: string): FieldError[] {
  const errors: FieldError[] = []
  const ranges = textsAt(spec, 'loadBalancerSourceRanges')
  const field = 'spec.LoadBalancerSourceRanges'
  const onlyBalancer = "may only be used when `type` is 'LoadBalancer'"
  if (ranges.length > 0 && type !== 'LoadBalancer') errors.push(forbidden(field, onlyBalancer))
  errors.push(...ranges.flatMap((range, i) => validCidr(range.trim(), `${field}[${i}]`)))
  if (!absent(spec, 'allocateLoadBalancerNodePorts') && type !== 'LoadBalancer') {
    errors.push(forbidden('spec.allocateLoadBalancerNodePorts', onlyBalancer))
  }
  return [...errors, ...balancerClassErrors(spec, type)]
}

function balancerClassErrors(spec: Json, type: string): FieldError[] {
  const name = spec['loadBalancerClass']
  if (typeof name !== 'string') return []
  if (type === 'LoadBalancer') return failing(qualifiedName, name, 'spec.loadBalancerClass')
  return [forbidden('spec.loadBalancerClass', "may only be used when `type` is 'LoadBalancer'")]
}

function trafficErrors(spec: Json, type: string): FieldError[] {
  const external = textAt(spec, 'externalTrafficPolicy')
  const health = numberAt(spec, 'healthCheckNodePort') ?? 0
  const internal = textAt(spec, 'internalTrafficPolicy')
  const distribution = spec['trafficDistribution']
  const errors: FieldError[] = []
  if (externallyAccessible(spec)) {
    errors.push(...requiredOneOf(external, 'spec.externalTrafficPolicy', ['Cluster', 'Local']))
  } else if (external !== '') {
    const text = 'may only be set for externally-accessible services'
    errors.push(invalid('spec.externalTrafficPolicy', external, text))
  }
  if (health !== 0 && !needsHealthCheck(spec)) {
    const text = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'"
    errors.push(invalid('spec.healthCheckNodePort', health, text))
  }
  const routed = type === 'ClusterIP' || type === 'NodePort' || type === 'LoadBalancer'
  if (internal === '' && routed) errors.push(required('spec.internalTrafficPolicy'))
  if (internal !== '') errors.push(...oneOf(internal, 'spec.internalTrafficPolicy', ['Cluster', 'Local']))
  if (typeof distribution !== 'string') return errors
  const known = ['PreferClose', 'PreferSameZone', 'PreferSameNode']
  return [...errors, ...oneOf(distribution, 'spec.trafficDistribution', known)]
}

/** What may not change once set; the rules of the load balancer's class are asked here too. */
export function serviceChangeErrors(next: KubeObject, live: KubeObject): FieldError[] {
  const spec = objectAt(next, 'spec') ?? {}
  const before = objectAt(live, 'spec') ?? {}
  const errors = ipChangeErrors(spec, before)
  const balancers = spec['type'] === 'LoadBalancer' && before['type'] === 'LoadBalancer'
  if (balancers && !sameJson(spec['loadBalancerClass'], before['loadBalancerClass'])) {
    errors.push(invalid('spec.loadBalancerClass', spec['loadBalancerClass'] ?? null, 'may not change once set'))
  }
  errors.push(...balancerClassErrors(spec, textAt(spec, 'type')))
  const checks = needsHealthCheck(spec) && needsHealthCheck(before)
  if (checks && numberAt(spec, 'healthCheckNodePort') !== numberAt(before, 'healthCheckNodePort')) {
    errors.push(forbidden('spec.healthCheckNodePort', 'field is immutable'))
  }
  return errors
}
