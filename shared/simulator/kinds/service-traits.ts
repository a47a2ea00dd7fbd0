import { sameJson } from '../object.ts'
import type { Json } from './json.ts'
import { textAt, textsAt } from './json.ts'

/** What the type and policies of a service's spec mean for its other fields. */

export function needsNodePort(spec: Json): boolean {
  return spec['type'] === 'NodePort' || spec['type'] === 'LoadBalancer'
}

export function needsHealthCheck(spec: Json): boolean {
  return spec['type'] === 'LoadBalancer' && spec['externalTrafficPolicy'] === 'Local'
}

export function externallyAccessible(spec: Json): boolean {
  return needsNodePort(spec) || (spec['type'] === 'ClusterIP' && textsAt(spec, 'externalIPs').length > 0)
}

export function isHeadless(spec: Json): boolean {
  return sameJson(spec['clusterIPs'], ['None'])
}

/** Headless as warnings see it, of type ClusterIP alone. */
export function isHeadlessClusterIp(spec: Json): boolean {
  return textAt(spec, 'type') === 'ClusterIP' && textAt(spec, 'clusterIP') === 'None'
}
