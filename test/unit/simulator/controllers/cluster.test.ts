import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SimulatedCluster, at, condition, podTemplate, workload } from '../../../support/simulated-cluster.ts'

const service = { metadata: { name: 'web' }, spec: { selector: { app: 'web' }, ports: [{ port: 80 }] } }

function withDeployment(replicas = 2, does?: string): SimulatedCluster {
  const cluster = new SimulatedCluster()
  cluster.create('deployments', workload('web', { replicas }, does))
  cluster.pass(5)
  return cluster
}

test('a service lists its ready pods in endpoints and slices, the others apart', () => {
  const cluster = withDeployment(2)
  cluster.create('services', service)
  const odd = podTemplate('web', 'never-ready')
  cluster.create('pods', { ...odd, metadata: { ...odd.metadata, name: 'odd' } })
  cluster.pass(5)
  const subset = at(cluster.get('endpoints', 'web'), 'subsets', 0)
  assert.equal((at(subset, 'addresses') as unknown[]).length, 2)
  assert.equal(at(subset, 'notReadyAddresses', 0, 'targetRef', 'name'), 'odd')
  const [slice] = cluster.list('endpointslices')
  const ready = (at(slice, 'endpoints') as unknown[]).map((endpoint) => at(endpoint, 'conditions', 'ready'))
  assert.deepEqual(
    ready.toSorted((a, b) => Number(a) - Number(b)),
    [false, true, true],
  )
  assert.equal(at(slice, 'metadata', 'labels', 'kubernetes.io/service-name'), 'web')
})

test('deleting an owner in the background takes what it owns with it', () => {
  const cluster = withDeployment()
  cluster.delete('deployments', 'web')
  assert.equal(cluster.get('deployments', 'web'), undefined)
  cluster.pass(60)
  assert.deepEqual([cluster.names('replicasets'), cluster.names('pods')], [[], []])
})

test('deleting an owner in the foreground ends it last', () => {
  const cluster = withDeployment()
  cluster.delete('deployments', 'web', '?propagationPolicy=Foreground')
  assert.ok(cluster.get('deployments', 'web'))
  cluster.pass(60)
  assert.deepEqual([cluster.names('deployments'), cluster.names('replicasets'), cluster.names('pods')], [[], [], []])
})

test('deleting an owner as orphan leaves what it owned, without owner', () => {
  const cluster = withDeployment()
  cluster.delete('deployments', 'web', '?propagationPolicy=Orphan')
  cluster.pass(60)
  assert.equal(cluster.get('deployments', 'web'), undefined)
  const [set] = cluster.list('replicasets')
  assert.equal(at(set, 'metadata', 'ownerReferences'), undefined)
  assert.equal(cluster.names('pods').length, 2)
})

test('a deleted namespace empties itself and then goes; one whose content holds out says so', () => {
  const cluster = new SimulatedCluster()
  cluster.create('namespaces', { metadata: { name: 'team' } })
  cluster.pass(1)
  assert.ok(cluster.get('serviceaccounts', 'default', 'team'))
  assert.ok(cluster.get('configmaps', 'kube-root-ca.crt', 'team'))
  cluster.create('configmaps', { metadata: { name: 'held', finalizers: ['example.com/hold'] } }, 'team')
  cluster.delete('namespaces', 'team')
  cluster.pass(30)
  const held = cluster.get('namespaces', 'team')
  assert.equal(at(held, 'status', 'phase'), 'Terminating')
  assert.equal(
    condition(held, 'NamespaceFinalizersRemaining')?.message,
    'Some content in the namespace has finalizers remaining: example.com/hold in 1 resource instances',
  )
  const release = { metadata: { finalizers: null } }
  cluster.ask('PATCH', '/api/v1/namespaces/team/configmaps/held', release, 'application/merge-patch+json')
  cluster.pass(60)
  assert.equal(cluster.get('namespaces', 'team'), undefined)
})

test('an autoscaler keeps its target within its limits', () => {
  const cluster = withDeployment(1)
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }
  cluster.create('horizontalpodautoscalers', {
    metadata: { name: 'web' },
    spec: { scaleTargetRef, minReplicas: 3, maxReplicas: 5 },
  })
  cluster.pass(60)
  assert.equal(at(cluster.get('deployments', 'web'), 'spec', 'replicas'), 3)
  cluster.patch('deployments', 'web', { spec: { replicas: 9 } })
  cluster.pass(60)
  assert.equal(at(cluster.get('deployments', 'web'), 'spec', 'replicas'), 5)
  assert.equal(at(cluster.get('horizontalpodautoscalers', 'web'), 'status', 'currentReplicas'), 5)
})

test('a disruption budget counts healthy pods', () => {
  const cluster = withDeployment(3)
  const selector = { matchLabels: { app: 'web' } }
  cluster.create('poddisruptionbudgets', { metadata: { name: 'web' }, spec: { minAvailable: 2, selector } })
  cluster.pass(5)
  const { status } = cluster.get('poddisruptionbudgets', 'web') as { status: Record<string, unknown> }
  assert.deepEqual(
    [status['currentHealthy'], status['desiredHealthy'], status['disruptionsAllowed'], status['expectedPods']],
    [3, 2, 1, 3],
  )
})

test('a quota tells what is used and refuses what would exceed it', () => {
  const cluster = new SimulatedCluster()
  cluster.create('resourcequotas', { metadata: { name: 'few' }, spec: { hard: { configmaps: '2' } } })
  cluster.pass(5)
  assert.equal(at(cluster.get('resourcequotas', 'few'), 'status', 'used', 'configmaps'), '1')
  cluster.create('configmaps', { metadata: { name: 'one' } })
  assert.equal(
    cluster.refusal('configmaps', { metadata: { name: 'two' } }),
    'configmaps "two" is forbidden: exceeded quota: few, requested: configmaps=1, used: configmaps=2, limited: configmaps=2',
  )
})

test('a claim is bound to a volume made for it unless its class is missing', () => {
  const cluster = new SimulatedCluster()
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }
  cluster.create('persistentvolumeclaims', { metadata: { name: 'data' }, spec })
  cluster.create('persistentvolumeclaims', { metadata: { name: 'lost' }, spec: { ...spec, storageClassName: 'none' } })
  cluster.pass(5)
  const data = cluster.get('persistentvolumeclaims', 'data')
  assert.equal(at(data, 'status', 'phase'), 'Bound')
  const volume = cluster.get('persistentvolumes', String(at(data, 'spec', 'volumeName')))
  assert.equal(at(volume, 'spec', 'claimRef', 'name'), 'data')
  assert.equal(at(cluster.get('persistentvolumeclaims', 'lost'), 'status', 'phase'), 'Pending')
})

test('a server without controllers leaves everything as it was written', () => {
  const cluster = new SimulatedCluster({ controllers: false })
  cluster.create('deployments', workload('web', {}))
  cluster.pass(60)
  assert.deepEqual(cluster.names('replicasets'), [])
})
