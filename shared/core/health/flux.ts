import type { Health } from '../../model/health.ts'
import type { KubeObject } from '../../model/kubernetes.ts'
import { answer } from './answer.ts'
import { conditionsOf, specOf } from './facts.ts'

/**
 * Flux's kinds, by Argo CD `resource_customizations/*.toolkit.fluxcd.io`: suspended, ready with what it must have brought,
 * on its way, or degraded.
 */
function fluxHealth(object: KubeObject, brings: readonly string[]): Health {
  const spec = specOf(object)
  if (spec['suspend'] === true) return answer('Suspended', `${object.kind} is suspended`)
  // Repositories of charts in registries have no status.
  if (object.kind === 'HelmRepository' && spec['type'] === 'oci') return answer('Healthy')
  const conditions = conditionsOf(object)
  if (conditions.length === 0) return answer('Progressing', 'it has no status yet')
  const is = (name: string, status: string): boolean =>
    conditions.some((condition) => condition.type === name && condition.status === status)
  const message = conditions.find(({ type }) => type === 'Ready')?.reason ?? ''
  if (is('Ready', 'Unknown') && is('Reconciling', 'True')) return answer('Progressing', message)
  const brought = brings.length === 0 || brings.some((name) => is(name, 'True'))
  return answer(is('Ready', 'True') && brought ? 'Healthy' : 'Degraded', message)
}

export function fluxSourceHealth(object: KubeObject): Health {
  return fluxHealth(object, ['ArtifactInStorage'])
}

export function fluxReleaseHealth(object: KubeObject): Health {
  return fluxHealth(object, ['Released', 'TestSuccess'])
}

export function fluxReadyHealth(object: KubeObject): Health {
  return fluxHealth(object, [])
}

/** Images that are being looked for are not ready meanwhile. */
export function fluxImageHealth(object: KubeObject): Health {
  const conditions = conditionsOf(object)
  const ready = conditions.find(({ type }) => type === 'Ready')
  const scans = conditions.some(
    ({ type, status, reason }) => type === 'Reconciling' && status === 'True' && SCANS.has(reason),
  )
  return ready?.status === 'False' && scans && specOf(object)['suspend'] !== true
    ? answer('Progressing', ready.reason)
    : fluxHealth(object, [])
}

const SCANS: ReadonlySet<string> = new Set(['NewGeneration', 'Scanning', 'AccessingRepository', 'ApplyingPolicy'])
