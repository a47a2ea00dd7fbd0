import type { ResourceKey } from '../storage/store.ts'

/** A built-in resource as controllers address it. */
export interface Resource extends ResourceKey {
  readonly apiVersion: string
  readonly kind: string
  readonly namespaced: boolean
}

function resource(apiVersion: string, kind: string, plural: string, namespaced = true): Resource {
  const slash = apiVersion.indexOf('/')
  return { apiVersion, kind, group: slash < 0 ? '' : apiVersion.slice(0, slash), resource: plural, namespaced }
}

export const pods = resource('v1', 'Pod', 'pods')
export const nodes = resource('v1', 'Node', 'nodes', false)
export const services = resource('v1', 'Service', 'services')
export const endpoints = resource('v1', 'Endpoints', 'endpoints')
export const events = resource('v1', 'Event', 'events')
export const namespaces = resource('v1', 'Namespace', 'namespaces', false)
export const configMaps = resource('v1', 'ConfigMap', 'configmaps')
export const secrets = resource('v1', 'Secret', 'secrets')
export const serviceAccounts = resource('v1', 'ServiceAccount', 'serviceaccounts')
export const claims = resource('v1', 'PersistentVolumeClaim', 'persistentvolumeclaims')
export const volumes = resource('v1', 'PersistentVolume', 'persistentvolumes', false)
export const quotas = resource('v1', 'ResourceQuota', 'resourcequotas')
export const replicationControllers = resource('v1', 'ReplicationController', 'replicationcontrollers')
export const deployments = resource('apps/v1', 'Deployment', 'deployments')
export const replicaSets = resource('apps/v1', 'ReplicaSet', 'replicasets')
export const statefulSets = resource('apps/v1', 'StatefulSet', 'statefulsets')
export const daemonSets = resource('apps/v1', 'DaemonSet', 'daemonsets')
export const controllerRevisions = resource('apps/v1', 'ControllerRevision', 'controllerrevisions')
export const jobs = resource('batch/v1', 'Job', 'jobs')
export const cronJobs = resource('batch/v1', 'CronJob', 'cronjobs')
export const autoscalers = resource('autoscaling/v2', 'HorizontalPodAutoscaler', 'horizontalpodautoscalers')
export const budgets = resource('policy/v1', 'PodDisruptionBudget', 'poddisruptionbudgets')
export const endpointSlices = resource('discovery.k8s.io/v1', 'EndpointSlice', 'endpointslices')
export const storageClasses = resource('storage.k8s.io/v1', 'StorageClass', 'storageclasses', false)
export const clusterRoles = resource('rbac.authorization.k8s.io/v1', 'ClusterRole', 'clusterroles', false)
export const signingRequests = resource(
  'certificates.k8s.io/v1',
  'CertificateSigningRequest',
  'certificatesigningrequests',
  false,
)
