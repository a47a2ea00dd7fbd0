import type { StructDefault } from './defaults.ts'
import type { Json } from './json.ts'
import {
  absent,
  ensureObject,
  goContainer,
  objectAt,
  objectsAt,
  setAbsent,
  setZero,
  textAt,
  textMapAt,
} from './json.ts'

function deploymentSpec(o: Json): void {
  setAbsent(o, 'replicas', 1)
  const strategy = ensureObject(o, 'strategy')
  setZero(strategy, 'type', 'RollingUpdate')
  if (strategy['type'] === 'RollingUpdate') {
    const rolling = ensureObject(strategy, 'rollingUpdate')
    setAbsent(rolling, 'maxUnavailable', '25%')
    setAbsent(rolling, 'maxSurge', '25%')
  }
  setAbsent(o, 'revisionHistoryLimit', 10)
  setAbsent(o, 'progressDeadlineSeconds', 600)
}

/** The annotation in which apps/v1 keeps a field of older versions; reading an object always yields it. */
export const templateGeneration = 'deprecated.daemonset.template.generation'

function daemonSetSpec(o: Json): void {
  const strategy = ensureObject(o, 'updateStrategy')
  setZero(strategy, 'type', 'RollingUpdate')
  if (strategy['type'] === 'RollingUpdate') {
    const rolling = ensureObject(strategy, 'rollingUpdate')
    setAbsent(rolling, 'maxUnavailable', 1)
    setAbsent(rolling, 'maxSurge', 0)
  }
  setAbsent(o, 'revisionHistoryLimit', 10)
}

function statefulSetSpec(o: Json): void {
  setZero(o, 'podManagementPolicy', 'OrderedReady')
  const strategy = ensureObject(o, 'updateStrategy')
  if (textAt(strategy, 'type') === '') {
    strategy['type'] = 'RollingUpdate'
    setAbsent(strategy, 'rollingUpdate', {})
  }
  const rolling = objectAt(strategy, 'rollingUpdate')
  if (strategy['type'] === 'RollingUpdate' && rolling) setAbsent(rolling, 'partition', 0)
  const retention = ensureObject(o, 'persistentVolumeClaimRetentionPolicy')
  setZero(retention, 'whenDeleted', 'Retain')
  setZero(retention, 'whenScaled', 'Retain')
  setAbsent(o, 'replicas', 1)
  setAbsent(o, 'revisionHistoryLimit', 10)
  for (const claim of objectsAt(o, 'volumeClaimTemplates')) {
    setZero(claim, 'apiVersion', 'v1')
    setZero(claim, 'kind', 'PersistentVolumeClaim')
  }
}

function job(o: Json): void {
  const spec = ensureObject(o, 'spec')
  jobSpecOfJob(spec)
  const labels = textMapAt(objectAt(objectAt(spec, 'template'), 'metadata'), 'labels')
  if (Object.keys(labels).length > 0) setAbsent(ensureObject(o, 'metadata'), 'labels', { ...labels })
}

function jobSpecOfJob(spec: Json): void {
  if (absent(spec, 'completions') && absent(spec, 'parallelism')) spec['completions'] = 1
  setAbsent(spec, 'parallelism', 1)
  setAbsent(spec, 'backoffLimit', absent(spec, 'backoffLimitPerIndex') ? 6 : 2 ** 31 - 1)
  setAbsent(spec, 'completionMode', 'NonIndexed')
  setAbsent(spec, 'suspend', false)
  setAbsent(spec, 'podReplacementPolicy', absent(spec, 'podFailurePolicy') ? 'TerminatingOrFailed' : 'Failed')
  setAbsent(spec, 'manualSelector', false)
}

function cronJobSpec(o: Json): void {
  setZero(o, 'concurrencyPolicy', 'Allow')
  setAbsent(o, 'suspend', false)
  setAbsent(o, 'successfulJobsHistoryLimit', 3)
  setAbsent(o, 'failedJobsHistoryLimit', 1)
}

const scaleUp: Json = {
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max',
  policies: [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ],
}
const scaleDown: Json = { selectPolicy: 'Max', policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }] }

function autoscalerSpec(o: Json): void {
  setAbsent(o, 'minReplicas', 1)
  if (objectsAt(o, 'metrics').length === 0) {
    const target = { type: 'Utilization', averageUtilization: 80 }
    o['metrics'] = [{ type: 'Resource', resource: { name: 'cpu', target } }]
  }
  const behavior = objectAt(o, 'behavior')
  if (!behavior) return
  behavior['scaleUp'] = scalingRules(scaleUp, objectAt(behavior, 'scaleUp'))
  behavior['scaleDown'] = scalingRules(scaleDown, objectAt(behavior, 'scaleDown'))
}

/** A list of policies that was given empty stays so, and is refused. */
function scalingRules(defaults: Json, given: Json | undefined): Json {
  const { policies, ...rest } = structuredClone(defaults)
  const own = goContainer(given, 'policies')
  return { ...rest, ...(own === null ? { policies } : {}), ...given }
}

function networkPolicySpec(o: Json): void {
  if (Array.isArray(o['policyTypes']) && o['policyTypes'].length > 0) return
  o['policyTypes'] = objectsAt(o, 'egress').length > 0 ? ['Ingress', 'Egress'] : ['Ingress']
}

