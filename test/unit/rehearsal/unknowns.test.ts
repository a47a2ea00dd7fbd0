import assert from 'node:assert/strict'
import test from 'node:test'
import type { KubeObject } from '../../../shared/model/kubernetes.ts'
import type { RehearsedStep, Unknown } from '../../../shared/model/rehearsal.ts'
import { unknownsOf, type Doubts } from '../../../shared/rehearsal/unknowns.ts'
import { unknownSentence } from '../../../shared/view/rehearsal-words.ts'
import { sampleStep } from '../../support/rehearsal-sample.ts'

const settings = sampleStep({})
const web = sampleStep({ key: 'Sync|apps|Deployment|shop|web', result: { kind: 'changed' } })
const deployment: KubeObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'shop' },
  spec: { template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'a', image: 'web:2' }] } } },
}
const configMap: KubeObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings', namespace: 'shop' } }

function webhook(resource: string): KubeObject {
  const rules = [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: [resource] }]
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'checks' },
    webhooks: [{ name: 'checks.example.com', rules }],
  }
}

function unknowns(
  steps: readonly RehearsedStep[],
  objects: readonly KubeObject[],
  change: Partial<Doubts> = {},
): readonly Unknown[] {
  const recording = {
    context: 'dev',
    server: '',
    version: 'v1.36.2',
    readAt: '',
    application: 'shop',
    namespaces: ['shop'],
    objects,
    gaps: [],
    key: '',
  }
  return unknownsOf({
    recording,
    steps,
    wanted: new Map([
      ['|ConfigMap|shop|settings', configMap],
      ['apps|Deployment|shop|web', deployment],
    ]),
    resources: new Map([
      ['|ConfigMap', { resource: 'configmaps', namespaced: true }],
      ['apps|Deployment', { resource: 'deployments', namespaced: true }],
    ]),
    asked: new Set(),
    podsAsked: new Set(),
    unserved: [],
    comparesSecrets: true,
    version: 'v1.36.2',
    podStart: { startMs: 2000, measuredOn: 0 },
    ...change,
  })
}

const kinds = (found: readonly Unknown[]): readonly string[] => found.map(({ kind }) => kind)
const asked = new Set(['|ConfigMap|shop|settings'])

test('a webhook is named for what nobody has asked it about', () => {
  const found = unknowns([settings], [webhook('configmaps')])
  assert.deepEqual(found.map(unknownSentence), [
    'the validating webhook checks.example.com was not called for ConfigMap shop/settings',
  ])
  assert.deepEqual(unknowns([settings], [webhook('configmaps')], { asked }), [])
  assert.deepEqual(unknowns([settings], [webhook('secrets')]), [])
})

test('a webhook of pods is named for the workloads whose pods were not tried', () => {
  const started: KubeObject = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p' },
    spec: { containers: [{ name: 'a', image: 'web:2' }] },
    status: { phase: 'Running' },
  }
  assert.deepEqual(kinds(unknowns([web], [webhook('pods'), started])), ['webhook', 'pod-times'])
  const podsAsked = new Set(['apps|Deployment|shop|web'])
  assert.deepEqual(kinds(unknowns([web], [webhook('pods'), started], { podsAsked })), ['pod-times'])
  assert.deepEqual(kinds(unknowns([web], [webhook('pods')], { podsAsked })), ['image', 'pod-times'])
})

test('what nothing tends, what is not proven and another version are told', () => {
  const order = sampleStep({ key: 'Sync|shop.example.com|Order|shop|one' })
  const api = sampleStep({ key: 'Sync|apiregistration.k8s.io|APIService||v1' })
  assert.deepEqual(kinds(unknowns([order], [])), ['controller'])
  assert.deepEqual(kinds(unknowns([api], [])), ['controller', 'kind'])
  assert.deepEqual(kinds(unknowns([settings], [], { version: 'v1.30.1' })), ['version'])
  assert.deepEqual(kinds(unknowns([settings], [])), [])
})

test('a step that did nothing leaves no doubt about images', () => {
  const refused = sampleStep({ ...web, result: { kind: 'refused', reason: 'no' } })
  assert.deepEqual(unknowns([refused], []), [])
})
