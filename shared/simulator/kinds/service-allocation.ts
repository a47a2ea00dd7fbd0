import type { KubeObject } from '../object.ts'
import { sameJson } from '../object.ts'
import type { Json } from './json.ts'
import { absent, ensureObject, numberAt, objectAt, objectsAt, textAt, textMapAt, textsAt } from './json.ts'
import { ipv4Number, ipv4Text } from './network-checks.ts'
import type { StrategyContext } from './strategy.ts'

/** Where cluster IPs come from; the first address belongs to the `kubernetes` service. */
export const serviceCidr = '10.0.0.0/16'
const firstIp = ipv4Number('10.0.0.0')
const ipCount = 2 ** 16
export const nodePorts = { low: 30_000, high: 32_767 }

/** Fills in what the registry of services allocates and keeps (`pkg/registry/core/service`). */
export function prepareService(next: KubeObject, live: KubeObject | undefined, context: StrategyContext): void {
  const spec = ensureObject(next, 'spec')
  const before = live && objectAt(live, 'spec')
  if (before) {
    keepAllocated(spec, before)
    dropTypeDependent(spec, before)
    if (textAt(spec, 'type') !== 'LoadBalancer') next['status'] = { loadBalancer: {} }
  }
  normalizeClusterIps(spec, before)
  if (textAt(spec, 'type') === 'ExternalName') return
  families(spec)
  allocateIp(spec, next, context)
  allocatePorts(spec, next, context)
}

/** A PUT that leaves allocated values out keeps them (`patchAllocatedValues`). */
function keepAllocated(spec: Json, before: Json): void {
  const was = textAt(before, 'type')
  const is = textAt(spec, 'type')
  if (
    was !== 'ExternalName' &&
    is !== 'ExternalName' &&
    textAt(spec, 'clusterIP') === '' &&
    absent(spec, 'clusterIPs')
  ) {
    spec['clusterIP'] = before['clusterIP']
    if (!absent(before, 'clusterIPs')) spec['clusterIPs'] = before['clusterIPs']
  }
  if (needsNodePort(before) && needsNodePort(spec)) {
    const known = new Map(objectsAt(before, 'ports').map((port) => [portKey(port), port['nodePort']]))
    for (const port of objectsAt(spec, 'ports')) {
      const kept = known.get(portKey(port))
      if (absent(port, 'nodePort') && kept !== undefined) port['nodePort'] = kept
    }
  }
  if (needsHealthCheck(before) && needsHealthCheck(spec) && absent(spec, 'healthCheckNodePort')) {
    spec['healthCheckNodePort'] = before['healthCheckNodePort']
  }
}

function portKey(port: Json): string {
  return `${textAt(port, 'protocol')}/${numberAt(port, 'port') ?? 0}`
}

export function needsNodePort(spec: Json): boolean {
  return spec['type'] === 'NodePort' || spec['type'] === 'LoadBalancer'
}

export function needsHealthCheck(spec: Json): boolean {
  return spec['type'] === 'LoadBalancer' && spec['externalTrafficPolicy'] === 'Local'
}

export function externallyAccessible(spec: Json): boolean {
  return needsNodePort(spec) || (spec['type'] === 'ClusterIP' && textsAt(spec, 'externalIPs').length > 0)
}

/** What belongs to the old type goes when the type changes, unless the update changed it (`dropTypeDependentFields`). */
function dropTypeDependent(spec: Json, before: Json): void {
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
  if (oldIp === '' && ip !== '' && ips.length === 0) spec['clusterIPs'] = [ip]
  const sameIps = sameJson(ips, textsAt(before, 'clusterIPs'))
  if (oldIp !== '' && ip === '' && sameIps) delete spec['clusterIPs']
  else if (oldIp !== ip && ip !== '' && sameIps) spec['clusterIPs'] = [ip]
}

function families(spec: Json): void {
  const headless = textAt(spec, 'clusterIP') === 'None'
  const unselective = headless && Object.keys(textMapAt(spec, 'selector')).length === 0
  if (absent(spec, 'ipFamilyPolicy')) spec['ipFamilyPolicy'] = unselective ? 'RequireDualStack' : 'SingleStack'
  const families = [...textsAt(spec, 'ipFamilies')]
  if (families.length === 0) families.push('IPv4')
  if (unselective && families.length < 2 && spec['ipFamilyPolicy'] !== 'SingleStack') {
    families.push(families[0] === 'IPv4' ? 'IPv6' : 'IPv4')
  }
  spec['ipFamilies'] = families
}

function allocateIp(spec: Json, service: KubeObject, context: StrategyContext): void {
  if (textsAt(spec, 'clusterIPs').length > 0) return
  const used = new Set<string>()
  for (const other of others(service, context)) {
    for (const ip of textsAt(objectAt(other, 'spec'), 'clusterIPs')) used.add(ip)
  }
  for (let tries = 0; tries < ipCount * 4; tries++) {
    const ip = ipv4Text(firstIp + 2 + context.random(ipCount - 3))
    if (used.has(ip)) continue
    spec['clusterIP'] = ip
    spec['clusterIPs'] = [ip]
    return
  }
}

function allocatePorts(spec: Json, service: KubeObject, context: StrategyContext): void {
  const wantsPorts = needsNodePort(spec) && spec['allocateLoadBalancerNodePorts'] !== false
  const unset = wantsPorts ? objectsAt(spec, 'ports').filter((port) => (numberAt(port, 'nodePort') ?? 0) === 0) : []
  const health = needsHealthCheck(spec) && (numberAt(spec, 'healthCheckNodePort') ?? 0) === 0
  if (unset.length === 0 && !health) return
  const used = usedNodePorts(others(service, context))
  for (const port of objectsAt(spec, 'ports')) used.add(numberAt(port, 'nodePort') ?? 0)
  const given = new Map<number, number>()
  for (const port of unset) {
    const number = numberAt(port, 'port') ?? 0
    const nodePort = given.get(number) ?? freePort(used, context)
    port['nodePort'] = nodePort
    given.set(number, nodePort)
  }
  if (health) spec['healthCheckNodePort'] = freePort(used, context)
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
export function* others(service: KubeObject, context: StrategyContext): Iterable<KubeObject> {
  for (const other of context.list('services')) {
    if (other.metadata.name !== service.metadata.name || other.metadata.namespace !== service.metadata.namespace) {
      yield other
    }
  }
}

export function usedNodePorts(services: Iterable<KubeObject>): Set<number> {
  const used = new Set<number>()
  for (const { spec } of services) {
    for (const port of objectsAt(spec as Json, 'ports')) used.add(numberAt(port, 'nodePort') ?? 0)
    used.add(numberAt(spec as Json, 'healthCheckNodePort') ?? 0)
  }
  used.delete(0)
  return used
}