const rbacGroup = 'rbac.authorization.k8s.io'
const roleRef: StructDefault = (o) => setZero(o, 'apiGroup', rbacGroup)

function subject(o: Json): void {
  if (o['kind'] === 'User' || o['kind'] === 'Group') setZero(o, 'apiGroup', rbacGroup)
}

function csiDriverSpec(o: Json): void {
  setAbsent(o, 'attachRequired', true)
  setAbsent(o, 'podInfoOnMount', false)
  setAbsent(o, 'storageCapacity', false)
  setAbsent(o, 'fsGroupPolicy', 'ReadWriteOnceWithFSType')
  setAbsent(o, 'volumeLifecycleModes', ['Persistent'])
  setAbsent(o, 'requiresRepublish', false)
  setAbsent(o, 'seLinuxMount', false)
}

function selection(o: Json): void {
  setAbsent(o, 'matchPolicy', 'Equivalent')
  setAbsent(o, 'namespaceSelector', {})
  setAbsent(o, 'objectSelector', {})
}

function webhook(o: Json): void {
  setAbsent(o, 'failurePolicy', 'Fail')
  selection(o)
  setAbsent(o, 'timeoutSeconds', 10)
}

const failurePolicy: StructDefault = (o) => setAbsent(o, 'failurePolicy', 'Fail')
const scope: StructDefault = (o) => setAbsent(o, 'scope', '*')
const httpsPort: StructDefault = (o) => setAbsent(o, 'port', 443)

function deviceRequest(o: Json): void {
  setZero(o, 'allocationMode', 'ExactCount')
  if (o['allocationMode'] === 'ExactCount') setZero(o, 'count', 1)
}

function queuing(o: Json): void {
  setZero(o, 'queues', 64)
  setZero(o, 'handSize', 8)
  setZero(o, 'queueLengthLimit', 50)
}

/** By Go struct, after the `defaults.go` of every group but core. */
export const otherDefaults: Readonly<Record<string, StructDefault>> = {
  'admissionregistration/v1.MatchResources': selection,
  'admissionregistration/v1.MutatingAdmissionPolicySpec': failurePolicy,
  'admissionregistration/v1.MutatingWebhook': (o) => {
    webhook(o)
    setAbsent(o, 'reinvocationPolicy', 'Never')
  },
  'admissionregistration/v1.NamedRuleWithOperations': scope,
  'admissionregistration/v1.RuleWithOperations': scope,
  'admissionregistration/v1.ServiceReference': httpsPort,
  'admissionregistration/v1.ValidatingAdmissionPolicySpec': failurePolicy,
  'admissionregistration/v1.ValidatingWebhook': webhook,
  'apiregistration/v1.ServiceReference': httpsPort,
  'apps/v1.DaemonSet': (o) => {
    setAbsent(ensureObject(ensureObject(o, 'metadata'), 'annotations'), templateGeneration, '0')
  },
  'apps/v1.DaemonSetSpec': daemonSetSpec,
  'apps/v1.DeploymentSpec': deploymentSpec,
  'apps/v1.ReplicaSetSpec': (o) => setAbsent(o, 'replicas', 1),
  'apps/v1.StatefulSetSpec': statefulSetSpec,
  'autoscaling/v1.HorizontalPodAutoscalerSpec': (o) => setAbsent(o, 'minReplicas', 1),
  'autoscaling/v2.HorizontalPodAutoscalerSpec': autoscalerSpec,
  'batch/v1.CronJobSpec': cronJobSpec,
  'batch/v1.Job': job,
  'batch/v1.PodFailurePolicyOnPodConditionsPattern': (o) => setZero(o, 'status', 'True'),
  'discovery/v1.EndpointPort': (o) => {
    setAbsent(o, 'name', '')
    setAbsent(o, 'protocol', 'TCP')
  },
  'flowcontrol/v1.ExemptPriorityLevelConfiguration': (o) => {
    setAbsent(o, 'nominalConcurrencyShares', 0)
    setAbsent(o, 'lendablePercent', 0)
  },
  'flowcontrol/v1.FlowSchemaSpec': (o) => setZero(o, 'matchingPrecedence', 1000),
  'flowcontrol/v1.LimitedPriorityLevelConfiguration': (o) => {
    setAbsent(o, 'nominalConcurrencyShares', 30)
    setAbsent(o, 'lendablePercent', 0)
  },
  'flowcontrol/v1.QueuingConfiguration': queuing,
  'networking/v1.IngressClassSpec': (o) => {
    const parameters = objectAt(o, 'parameters')
    if (parameters) setAbsent(parameters, 'scope', 'Cluster')
  },
  'networking/v1.NetworkPolicyPort': (o) => setAbsent(o, 'protocol', 'TCP'),
  'networking/v1.NetworkPolicySpec': networkPolicySpec,
  'rbac/v1.RoleRef': roleRef,
  'rbac/v1.Subject': subject,
  'resource/v1.DeviceSubRequest': deviceRequest,
  'resource/v1.ExactDeviceRequest': deviceRequest,
  'scheduling/v1.PriorityClass': (o) => setAbsent(o, 'preemptionPolicy', 'PreemptLowerPriority'),
  'storage/v1.CSIDriverSpec': csiDriverSpec,
  'storage/v1.StorageClass': (o) => {
    setAbsent(o, 'reclaimPolicy', 'Delete')
    setAbsent(o, 'volumeBindingMode', 'Immediate')
  },
}
