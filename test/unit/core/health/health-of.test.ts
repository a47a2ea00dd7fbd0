import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { load } from 'js-yaml'
import { healthOf, ignoresHealthCheck } from '../../../../shared/core/health/health-of.ts'
import type { HealthCode } from '../../../../shared/model/health.ts'
import { isKubeObject, type KubeObject } from '../../../../shared/model/kubernetes.ts'
import type { Json } from '../../../../shared/model/json.ts'

const FOLDER = new URL('../../../fixtures/health/', import.meta.url)

function read(name: string): KubeObject {
  const object = load(readFileSync(new URL(`${name}.yaml`, FOLDER), 'utf8')) as Json
  assert.ok(isKubeObject(object), name)
  return object
}

const CASES: readonly (readonly [fixture: string, status: HealthCode | undefined, message?: string])[] = [
  ['deployment-healthy', 'Healthy'],
  ['deployment-suspended', 'Suspended', 'its rollout is paused'],
  ['deployment-stale', 'Progressing', 'the newest spec has not been observed yet'],
  ['deployment-new', 'Progressing', 'the newest spec has not been observed yet'],
  ['deployment-deadline', 'Degraded', 'ReplicaSet "web-7d9f" has timed out progressing.'],
  ['deployment-updating', 'Progressing', '1 of 4 pods are updated'],
  ['deployment-ending-old', 'Progressing', '1 old pod has yet to end'],
  ['deployment-unavailable', 'Progressing', '3 of 4 updated pods are available'],
  ['deployment-scaled-to-zero', 'Healthy'],
  ['deployment-deleting', 'Progressing', 'Pending deletion'],
  ['statefulset-healthy', 'Healthy'],
  ['statefulset-unobserved', 'Progressing'],
  ['statefulset-stale', 'Progressing'],
  ['statefulset-unready', 'Progressing', '2 of 3 pods are ready'],
  ['statefulset-partition-waiting', 'Progressing', '1 of 2 pods above the partition are updated'],
  ['statefulset-partition-done', 'Healthy'],
  ['statefulset-ondelete', 'Healthy'],
  ['statefulset-rolling', 'Progressing', '1 pod is at revision db-2'],
  ['daemonset-healthy', 'Healthy'],
  ['daemonset-stale', 'Progressing'],
  ['daemonset-ondelete', 'Healthy'],
  ['daemonset-updating', 'Progressing', '2 of 3 pods are updated'],
  ['daemonset-unavailable', 'Progressing', '2 of 3 pods are available'],
  ['replicaset-healthy', 'Healthy'],
  ['replicaset-stale', 'Progressing'],
  ['replicaset-failing', 'Degraded', 'exceeded quota'],
  ['replicaset-unavailable', 'Progressing', '1 of 2 pods are available'],
  ['pod-pending', 'Progressing'],
  ['pod-ready', 'Healthy'],
  ['pod-starting', 'Progressing'],
  ['pod-restarted', 'Degraded'],
  ['pod-crash-loop', 'Degraded', 'back-off 5m0s restarting failed container'],
  ['pod-image-missing', 'Degraded', 'no such image'],
  ['pod-config-error', 'Degraded', 'configmap "settings" not found'],
  ['pod-never-back-off', 'Progressing'],
  ['pod-never-running', 'Progressing'],
  ['pod-onfailure-running', 'Progressing'],
  ['pod-never-running-ignored-policy', 'Healthy'],
  ['pod-never-back-off-ignored-policy', 'Degraded', 'back-off'],
  ['pod-hook-ignored-policy', 'Progressing'],
  ['pod-succeeded', 'Healthy'],
  ['pod-failed', 'Degraded', 'container migrate ended with exit code 3'],
  ['pod-out-of-memory', 'Degraded', 'OOMKilled'],
  ['pod-evicted', 'Degraded', 'The node was low on resource'],
  ['pod-unknown', 'Unknown'],
  ['pod-deleting', 'Progressing', 'Pending deletion'],
  ['pod-hook-deleting', 'Healthy'],
  ['service-cluster-ip', 'Healthy'],
  ['service-load-balancer-waiting', 'Progressing'],
  ['service-load-balancer-ready', 'Healthy'],
  ['ingress-waiting', 'Progressing'],
  ['ingress-ready', 'Healthy'],
  ['pvc-bound', 'Healthy'],
  ['pvc-lost', 'Degraded'],
  ['pvc-provisioning', 'Progressing'],
  ['pvc-waiting-for-consumer', 'Healthy', 'Waiting for consumer'],
  ['pvc-new', 'Unknown'],
  ['job-running', 'Progressing'],
  ['job-complete', 'Healthy'],
  ['job-failed', 'Degraded', 'Job has reached the specified backoff limit'],
  ['job-suspended', 'Suspended', 'Job suspended'],
  ['job-resumed', 'Healthy'],
  ['cronjob-suspended', 'Suspended'],
  ['cronjob-never-succeeded', 'Healthy', 'no run of it has succeeded yet; it may not be healthy'],
  ['cronjob-active', 'Healthy'],
  ['cronjob-failed', 'Degraded'],
  ['cronjob-succeeded', 'Healthy'],
  ['cronjob-unscheduled', 'Healthy'],
  ['cronjob-new', 'Progressing'],
  ['hpa-v2-healthy', 'Healthy', 'recommended size matches current size'],
  ['hpa-v2-no-scale', 'Degraded', 'deployments "web" not found'],
  ['hpa-v2-no-metric', 'Degraded', 'no metrics known for pods'],
  ['hpa-v2-limited', 'Healthy'],
  ['hpa-v2-new', 'Progressing'],
  ['hpa-v1-healthy', 'Healthy'],
  ['hpa-v1-no-metric', 'Degraded', 'no such metric'],
  ['hpa-v1-new', 'Progressing'],
  ['hpa-v1-broken-annotation', 'Unknown'],
  ['apiservice-available', 'Healthy', 'Passed: all checks passed'],
  ['apiservice-unavailable', 'Progressing', 'ServiceNotFound: no service'],
  ['apiservice-new', 'Progressing'],
  ['crd-established', 'Healthy'],
  ['crd-new', 'Progressing'],
  ['crd-names-taken', 'Degraded', 'its names are not accepted: plural is taken'],
  ['crd-not-established', 'Degraded'],
  ['crd-not-structural', 'Degraded'],
  ['crd-terminating', 'Progressing'],
  ['workflow-running', 'Progressing'],
  ['workflow-failed', 'Degraded', 'pod deleted'],
  ['workflow-succeeded', 'Healthy'],
  ['application-degraded', undefined],
  ['configmap-plain', undefined],
  ['configmap-deleting', 'Progressing', 'Pending deletion'],
  ['custom-ready', 'Healthy', 'Certificate is up to date'],
  ['custom-not-ready', 'Degraded', 'DoesNotExist'],
  ['custom-issuing', 'Progressing', 'issuing as secret does not exist'],
  ['custom-ready-unknown', 'Progressing'],
  ['custom-stalled', 'Degraded', 'path not found'],
  ['custom-stale', 'Progressing'],
  ['custom-condition-stale', 'Progressing'],
  ['custom-available-and-degraded', 'Degraded', '1 node'],
  ['custom-available-and-progressing', 'Healthy'],
  ['custom-paused', 'Suspended'],
  ['custom-creating', 'Progressing', 'Creating'],
  ['custom-incomplete', 'Progressing', '3 of 9 volumes'],
  ['custom-other-conditions', undefined],
  ['custom-nonsense', undefined],
]

for (const [fixture, status, message] of CASES) {
  test(`${fixture} is ${status ?? 'without a health'}`, () => {
    const health = healthOf(read(fixture))
    assert.equal(health?.status, status)
    if (message !== undefined) assert.equal(health?.message, message)
  })
}

test('every fixture is judged', () => {
  const files = readdirSync(FOLDER).map((file) => file.replace('.yaml', ''))
  assert.deepEqual(files.sort(), CASES.map(([name]) => name).sort())
})

test('an object asks by its annotation that its health is left out', () => {
  const object = read('deployment-deadline')
  const asked = { 'argocd.argoproj.io/ignore-healthcheck': 'true' }
  assert.equal(ignoresHealthCheck(object), false)
  assert.equal(ignoresHealthCheck({ ...object, metadata: { ...object.metadata, annotations: asked } }), true)
})
