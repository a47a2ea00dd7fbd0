import assert from 'node:assert/strict'
import test from 'node:test'
import type { KubeObject } from '../../../shared/model/kubernetes.ts'
import type { RehearsedEffect } from '../../../shared/model/rehearsal.ts'
import { effectsOf } from '../../../shared/rehearsal/effects.ts'
import { Observer } from '../../../shared/rehearsal/observer.ts'
import { sampleStep } from '../../support/rehearsal-sample.ts'

type Parts = Readonly<Record<string, unknown>>
const object = (apiVersion: string, kind: string, name: string, parts: Parts = {}, meta: Parts = {}): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name, namespace: 'shop', uid: `${kind}-${name}`, ...meta },
  ...parts,
})

const owned = (kind: string, name: string): Parts => ({
  ownerReferences: [{ apiVersion: 'apps/v1', kind, name, uid: `${kind}-${name}`, controller: true }],
})
const web = (replicas = 2): KubeObject =>
  object('apps/v1', 'StatefulSet', 'web', { spec: { replicas, template: { metadata: { labels: { app: 'web' } } } } })
const pod = (name: string, ready = true): KubeObject =>
  object(
    'v1',
    'Pod',
    name,
    { status: { phase: 'Running', conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] } },
    owned('StatefulSet', 'web'),
  )

function ignore(): void {}

type Change = readonly [atMs: number, object: KubeObject, gone?: boolean]

function effects(
  before: readonly KubeObject[],
  changes: readonly Change[],
  steps = [] as Parameters<typeof effectsOf>[1],
): readonly RehearsedEffect[] {
  const observer = new Observer({ managed: new Set(), judge: () => undefined, onHealth: ignore, onReady: ignore })
  observer.begin(before)
  for (const [atMs, changed, gone = false] of changes) observer.change(atMs, changed, gone)
  observer.change(100_000, object('v1', 'Event', 'tick'), false)
  return effectsOf(observer, steps)
}

test('pods that are gone while their workload stays have restarted; those scaled away have not', () => {
  const rolled = effects(
    [web(), pod('web-0'), pod('web-1')],
    [
      [1, pod('web-0'), true],
      [1, pod('new-0'), false],
    ],
  )
  assert.deepEqual(
    rolled.filter(({ kind }) => kind === 'pods-restarted'),
    [{ kind: 'pods-restarted', id: { group: 'apps', kind: 'StatefulSet', namespace: 'shop', name: 'web' }, pods: 1 }],
  )
  const fewer = effects(
    [web(2), pod('web-0'), pod('web-1')],
    [
      [1, web(1)],
      [1, pod('web-1'), true],
    ],
  )
  assert.deepEqual(fewer, [])
})

test('no ready pod for a while is a downtime, with its length; a moment without length is none', () => {
  const down = effects(
    [web(1), pod('web-0')],
    [
      [1000, pod('web-0', false)],
      [5000, pod('web-0')],
    ],
  )
  assert.deepEqual(
    down.map((one) => (one.kind === 'downtime' ? [one.fromMs, one.toMs, one.ready, one.needed] : [])),
    [[1000, 5000, 0, 1]],
  )
  assert.deepEqual(
    effects(
      [web(1), pod('web-0')],
      [
        [1000, pod('web-0', false)],
        [1000, pod('web-0')],
      ],
    ),
    [],
  )
})

const budget = (spec: Parts): KubeObject =>
  object('policy/v1', 'PodDisruptionBudget', 'web', { spec: { selector: { matchLabels: { app: 'web' } }, ...spec } })

function needed(spec: Parts): unknown {
  const found = effects(
    [web(3), budget(spec), pod('web-0'), pod('web-1'), pod('web-2')],
    [
      [1000, pod('web-0', false)],
      [2000, pod('web-0')],
    ],
  )
  return found.map((one) => (one.kind === 'downtime' ? one.needed : 0))
}

test('a budget says how many are needed', () => {
  assert.deepEqual(needed({ minAvailable: 3 }), [3])
  assert.deepEqual(needed({ minAvailable: '90%' }), [3])
  assert.deepEqual(needed({ maxUnavailable: 0 }), [3])
  assert.deepEqual(needed({ maxUnavailable: 1 }), [])
  assert.deepEqual(needed({ minAvailable: '50%' }), [])
})

test('a Service whose last endpoint goes has lost them', () => {
  const service = object('v1', 'Service', 'web')
  const slice = (...addresses: readonly string[]): KubeObject =>
    object(
      'discovery.k8s.io/v1',
      'EndpointSlice',
      'web-1',
      { endpoints: addresses.map((address) => ({ addresses: [address], conditions: { ready: true } })) },
      { labels: { 'kubernetes.io/service-name': 'web' } },
    )
  assert.deepEqual(
    effects([service, slice('10.0.0.1', '10.0.0.2')], [[1, slice()]]).map((one) => 'endpoints' in one && one.endpoints),
    [2],
  )
  assert.deepEqual(effects([service, slice('10.0.0.1', '10.0.0.2')], [[1, slice('10.0.0.2')]]), [])
})

test('a claim that goes takes its data along, unless its volume is kept', () => {
  const claim = object('v1', 'PersistentVolumeClaim', 'data', { spec: { volumeName: 'v' } })
  const volume = (policy: string): KubeObject =>
    object('v1', 'PersistentVolume', 'v', { spec: { persistentVolumeReclaimPolicy: policy } }, { namespace: undefined })
  assert.deepEqual(
    effects([claim, volume('Delete')], [[1, claim, true]]).map(({ kind }) => kind),
    ['data-lost'],
  )
  assert.deepEqual(effects([claim, volume('Retain')], [[1, claim, true]]), [])
})

test('what goes with an owner, a namespace or a definition is told under it; what was asked for is not', () => {
  const parent = object('v1', 'ConfigMap', 'parent')
  const child = object(
    'v1',
    'ConfigMap',
    'child',
    {},
    {
      ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'parent', uid: 'ConfigMap-parent' }],
    },
  )
  const steps = [sampleStep({ key: 'Sync||ConfigMap|shop|parent', result: { kind: 'pruned' } })]
  const found = effects(
    [parent, child],
    [
      [1, parent, true],
      [1, child, true],
    ],
    steps,
  )
  assert.deepEqual(
    found.map((one) => (one.kind === 'taken-along' ? one.objects.map(({ name }) => name) : [])),
    [['child']],
  )
})

test('an object with another uid at the end was replaced', () => {
  const old = object('v1', 'Service', 'web')
  const anew = object('v1', 'Service', 'web', {}, { uid: 'other' })
  const steps = [sampleStep({ key: 'Sync||Service|shop|web', result: { kind: 'replaced' } })]
  assert.deepEqual(
    effects([old], [[1, anew]], steps).map(({ kind }) => kind),
    ['replaced'],
  )
})

test('a quota that kept a pod out is told from what its controller was told', () => {
  const message = 'pods "web-1" is forbidden: exceeded quota: small, requested: pods=1, used: pods=1, limited: pods=1'
  const set = object('apps/v1', 'ReplicaSet', 'web', { status: { conditions: [{ type: 'ReplicaFailure', message }] } })
  assert.deepEqual(effects([], [[1, set]]), [
    { kind: 'quota-overrun', id: { group: '', kind: 'ResourceQuota', namespace: 'shop', name: 'small' }, message },
  ])
})
