import type { Health } from '../../model/health.ts'
import type { KubeObject } from '../../model/kubernetes.ts'
import { answer } from './answer.ts'
import { conditionsOf, count, statusOf, wanted } from './facts.ts'

const WITHOUT_STATUS: ReadonlySet<string> = new Set([
  'Composition',
  'CompositionRevision',
  'DeploymentRuntimeConfig',
  'ClusterProviderConfig',
  'ProviderConfig',
  'ProviderConfigUsage',
  'ControllerConfig',
])
const WELL: ReadonlySet<string> = new Set([
  'Ready',
  'Healthy',
  'Offered',
  'Established',
  'ValidPipeline',
  'RevisionHealthy',
])

/** Crossplane's kinds and its providers', by Argo CD `resource_customizations/_.crossplane.io/_/health.lua`. */
export function crossplaneHealth(object: KubeObject): Health {
  const status = statusOf(object)
  if (Object.keys(status).length === 0) {
    const none = object['status'] === undefined || WITHOUT_STATUS.has(object.kind)
    return none ? answer('Healthy') : answer('Progressing')
  }
  if (status['conditions'] === undefined && object.kind.endsWith('ProviderConfig') && status['users'] !== undefined)
    return answer('Healthy', 'it is in use')
  for (const { type, status: is, message } of conditionsOf(object)) {
    if ((type === 'LastAsyncOperation' || type === 'Synced') && is === 'False') return answer('Degraded', message)
    if (WELL.has(type) && is === 'True') return answer('Healthy')
  }
  return answer('Progressing')
}

/** Google's Config Connector, by Argo CD `resource_customizations/_.cnrm.cloud.google.com/_/health.lua`. */
export function configConnectorHealth(object: KubeObject): Health {
  const status = statusOf(object)
  const observed = wanted(status['observedGeneration'])
  if (observed !== undefined && observed !== count(object.metadata.generation)) return answer('Progressing')
  if (object.kind.startsWith('ConfigConnector') && status['healthy'] !== undefined)
    return answer(status['healthy'] === true ? 'Healthy' : 'Degraded')
  for (const { status: is, reason, message } of conditionsOf(object)) {
    if (reason === 'UpToDate' && is === 'True') return answer('Healthy', message)
    if (reason === 'UpdateFailed' || reason === 'DependencyNotFound') return answer('Degraded', message)
    if (reason === 'DependencyNotReady') return answer('Suspended', message)
  }
  return answer('Progressing')
}

/** AWS Controllers for Kubernetes, by Argo CD `resource_customizations/_.services.k8s.aws/_/health.lua`. */
export function awsControllerHealth(object: KubeObject): Health {
  for (const { type, status: is, message } of conditionsOf(object)) {
    if (type === 'ACK.Terminal' && is === 'True') return answer('Degraded', message)
    if (type === 'Ready' && is === 'False') return answer('Progressing', message)
    if (type === 'Ready' && is === 'True') return answer('Healthy')
  }
  return answer('Progressing')
}
