import { isIPv6 } from 'node:net'
import type { KubeObject } from '../object.ts'
import { sameJson } from '../object.ts'
import type { FieldError } from './field-error.ts'
import { errorText, invalid, required } from './field-error.ts'
import type { Json } from './json.ts'
import { absent, ensureObject, numberAt, objectAt, objectsAt, textAt, textMapAt, textsAt } from './json.ts'
import { pathSegmentName } from './names.ts'
import { cidrContains, ipv4Number, ipv4Text } from './network-checks.ts'
import { clusterIpErrors } from './service-ip-rules.ts'
import { externallyAccessible, needsHealthCheck, needsNodePort } from './service-traits.ts'
import type { StrategyContext } from './strategy.ts'

/** Where cluster IPs come from; the first address belongs to the `kubernetes` service. */
const serviceCidr = '10.0.0.0/16'
const firstIp = ipv4Number('10.0.0.0')
const ipCount = 2 ** 16
const nodePorts = { low: 30_000, high: 32_767 }

/**
 * Fills in what the registry of services allocates and keeps, before anything else looks at the service
 * (`beginCreate` and `beginUpdate` of `pkg/registry/core/service/storage`). Gives back why it cannot.
 */
export function allocateService(
  next: KubeObject,
  live: KubeObject | undefined,
  context: StrategyContext,
): FieldError[] {
  const spec = ensureObject(next, 'spec')
  const before = live && (objectAt(live, 'spec') ?? {})
  if (before) keepAllocated(spec, before)
  normalizeClusterIps(spec, before)
  // Read back, a name for what is outside has no traffic of its own (`defaultOnReadInternalTrafficPolicy`).
  if (textAt(spec, 'type') === 'ExternalName') delete spec['internalTrafficPolicy']
  if (textAt(spec, 'type') !== 'ExternalName') {
    const errors = families(spec, before)
    if (errors.length > 0) return errors
    const refused = allocateIp(spec, before, next, context)
    if (refused.length > 0) return refused
  }
  return allocatePorts(spec, before, next, context)
}

/** A PUT that leaves allocated values out keeps them (`patchAllocatedValues`). */
function keepAllocated(spec: Json, before: Json): void {
  if (before['type'] !== 'ExternalName' && spec['type'] !== 'ExternalName') {
    if (textAt(spec, 'clusterIP') === '') spec['clusterIP'] = textAt(before, 'clusterIP')
    if (textsAt(spec, 'clusterIPs').length === 0 && !absent(before, 'clusterIPs')) {
      spec['clusterIPs'] = before['clusterIPs']
    }
  }
  if (needsNodePort(before) && needsNodePort(spec)) keepNodePorts(objectsAt(spec, 'ports'), objectsAt(before, 'ports'))
  if (needsHealthCheck(before) && needsHealthCheck(spec) && absent(spec, 'healthCheckNodePort')) {
    spec['healthCheckNodePort'] = before['healthCheckNodePort']
  }
}

/** Ports keep their node port by name, unless another port of the update has it. */
function keepNodePorts(ports: readonly Json[], old: readonly Json[]): void {
  const given = new Set(ports.map((port) => numberAt(port, 'nodePort') ?? 0))
  const known = new Map(old.map((port) => [textAt(port, 'name'), numberAt(port, 'nodePort') ?? 0]))
  for (const port of ports) {
    const kept = known.get(textAt(port, 'name')) ?? 0
    if ((numberAt(port, 'nodePort') ?? 0) === 0 && kept !== 0 && !given.has(kept)) port['nodePort'] = kept
  }
}

/** What belongs to the old type goes when the type changes, unless the update changed it (`dropTypeDependentFields`). */
export function dropTypeDependent(next: KubeObject, live: KubeObject): void {
  const spec = ensureObject(next, 'spec')
  const before = objectAt(live, 'spec') ?? {}
  const drop = (...keys: readonly string[]): void => {
    for (const key of keys) if (sameJson(spec[key], before[key])) delete spec[key]
  }
  if (before['type'] !== 'ExternalName' && spec['type'] === 'ExternalName') {
    const same = sameJson(spec['clusterIP'], before['clusterIP']) && sameJson(spec['clusterIPs'], before['clusterIPs'])
    if (same) drop('clusterIP', 'clusterIPs')
    drop('ipFamilies', 'ipFamilyPolicy')
  }
  if (needsNodePort(before) && !needsNodePort(spec)) {
    const old = new Set(objectsAt(before, 'ports').map((port) => port['nodePort']))
    const ports = objectsAt(spec, 'ports')
    if (ports.every((port) => absent(port, 'nodePort') || old.has(port['nodePort']))) {
      for (const port of ports) delete port['nodePort']
    }
  }
  if (needsHealthCheck(before) && !needsHealthCheck(spec)) drop('healthCheckNodePort')
  if (before['type'] === 'LoadBalancer' && spec['type'] !== 'LoadBalancer') {
    drop('allocateLoadBalancerNodePorts', 'loadBalancerClass')
  }
  if (externallyAccessible(before) && !externallyAccessible(spec)) drop('externalTrafficPolicy')
  if (textAt(spec, 'type') !== 'LoadBalancer') next['status'] = { loadBalancer: {} }
}

