import assert from 'node:assert/strict'
import test from 'node:test'
import type { KubeObject } from '../../../shared/model/kubernetes.ts'
import { isCalled, webhooksIn, type AdmissionTarget } from '../../../shared/rehearsal/webhooks.ts'

const rule = { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }
const configMap: AdmissionTarget = {
  apiVersion: 'v1',
  resource: 'configmaps',
  operation: 'CREATE',
  namespaced: true,
  object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'shop', labels: { team: 'a' } } },
  namespaceLabels: { stage: 'prod' },
}

function called(webhook: object, change: Partial<AdmissionTarget> = {}): boolean {
  const configuration = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'checks' },
    webhooks: [{ name: 'one.example.com', ...webhook }],
  } as unknown as KubeObject
  const [found] = webhooksIn([configuration])
  assert.ok(found)
  return isCalled(found, { ...configMap, ...change })
}

test('a webhook is called for what its rules and selectors say (k8s.io/apiserver webhook/predicates)', () => {
  const cases: readonly (readonly [string, object, Partial<AdmissionTarget>, boolean])[] = [
    ['its rule', { rules: [rule] }, {}, true],
    ['another operation', { rules: [rule] }, { operation: 'UPDATE' }, false],
    ['another resource', { rules: [rule] }, { resource: 'secrets' }, false],
    [
      'everything',
      { rules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*'] }] },
      {},
      true,
    ],
    ['cluster scope only', { rules: [{ ...rule, scope: 'Cluster' }] }, {}, false],
    ['the namespace fits', { rules: [rule], namespaceSelector: { matchLabels: { stage: 'prod' } } }, {}, true],
    ['the namespace does not', { rules: [rule], namespaceSelector: { matchLabels: { stage: 'dev' } } }, {}, false],
    [
      'an expression',
      {
        rules: [rule],
        namespaceSelector: { matchExpressions: [{ key: 'stage', operator: 'NotIn', values: ['prod'] }] },
      },
      {},
      false,
    ],
    ['the object fits', { rules: [rule], objectSelector: { matchLabels: { team: 'a' } } }, {}, true],
    ['the object does not', { rules: [rule], objectSelector: { matchLabels: { team: 'b' } } }, {}, false],
  ]
  for (const [name, webhook, change, expected] of cases) assert.equal(called(webhook, change), expected, name)
})
