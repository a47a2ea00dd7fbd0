import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SimulatedCluster, at, isReady, podTemplate } from '../../../support/simulated-cluster.ts'

function running(replicas: number): SimulatedCluster {
  const cluster = new SimulatedCluster()
  const spec = { replicas, selector: { app: 'old' }, template: podTemplate('old') }
  cluster.create('replicationcontrollers', { metadata: { name: 'old' }, spec })
  cluster.pass(5)
  return cluster
}

test('a replication controller keeps as many ready pods as it is told, and counts them', () => {
  const cluster = running(3)
  assert.equal(cluster.list('pods').filter(isReady).length, 3)
  cluster.patch('replicationcontrollers', 'old', { spec: { replicas: 1 } })
  cluster.pass(5)
  const controller = cluster.get('replicationcontrollers', 'old')
  const counts = ['replicas', 'readyReplicas', 'availableReplicas', 'observedGeneration'].map((key) =>
    at(controller, 'status', key),
  )
  assert.deepEqual(counts, [1, 1, 1, 2])
  assert.deepEqual(cluster.errors, [])
})

test('a pod that a replication controller lost is replaced, and one that fits is taken in', () => {
  const cluster = running(2)
  const [name = ''] = cluster.names('pods')
  cluster.delete('pods', name)
  cluster.pass(40)
  assert.equal(cluster.list('pods').length, 2)
  const { metadata, spec } = podTemplate('old')
  cluster.create('pods', { metadata: { ...metadata, name: 'stray' }, spec })
  cluster.pass(5)
  const pods = cluster.list('pods')
  assert.ok(pods.every((pod) => at(pod, 'metadata', 'ownerReferences', 0, 'kind') === 'ReplicationController'))
  assert.equal(pods.filter((pod) => at(pod, 'metadata', 'deletionTimestamp') === undefined).length, 2)
})

test('deleting a replication controller leaves its pods unless it is asked to take them', () => {
  const kept = running(2)
  kept.delete('replicationcontrollers', 'old')
  kept.pass(40)
  assert.equal(kept.list('pods').length, 2)
  const taken = running(2)
  taken.delete('replicationcontrollers', 'old', '?propagationPolicy=Background')
  taken.pass(40)
  assert.deepEqual(taken.list('pods'), [])
})
