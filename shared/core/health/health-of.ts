import type { Health } from '../../model/health.ts'
import { groupKindKey, gvkOf, type KubeObject } from '../../model/kubernetes.ts'
import { answer } from './answer.ts'
import { apiServiceHealth } from './api-service.ts'
import { healthByConditions } from './by-conditions.ts'
import { customRule } from './custom-rules.ts'
import { cronJobHealth } from './cron-job.ts'
import { customResourceDefinitionHealth } from './custom-resource-definition.ts'
import { daemonSetHealth } from './daemon-set.ts'
import { deploymentHealth } from './deployment.ts'
import { hasHookFinalizer } from './hook.ts'
import { horizontalPodAutoscalerHealth } from './horizontal-pod-autoscaler.ts'
import { jobHealth } from './job.ts'
import { persistentVolumeClaimHealth } from './persistent-volume-claim.ts'
import { podHealth } from './pod.ts'
import { replicaSetHealth } from './replica-set.ts'
import { ingressHealth, serviceHealth } from './service.ts'
import { statefulSetHealth } from './stateful-set.ts'
import { workflowHealth } from './workflow.ts'

/**
 * Every kind that Argo CD judges in Go, `group|Kind`. Kinds beside these are judged as its scripts do, and where there is none
 * by their conditions.
 */
const RULES: ReadonlyMap<string, (object: KubeObject) => Health> = new Map([
  ['apps|Deployment', deploymentHealth],
  ['apps|StatefulSet', statefulSetHealth],
  ['apps|DaemonSet', daemonSetHealth],
  ['apps|ReplicaSet', replicaSetHealth],
  ['|Pod', podHealth],
  ['|Service', serviceHealth],
  ['networking.k8s.io|Ingress', ingressHealth],
  ['extensions|Ingress', ingressHealth],
  ['|PersistentVolumeClaim', persistentVolumeClaimHealth],
  ['batch|Job', jobHealth],
  ['batch|CronJob', cronJobHealth],
  ['autoscaling|HorizontalPodAutoscaler', horizontalPodAutoscalerHealth],
  ['apiregistration.k8s.io|APIService', apiServiceHealth],
  ['apiextensions.k8s.io|CustomResourceDefinition', customResourceDefinitionHealth],
  ['argoproj.io|Workflow', workflowHealth],
])

/** How an object is, by whatever rules. */
export type JudgeHealth = (object: KubeObject) => Health | undefined

/** How a live object is. Undefined where health means nothing for its kind: a ConfigMap is there, and that is all. */
export function healthOf(object: KubeObject): Health | undefined {
  if (object.metadata.deletionTimestamp !== undefined && !hasHookFinalizer(object)) {
    return answer('Progressing', 'Pending deletion')
  }
  const gvk = gvkOf(object)
  const key = groupKindKey(gvk)
  const rule = RULES.get(key) ?? customRule(key, gvk.group)
  return rule === undefined ? healthByConditions(object) : rule(object)
}

/** Whether a person asked that an object's health does not count for its application (Argo CD `docs/operator-manual/health.md`). */
export function ignoresHealthCheck(object: KubeObject): boolean {
  return object.metadata.annotations?.['argocd.argoproj.io/ignore-healthcheck'] === 'true'
}
