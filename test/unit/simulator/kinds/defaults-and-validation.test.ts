import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SimulatedCluster, at, podTemplate, workload } from '../../../support/simulated-cluster.ts'

const still = (): SimulatedCluster => new SimulatedCluster({ controllers: false })
const services = '/api/v1/namespaces/default/services'
const ported = { ports: [{ port: 80 }] }

const generation = (o: unknown): unknown => at(o, 'metadata', 'generation')

test('a service account under its old or new name is told under both', () => {
  const cluster = still()
  for (const [name, field] of [
    ['one', 'serviceAccount'],
    ['two', 'serviceAccountName'],
  ] as const) {
    const made = cluster.create(
      'deployments',
      workload(name, { template: podTemplate(name, undefined, containers({ [field]: 'app' })) }),
    )
    const spec = at(made, 'spec', 'template', 'spec')
    assert.deepEqual([at(spec, 'serviceAccount'), at(spec, 'serviceAccountName')], ['app', 'app'])
  }
})

test('a service keeps its address and node ports over an update that leaves them out', () => {
  const cluster = still()
  const made = cluster.create('services', { metadata: { name: 'web' }, spec: { type: 'NodePort', ...ported } })
  const { status, body } = cluster.ask('PUT', `${services}/web`, {
    metadata: { name: 'web' },
    spec: { type: 'NodePort', ports: [{ port: 8080 }] },
  })
  assert.equal(status, 200)
  assert.equal(at(body, 'spec', 'clusterIP'), at(made, 'spec', 'clusterIP'))
  assert.equal(at(body, 'spec', 'ports', 0, 'nodePort'), at(made, 'spec', 'ports', 0, 'nodePort'))
  assert.equal(at(body, 'spec', 'ports', 0, 'port'), 8080)
})

test('a service that stops being a load balancer gives up what only load balancers have', () => {
  const cluster = still()
  cluster.create('services', { metadata: { name: 'web' }, spec: { type: 'LoadBalancer', ...ported } })
  const { spec } = cluster.patch('services', 'web', { spec: { type: 'ClusterIP' } })
  assert.equal(at(spec, 'ports', 0, 'nodePort'), undefined)
  assert.equal(at(spec, 'allocateLoadBalancerNodePorts'), undefined)
  assert.equal(at(spec, 'externalTrafficPolicy'), undefined)
})

test('an address or port that is taken cannot be had again', () => {
  const cluster = still()
  const spec = { type: 'NodePort', clusterIP: '10.0.0.9', ports: [{ port: 80, nodePort: 30_080 }] }
  cluster.create('services', { metadata: { name: 'web' }, spec })
  assert.equal(
    cluster.refusal('services', { metadata: { name: 'two' }, spec: { ...ported, clusterIP: '10.0.0.9' } }),
    'Service "two" is invalid: spec.clusterIPs: Invalid value: ["10.0.0.9"]: failed to allocate IP 10.0.0.9: provided IP is already allocated',
  )
  assert.equal(
    cluster.refusal('services', { metadata: { name: 'two' }, spec: { ...spec, clusterIP: undefined } }),
    'Service "two" is invalid: spec.ports[0].nodePort: Invalid value: 30080: provided port is already allocated',
  )
})

test('a finalizer needs a domain unless it is one of the server', () => {
  const cluster = still()
  assert.equal(
    cluster.refusal('configmaps', { metadata: { name: 'a', finalizers: ['bad'] } }),
    'ConfigMap "a" is invalid: metadata.finalizers[0]: Invalid value: "bad": name is neither a standard finalizer name nor is it fully qualified',
  )
  cluster.create('configmaps', { metadata: { name: 'a', finalizers: ['example.com/good', 'orphan'] } })
})

test('what may not change is refused on update', () => {
  const cluster = still()
  cluster.create('deployments', workload('web', {}))
  const change = { spec: { selector: { matchLabels: { app: 'other' } } } }
  const path = '/apis/apps/v1/namespaces/default/deployments/web'
  const { status, body } = cluster.ask('PATCH', path, change, 'application/merge-patch+json')
  assert.equal(status, 422)
  assert.match(String(at(body, 'message')), /spec\.selector: Invalid value: .*: field is immutable/)
})

test('generation counts changes of the spec alone', () => {
  const cluster = still()
  cluster.create('deployments', workload('web', {}))
  assert.equal(generation(cluster.patch('deployments', 'web', { metadata: { labels: { a: 'b' } } })), 1)
  assert.equal(generation(cluster.patch('deployments', 'web', { spec: { replicas: 3 } })), 2)
  assert.equal(generation(cluster.patch('deployments', 'web', { spec: { replicas: 3 } })), 2)
})

test('a pod with an odd template is warned about', () => {
  const cluster = still()
  const template = podTemplate('web', undefined, containers({ terminationGracePeriodSeconds: -1 }))
  const answer = cluster.warnings('deployments', workload('web', { template }))
  assert.deepEqual(answer, [
    'spec.template.spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1',
  ])
})

function containers(fields: object): object {
  return { containers: [{ name: 'main', image: 'example.com/app:1' }], ...fields }
}