/** Keeps `clusterIP` and `clusterIPs` in step, whichever of them a client knows (`normalizeClusterIPs`). */
function normalizeClusterIps(spec: Json, before: Json | undefined): void {
  const ip = textAt(spec, 'clusterIP')
  const ips = textsAt(spec, 'clusterIPs')
  if (!before) {
    if (ip !== '' && ips.length === 0) spec['clusterIPs'] = [ip]
    return
  }
  const oldIp = textAt(before, 'clusterIP')
  const oldIps = textsAt(before, 'clusterIPs')
  if (oldIps.length > 0 && ips.length === 0 && oldIp === ip) spec['clusterIPs'] = before['clusterIPs']
  if (oldIp === ip || !sameJson(ips, oldIps)) return
  if (oldIp !== '' && ip === '') delete spec['clusterIPs']
  else spec['clusterIPs'] = [ip]
}

/** Families and their policy (`initIPFamilyFields`); the cluster knows IPv4 alone. */
function families(spec: Json, before: Json | undefined): FieldError[] {
  if (before && keepsDualStack(spec, before)) return []
  const headless = textAt(spec, 'clusterIP') === 'None'
  const unselective = headless && Object.keys(textMapAt(spec, 'selector')).length === 0
  if (absent(spec, 'ipFamilyPolicy')) {
    const inferred = unselective ? 'RequireDualStack' : 'SingleStack'
    spec['ipFamilyPolicy'] = before && !absent(before, 'ipFamilyPolicy') ? before['ipFamilyPolicy'] : inferred
  }
  const errors = clusterIpErrors(spec, textsAt(before, 'clusterIPs'))
  if (errors.length > 0) return errors
  const single = spec['ipFamilyPolicy'] === 'SingleStack'
  const stacks = stackErrors(spec, before, single)
  if (stacks.length > 0) return stacks
  const names = [...textsAt(spec, 'ipFamilies')]
  if (unselective) {
    if (names.length === 0) names.push('IPv4')
    if (names.length < 2 && !single) names.push(names[0] === 'IPv4' ? 'IPv6' : 'IPv4')
    spec['ipFamilies'] = names
    return []
  }
  const unknown = names.flatMap((name, i) =>
    name === 'IPv4' ? [] : [invalid(`spec.ipFamilies[${i}]`, name, 'not configured on this cluster')],
  )
  const dual = 'this cluster is not configured for dual-stack services'
  const demanded = spec['ipFamilyPolicy'] === 'RequireDualStack'
  const missing = [...(demanded ? [invalid('spec.ipFamilyPolicy', 'RequireDualStack', dual)] : []), ...unknown]
  if (missing.length === 0 && names.length === 0) spec['ipFamilies'] = ['IPv4']
  return missing
}

function keepsDualStack(spec: Json, before: Json): boolean {
  return (
    spec['type'] === before['type'] &&
    spec['ipFamilyPolicy'] === 'PreferDualStack' &&
    before['ipFamilyPolicy'] === 'PreferDualStack' &&
    sameJson(textsAt(spec, 'clusterIPs'), textsAt(before, 'clusterIPs')) &&
    sameJson(textsAt(spec, 'ipFamilies'), textsAt(before, 'ipFamilies'))
  )
}

/** What policy, families and addresses say against each other. */
function stackErrors(spec: Json, before: Json | undefined, single: boolean): FieldError[] {
  const errors: FieldError[] = []
  const policy = spec['ipFamilyPolicy']
  const refuse = (text: string): number => errors.push(invalid('spec.ipFamilyPolicy', policy, text))
  for (const [key, what] of [
    ['clusterIPs', 'cluster IP'],
    ['ipFamilies', 'IP family'],
  ] as const) {
    const [is, was] = [textsAt(spec, key), textsAt(before, key)]
    if (before && single && sameJson(is, was) && is.length > 1) spec[key] = is.slice(0, 1)
    if (before && !single && is.length > 0 && is.length < was.length) {
      refuse(`must be 'SingleStack' to release the secondary ${what}`)
    }
  }
  for (const [key, what] of [
    ['clusterIPs', 'cluster IPs'],
    ['ipFamilies', 'IP families'],
  ] as const) {
    if (!single || textsAt(spec, key).length !== 2) continue
    refuse(`must be 'RequireDualStack' or 'PreferDualStack' when multiple ${what} are specified`)
  }
  const ips = textsAt(spec, 'clusterIPs')
  ips.forEach((ip, i) => {
    if (ip === 'None' || i < textsAt(spec, 'ipFamilies').length) return
    if (isIPv6(ip)) errors.push(invalid(`spec.clusterIPs[${i}]`, ips, 'IPv6 is not configured on this cluster'))
    else spec['ipFamilies'] = [...textsAt(spec, 'ipFamilies'), 'IPv4']
  })
  return errors
}

