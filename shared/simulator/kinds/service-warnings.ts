import type { KubeObject } from '../object.ts'
import type { Json } from './json.ts'
import { objectAt, textAt, textsAt } from './json.ts'
import { isHeadlessClusterIp } from './service-traits.ts'
import { cidrWarnings, ipWarnings } from './network-warnings.ts'

/** What the server warns about in a service (`GetWarningsForService`). */
export function serviceWarnings(o: KubeObject): string[] {
  const spec = objectAt(o, 'spec') ?? {}
  const hints = 'service.kubernetes.io/topology-aware-hints'
  const mode = 'service.kubernetes.io/topology-mode'
  const ips = textsAt(spec, 'clusterIPs')
  const ipSet = textAt(spec, 'clusterIP') !== '' && textAt(spec, 'clusterIP') !== 'None'
  const external = textsAt(spec, 'externalIPs')
  const balancer = textAt(spec, 'loadBalancerIP')
  return [
    ...(o.metadata.annotations?.[hints] === undefined
      ? []
      : [`annotation ${hints} is deprecated, please use ${mode} instead`]),
    ...(ipSet ? ips.flatMap((ip, i) => ipWarnings(ip, `spec.clusterIPs[${i}]`)) : []),
    ...headlessWarnings(spec),
    ...external.flatMap((ip, i) => ipWarnings(ip, `spec.externalIPs[${i}]`)),
    ...(external.length > 0 && !isHeadlessClusterIp(spec) && spec['type'] !== 'ExternalName'
      ? ['spec.externalIPs is deprecated and may no longer be implemented in some clusters']
      : []),
    ...(balancer === '' ? [] : ipWarnings(balancer, 'spec.loadBalancerIP')),
    ...textsAt(spec, 'loadBalancerSourceRanges').flatMap((range, i) =>
      cidrWarnings(range, `spec.loadBalancerSourceRanges[${i}]`),
    ),
    ...nameWarnings(spec),
  ]
}

function headlessWarnings(spec: Json): string[] {
  if (!isHeadlessClusterIp(spec)) return []
  const ignored = [
    ...(textAt(spec, 'loadBalancerIP') === '' ? [] : ['spec.loadBalancerIP']),
    ...(textsAt(spec, 'externalIPs').length === 0 ? [] : ['spec.externalIPs']),
    ...(spec['sessionAffinity'] === 'None' ? [] : ['spec.SessionAffinity']),
  ]
  return ignored.map((field) => `${field} is ignored for headless services`)
}

function nameWarnings(spec: Json): string[] {
  const named = spec['type'] === 'ExternalName'
  const close = 'PreferClose'
  return [
    ...(named && textsAt(spec, 'externalIPs').length > 0
      ? ['spec.externalIPs is ignored when spec.type is "ExternalName"']
      : []),
    ...(!named && textAt(spec, 'externalName') !== ''
      ? ['spec.externalName is ignored when spec.type is not "ExternalName"']
      : []),
    ...(spec['trafficDistribution'] === close
      ? [`spec.trafficDistribution: "${close}" is deprecated; use "PreferSameZone"`]
      : []),
  ]
}
