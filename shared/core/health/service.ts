import type { Health } from '../../model/health.ts'
import type { KubeObject } from '../../model/kubernetes.ts'
import { answer } from './answer.ts'
import { objects, part, specOf } from './facts.ts'

/** Argo CD `gitops-engine/pkg/health/health_service.go`. */
export function serviceHealth(object: KubeObject): Health {
  if (specOf(object)['type'] !== 'LoadBalancer' || hasAddress(object)) return answer('Healthy')
  return answer('Progressing', 'the load balancer has no address yet')
}

/** Argo CD `gitops-engine/pkg/health/health_ingress.go`. */
export function ingressHealth(object: KubeObject): Health {
  return hasAddress(object) ? answer('Healthy') : answer('Progressing', 'the ingress has no address yet')
}

function hasAddress(object: KubeObject): boolean {
  return objects(part(object, 'status', 'loadBalancer')['ingress']).length > 0
}
