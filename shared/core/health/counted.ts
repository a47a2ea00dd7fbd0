import type { Health } from '../../model/health.ts'
import type { KubeObject } from '../../model/kubernetes.ts'
import { answer } from './answer.ts'
import { conditionsOf, count, isStale, objects, part, specOf, statusOf, text, type StatusCondition } from './facts.ts'

/** Argo CD `resource_customizations/policy/PodDisruptionBudget/health.lua`; too few pods may be meant. */
export function podDisruptionBudgetHealth(object: KubeObject): Health {
  const conditions = conditionsOf(object)
  const wrong = conditions.find(({ status, reason }) => status === 'False' && reason !== 'InsufficientPods')
  if (wrong !== undefined) return answer('Degraded', wrong.reason)
  return conditions.length === 0 ? answer('Progressing', 'it has no status yet') : answer('Healthy')
}

/** Knative's Service and KServe's InferenceService: all parts are ready, one says no, or it is not known yet. */
export function servingHealth(object: KubeObject): Health {
  const conditions = conditionsOf(object)
  const no = conditions.find(({ status }) => status === 'False')
  if (no !== undefined) return answer('Degraded', reasonOf(no))
  const open = conditions.find(({ status }) => status === 'Unknown')
  if (open !== undefined) return answer('Progressing', reasonOf(open))
  const ready = conditions.filter(({ type, status }) => status === 'True' && type.endsWith('Ready')).length
  return answer(ready >= 3 ? 'Healthy' : 'Progressing')
}

/** Argo CD `resource_customizations/operator.knative.dev/KnativeServing/health.lua`. */
export function knativeOperatorHealth(object: KubeObject): Health {
  const conditions = conditionsOf(object)
  if (conditions.length === 0) return answer('Progressing', 'it has no status yet')
  const open = conditions.find(
    ({ type, status }) => status === 'Unknown' || (type === 'DeploymentsAvailable' && status === 'False'),
  )
  if (open !== undefined) return answer('Progressing', reasonOf(open))
  const parts = ['Ready', 'InstallSucceeded', 'DependenciesInstalled', 'DeploymentsAvailable']
  const missing = parts.find((name) => !conditions.some(({ type, status }) => type === name && status === 'True'))
  return missing === undefined ? answer('Healthy') : answer('Degraded', `${missing} is not true`)
}

/** Argo CD `resource_customizations/k8s.mariadb.com`: every condition has to be true. */
export function mariaDbHealth(object: KubeObject): Health {
  const conditions = conditionsOf(object)
  const no = conditions.find(({ status }) => status === 'False')
  if (no !== undefined) return answer(no.reason === 'Failed' ? 'Degraded' : 'Progressing', no.message)
  return conditions.length === 0 ? answer('Progressing', 'it has no status yet') : answer('Healthy')
}

/** Argo CD `resource_customizations/elasticsearch.k8s.elastic.co/Elasticsearch/health.lua`. */
export function elasticsearchHealth(object: KubeObject): Health {
  const { availableNodes, phase, health } = statusOf(object)
  if (availableNodes === undefined) return answer('Unknown', 'it has no status yet')
  const nodes = objects(specOf(object)['nodeSets']).reduce((sum, set) => sum + count(set['count']), 0)
  if (count(availableNodes) < nodes)
    return answer('Progressing', `${count(availableNodes)} of ${nodes} nodes are there`)
  if (phase === 'ApplyingChanges' || phase === 'MigratingData') return answer('Progressing', phase)
  if (phase === 'Invalid') return answer('Degraded', phase)
  if (phase !== 'Ready') return answer('Unknown', text(phase))
  if (health === 'green') return answer('Healthy')
  return health === 'yellow' || health === 'red' ? answer('Degraded', `it is ${health}`) : answer('Unknown')
}

/** Argo CD `resource_customizations/kubevirt.io/VirtualMachine/health.lua`. */
export function virtualMachineHealth(object: KubeObject): Health {
  const conditions = conditionsOf(object)
  const word = text(statusOf(object)['printableStatus'])
  if (conditions.some(({ type, status }) => type === 'Paused' && status === 'True'))
    return answer('Suspended', 'Paused')
  const ready = conditions.find(({ type }) => type === 'Ready')
  if (ready === undefined) return answer('Progressing', word)
  if (ready.status === 'True') return answer('Healthy', word || 'Running')
  return statusOf(object)['created'] === true
    ? answer('Progressing', word || 'Starting')
    : answer('Suspended', word || 'Stopped')
}

/** Argo CD `resource_customizations/networking.gke.io/ManagedCertificate/health.lua`. */
export function managedCertificateHealth(object: KubeObject): Health {
  const { domainStatus, certificateStatus } = statusOf(object)
  if (objects(domainStatus).some(({ status }) => status === 'FailedNotVisible'))
    return answer('Degraded', 'one of its certificates could not be had')
  return certificateStatus === 'Active' ? answer('Healthy') : answer('Progressing')
}

/** Argo CD `resource_customizations/cluster.x-k8s.io/MachineDeployment/health.lua`. */
export function machineDeploymentHealth(object: KubeObject): Health {
  if (specOf(object)['paused'] === true) return answer('Suspended', 'it is paused')
  const { phase, replicas, updatedReplicas, readyReplicas } = statusOf(object)
  if (phase === 'Failed') return answer('Degraded', phase)
  const all = count(updatedReplicas) === count(replicas) && count(readyReplicas) === count(replicas)
  return phase === 'Running' && all ? answer('Healthy') : answer('Progressing', text(phase))
}

/** Argo CD `resource_customizations/sparkoperator.k8s.io/SparkApplication/health.lua`. */
export function sparkApplicationHealth(object: KubeObject): Health {
  const { state, errorMessage } = part(object, 'status', 'applicationState')
  switch (state) {
    case 'COMPLETED':
      return answer('Healthy', state)
    case 'FAILED':
    case 'SUBMISSION_FAILED':
    case 'FAILING':
      return answer('Degraded', text(errorMessage))
    case 'INVALIDATING':
      return answer('Missing', state)
    case 'RUNNING': {
      const executors = Object.values(part(object, 'status', 'executorState'))
      const wanted = count(part(object, 'spec', 'executor')['instances'])
      const runs = executors.filter((one) => one === 'RUNNING').length
      return executors.length > 0 && runs === wanted ? answer('Healthy', state) : answer('Progressing', state)
    }
    default:
      return answer('Progressing', text(state))
  }
}

/** Argo CD `resource_customizations/numaflow.numaproj.io`. */
export function numaflowHealth(object: KubeObject): Health {
  const status = statusOf(object)
  if (isStale(object) || Object.keys(status).length === 0) return answer('Progressing', 'it has no status yet')
  const failedUpgrade = object.metadata.labels?.['numaplane.numaproj.io/progressive-result-state'] === 'failed'
  if (status['phase'] === 'Failed' || failedUpgrade) return answer('Degraded', text(status['message']))
  if (conditionsOf(object).some((condition) => condition.status === 'False')) return answer('Degraded')
  const well = status['phase'] === 'Running' || status['phase'] === 'Paused' || status['phase'] === 'Pausing'
  return answer(well ? 'Healthy' : 'Progressing', text(status['phase']))
}

function reasonOf({ type, message, reason }: StatusCondition): string {
  return `${type}: ${message || reason}`
}