/** An address is recorded with the service it belongs to, before anybody looks at the service's name. */
function parentProblem(name: string): string | undefined {
  const field = 'spec.parentRef.name'
  const problems =
    name === '' ? [required(field)] : pathSegmentName(name, false).map((text) => invalid(field, name, text))
  const texts = problems.map(errorText)
  return texts.length > 1 ? `[${texts.join(', ')}]` : texts[0]
}

function allocateIp(spec: Json, before: Json | undefined, service: KubeObject, context: StrategyContext): FieldError[] {
  if (before && before['type'] !== 'ExternalName') return []
  const ips = textsAt(spec, 'clusterIPs')
  if (ips[0] === 'None') return []
  const used = new Set<string>()
  for (const other of others(service, context)) {
    for (const ip of textsAt(objectAt(other, 'spec'), 'clusterIPs')) used.add(ip)
  }
  const [wanted] = ips
  const nameless = context.dryRun ? undefined : parentProblem(service.metadata.name ?? '')
  if (wanted !== undefined) {
    const why = refusal(wanted, used, context.dryRun)
    return why === undefined ? [] : [invalid('spec.clusterIPs', ips, `failed to allocate IP ${wanted}: ${why}`)]
  }
  for (let tries = 0; tries < ipCount * 4; tries++) {
    const ip = ipv4Text(firstIp + 2 + context.random(ipCount - 3))
    if (used.has(ip)) continue
    if (nameless !== undefined) {
      const text = `failed to allocate IP: IPAddress.networking.k8s.io "${ip}" is invalid: ${nameless}`
      return [invalid('spec.clusterIPs', [''], text)]
    }
    spec['clusterIP'] = ip
    spec['clusterIPs'] = [ip]
    return []
  }
  return []
}

/** Why an address cannot be had; a dry run does not look whether somebody has it. */
function refusal(ip: string, used: ReadonlySet<string>, dryRun: boolean): string | undefined {
  const at = cidrContains(serviceCidr, ip) ? ipv4Number(ip) - firstIp : 0
  if (at < 1 || at > ipCount - 2) {
    if (!dryRun) return 'the provided network does not match the current range'
    return `the provided IP (${ip}) is not in the valid range. The range of valid IPs is ${serviceCidr}`
  }
  return !dryRun && used.has(ip) ? 'provided IP is already allocated' : undefined
}

function allocatePorts(
  spec: Json,
  before: Json | undefined,
  service: KubeObject,
  context: StrategyContext,
): FieldError[] {
  const ports = needsNodePort(spec) ? objectsAt(spec, 'ports') : []
  const health = needsHealthCheck(spec) && !(before && needsHealthCheck(before)) && absent(spec, 'healthCheckNodePort')
  if (ports.length === 0 && !health) return []
  const used = usedNodePorts(others(service, context))
  const errors = takenPorts(ports, before, used)
  if (errors.length > 0) return errors
  for (const port of ports) used.add(numberAt(port, 'nodePort') ?? 0)
  const given = new Map<number, number>()
  for (const port of spec['allocateLoadBalancerNodePorts'] === false ? [] : ports) {
    if ((numberAt(port, 'nodePort') ?? 0) !== 0) continue
    const number = numberAt(port, 'port') ?? 0
    const shared = before ? undefined : given.get(number)
    const nodePort = shared ?? freePort(used, context)
    port['nodePort'] = nodePort
    given.set(number, nodePort)
  }
  if (health) spec['healthCheckNodePort'] = freePort(used, context)
  return []
}

function takenPorts(ports: readonly Json[], before: Json | undefined, used: ReadonlySet<number>): FieldError[] {
  const old = new Set(objectsAt(before, 'ports').map((port) => port['nodePort']))
  for (const [i, entry] of ports.entries()) {
    const port = numberAt(entry, 'nodePort') ?? 0
    if (port === 0 || old.has(port)) continue
    if (port < nodePorts.low || port > nodePorts.high) {
      const text = `provided port is not in the valid range. The range of valid ports is ${nodePorts.low}-${nodePorts.high}`
      return [invalid(`spec.ports[${i}].nodePort`, port, text)]
    }
    if (used.has(port)) return [invalid(`spec.ports[${i}].nodePort`, port, 'provided port is already allocated')]
  }
  return []
}

function freePort(used: Set<number>, context: StrategyContext): number {
  const count = nodePorts.high - nodePorts.low + 1
  let port = nodePorts.low + context.random(count)
  for (let tries = 0; tries < count && used.has(port); tries++) {
    port = port === nodePorts.high ? nodePorts.low : port + 1
  }
  used.add(port)
  return port
}

/** The services beside this one. */
function* others(service: KubeObject, context: StrategyContext): Iterable<KubeObject> {
  for (const other of context.list('services')) {
    if (other.metadata.name !== service.metadata.name || other.metadata.namespace !== service.metadata.namespace) {
      yield other
    }
  }
}

function usedNodePorts(services: Iterable<KubeObject>): Set<number> {
  const used = new Set<number>()
  for (const { spec } of services) {
    for (const port of objectsAt(spec as Json, 'ports')) used.add(numberAt(port, 'nodePort') ?? 0)
    used.add(numberAt(spec as Json, 'healthCheckNodePort') ?? 0)
  }
  used.delete(0)
  return used
}
