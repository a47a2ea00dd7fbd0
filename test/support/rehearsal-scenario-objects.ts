import { setTimeout } from 'node:timers/promises'
import type { Scenario } from './rehearsal-scenario.ts'

type Meanwhile = NonNullable<Scenario['meanwhile']>

export const claim = {
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'data' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
}
export const secret = (value: string): object => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'login' },
  stringData: { user: 'ada', password: value },
})
const template = (image: string): object => ({
  metadata: { labels: { app: 'own' } },
  spec: { containers: [{ name: 'main', image }] },
})
export const statefulSet = (size: string, image = 'redis:7'): object => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: 'own' },
  spec: {
    serviceName: 'own',
    replicas: 2,
    selector: { matchLabels: { app: 'own' } },
    template: template(image),
    volumeClaimTemplates: [
      { metadata: { name: 'data' }, spec: { ...claim.spec, resources: { requests: { storage: size } } } },
    ],
  },
})
export const daemonSet = (image: string): object => ({
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: 'own' },
  spec: { selector: { matchLabels: { app: 'own' } }, template: template(image) },
})
export const budget = (minAvailable: number): object => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: 'guestbook-ui' },
  spec: { minAvailable, selector: { matchLabels: { app: 'guestbook-ui' } } },
})
export const definition = (name: string): object => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${name}s.truth.example.com` },
  spec: {
    group: 'truth.example.com',
    scope: 'Namespaced',
    names: { kind: name[0]?.toUpperCase() + name.slice(1), plural: `${name}s`, singular: name },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', properties: { size: { type: 'integer', maximum: 5 } } } },
          },
        },
      },
    ],
  },
})
export const custom = (name: string, size: number): object => ({
  apiVersion: 'truth.example.com/v1',
  kind: name[0]?.toUpperCase() + name.slice(1),
  metadata: { name: 'one' },
  spec: { size },
})

export const quota = (hard: Readonly<Record<string, string>>): Meanwhile => {
  return async ({ namespace, send }) => {
    const metadata = { name: 'small' }
    const body = { apiVersion: 'v1', kind: 'ResourceQuota', metadata, spec: { hard } }
    await send('POST', `/api/v1/namespaces/${namespace}/resourcequotas`, body)
    // The quota counts once its controller has taken it up.
    await setTimeout(1500)
  }
}

/** A webhook that nobody answers, for some objects of the namespace. */
export const webhook = (resources: readonly string[], name: string): Meanwhile => {
  return async ({ namespace, send }) => {
    const clientConfig = { url: 'https://127.0.0.1:1/never' }
    const rules = [{ operations: ['CREATE', 'UPDATE'], apiGroups: ['*'], apiVersions: ['*'], resources }]
    const namespaceSelector = { matchLabels: { 'kubernetes.io/metadata.name': namespace } }
    const hooks = [
      {
        name: `${name}.truth.example.com`,
        clientConfig,
        rules,
        namespaceSelector,
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        timeoutSeconds: 2,
      },
    ]
    const body = {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: `${namespace}-${name}` },
      webhooks: hooks,
    }
    await send('POST', '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', body)
    await setTimeout(1500)
  }
}

export function specOf(object: object): object {
  return (object as { readonly spec: object }).spec
}

export function slow(object: object): object {
  return { ...specOf(object), progressDeadlineSeconds: 4 }
}
