import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Desired, DesiredState } from '../../../shared/core/desired.ts'
import { kindsToObserve, namespacesToObserve, pair } from '../../../shared/core/pair.ts'
import { TRACKING_ANNOTATION } from '../../../shared/core/tracking.ts'
import { gvkOf, idOf, resourceKey, type KubeObject } from '../../../shared/model/kubernetes.ts'
import type { LiveObject } from '../../../shared/model/live.ts'
import type { Inventory, InventoryEntry, LiveView } from '../../../shared/model/ports.ts'
import { sampleApplication } from './sample-application.ts'

const APPLICATION = sampleApplication()

function configMap(name: string, metadata: object = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'guest', ...metadata } }
}

function tracked(name: string, application = 'guestbook', metadata: object = {}): KubeObject {
  const annotations = { [TRACKING_ANNOTATION]: `${application}:/ConfigMap:guest/${name}` }
  return configMap(name, { annotations, ...metadata })
}

function wanted(...objects: readonly KubeObject[]): DesiredState {
  const entries = objects.map((object): [string, Desired] => {
    const id = idOf(object)
    const gvk = gvkOf(object)
    const kind = { gvk, resource: 'x', namespaced: true, verbs: [], schema: undefined }
    const key = resourceKey(id)
    return [key, { id, key, gvk, kind, object, digest: '', manifest: { id, object }, support: false }]
  })
  return { objects: new Map(entries), hooks: [], failures: [] }
}

function view(objects: readonly KubeObject[], failures: LiveView['failures'] = []): LiveView {
  const live = objects.map((object): LiveObject => ({
    object,
    uid: object.metadata.name,
    resourceVersion: '1',
    owners: [],
  }))
  return {
    get: (id) => live.find(({ object }) => resourceKey(idOf(object)) === resourceKey(id)),
    ofKind: ({ group, kind }) => live.filter(({ object }) => gvkOf(object).group === group && object.kind === kind),
    childrenOf: () => [],
    failures,
  }
}

function inventory(...names: readonly string[]): Inventory {
  const entries = names.map((name): [string, InventoryEntry] => {
    const id = idOf(configMap(name))
    return [resourceKey(id), { id, version: 'v1', digest: '' }]
  })
  return new Map(entries)
}

function check(desired: DesiredState, live: LiveView, recorded: Inventory, expected: readonly string[]): void {
  const pairs = pair(APPLICATION, desired, live, recorded)
  const told = pairs.map((one) => `${one.id.name} ${one.kind}${one.kind === 'extra' && one.owned ? ' owned' : ''}`)
  assert.deepEqual(told, expected)
}

test('what is wanted is there or missing; what is tracked and not wanted is extra', () => {
  const live = view([tracked('a'), tracked('c'), tracked('d'), configMap('nobodys')])
  check(wanted(configMap('a'), configMap('b')), live, inventory('a', 'c'), [
    'a both',
    'b missing',
    'c extra owned',
    'd extra',
  ])
})

test("another application's objects, copies of ours and what a controller made of ours are no extras", () => {
  const copy = configMap('copy', { annotations: tracked('a').metadata.annotations })
  const owner = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: 'a' }]
  const live = view([tracked('theirs', 'other'), copy, tracked('made', 'guestbook', { ownerReferences: owner })])
  check(wanted(configMap('a')), live, inventory(), ['a missing'])
})

const KIND = gvkOf(configMap('a'))

test('of a kind that cannot be listed nothing is claimed', () => {
  const forbidden = { gvk: KIND, reason: 'forbidden', message: 'cannot list' }
  check(wanted(configMap('a')), view([], [forbidden]), inventory('a'), ['a unreadable'])
  // What another namespace's list brought is known all the same.
  check(wanted(configMap('a')), view([tracked('a')], [forbidden]), inventory('a'), ['a both'])
})

test('of a kind that the server does not have there is nothing, whatever was once recorded', () => {
  const unserved = { gvk: KIND, reason: 'not-found', message: 'the server has no kind' }
  check(wanted(configMap('a')), view([], [unserved]), inventory('a', 'gone'), ['a missing'])
})

test('kinds and namespaces of what was applied before are looked at too', () => {
  const role: KubeObject = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'r' } }
  const kinds = kindsToObserve(wanted(role), inventory('a')).map(({ kind, version }) => `${version} ${kind}`)
  assert.deepEqual(kinds, ['v1 ClusterRole', 'v1 ConfigMap'])
  assert.deepEqual([...namespacesToObserve(APPLICATION, wanted(role), new Map())], ['guest'])
})
