import type { Health } from '../../model/health.ts'
import type { KubeObject } from '../../model/kubernetes.ts'
import { answer } from './answer.ts'
import { conditionsOf, isStale, statusOf, text } from './facts.ts'

/** Argo CD `resource_customizations/external-secrets.io/ClusterExternalSecret/health.lua`: the newest comes last. */
export function clusterExternalSecretHealth(object: KubeObject): Health {
  const last = conditionsOf(object).at(-1)
  if (last?.status !== 'True') return answer('Progressing', 'it has no status yet')
  switch (last.type) {
    case 'Ready':
      return answer('Healthy', last.message)
    case 'PartiallyReady':
    case 'NotReady':
      return answer('Degraded', last.message)
    default:
      return answer('Progressing')
  }
}

/** Argo CD `resource_customizations/services.cloud.sap.com/ServiceBinding/health.lua`. */
export function sapServiceHealth(object: KubeObject): Health {
  const conditions = conditionsOf(object)
  const failed = conditions.find(
    ({ type, status }) => (type === 'Succeeded' && status === 'False') || (type === 'Failed' && status === 'True'),
  )
  if (failed !== undefined) return answer('Degraded', failed.message)
  return statusOf(object)['conditions'] === undefined
    ? answer('Progressing', 'it has no status yet')
    : answer('Healthy')
}

/** Argo CD `resource_customizations/cluster.x-k8s.io/MachineHealthCheck/health.lua`. */
export function machineHealthCheckHealth(object: KubeObject): Health {
  const { currentHealthy, expectedMachines } = statusOf(object)
  if (currentHealthy === undefined) return answer('Progressing')
  return answer(currentHealthy === expectedMachines ? 'Healthy' : 'Degraded')
}

/** Argo CD `resource_customizations/grafana.integreatly.org/GrafanaDashboard/health.lua`: one that is not true is enough. */
export function grafanaPartHealth(object: KubeObject): Health {
  const conditions = conditionsOf(object)
  const no = conditions.find(({ status }) => status === 'False')
  if (no !== undefined) return answer('Degraded', no.message || no.reason)
  return answer(conditions.some(({ status }) => status === 'True') ? 'Healthy' : 'Progressing')
}

/**
 * Argo CD `resource_customizations/postgresql.cnpg.io/Database/health.lua`. A try that failed before the spec was ever
 * brought is tried again.
 */
export function cloudNativeDatabaseHealth(object: KubeObject): Health {
  const { applied, message } = statusOf(object)
  if (typeof applied !== 'boolean' || isStale(object)) return answer('Progressing', text(message))
  return answer(applied ? 'Healthy' : 'Degraded', text(message))
}
