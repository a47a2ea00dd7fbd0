import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SimulatedCluster, at } from '../../../support/simulated-cluster.ts'

const pod = (spec: object = {}, resources: object = {}): Readonly<Record<string, unknown>> => ({
  metadata: { name: 'one' },
  spec: { containers: [{ name: 'main', image: 'example.com/app:1', resources }], ...spec },
})
const still = (options: { readonly serviceAccounts?: boolean } = {}): SimulatedCluster =>
  new SimulatedCluster({ controllers: false, ...options })

test('a limit range fills in what containers leave out', () => {
  const cluster = still()
  const limits = [{ type: 'Container', default: { cpu: '500m' }, defaultRequest: { cpu: '100m' } }]
  cluster.create('limitranges', { metadata: { name: 'usual' }, spec: { limits } })
  const made = cluster.create('pods', pod())
  assert.deepEqual(at(made, 'spec', 'containers', 0, 'resources'), {
    limits: { cpu: '500m' },
    requests: { cpu: '100m' },
  })
  assert.equal(
    at(made, 'metadata', 'annotations', 'kubernetes.io/limit-ranger'),
    'LimitRanger plugin set: cpu request for container main; cpu limit for container main',
  )
})

test('a limit range refuses what is above its maximum', () => {
  const cluster = still()
  const limits = [{ type: 'Container', max: { cpu: '1' } }]
  cluster.create('limitranges', { metadata: { name: 'small' }, spec: { limits } })
  assert.equal(
    cluster.refusal('pods', pod({}, { limits: { cpu: '2' } })),
    'pods "one" is forbidden: maximum cpu usage per Container is 1, but limit is 2',
  )
})

test('a pod gets the priority of its class, or of the default one', () => {
  const cluster = still()
  cluster.create('priorityclasses', { metadata: { name: 'high' }, value: 1000 })
  assert.equal(at(cluster.create('pods', pod({ priorityClassName: 'high' })), 'spec', 'priority'), 1000)
  cluster.create('priorityclasses', { metadata: { name: 'usual' }, value: 7, globalDefault: true })
  const other = cluster.create('pods', { ...pod(), metadata: { name: 'two' } })
  assert.deepEqual([at(other, 'spec', 'priorityClassName'), at(other, 'spec', 'priority')], ['usual', 7])
  assert.equal(
    cluster.refusal('pods', pod({ priorityClassName: 'none' })),
    'pods "one" is forbidden: no PriorityClass with name none was found',
  )
})

test('pods tolerate nodes that are not ready for a while', () => {
  const made = still().create('pods', pod())
  const tolerations = at(made, 'spec', 'tolerations') as readonly Readonly<Record<string, unknown>>[]
  assert.deepEqual(
    tolerations.map((toleration) => [toleration['key'], toleration['tolerationSeconds']]),
    [
      ['node.kubernetes.io/not-ready', 300],
      ['node.kubernetes.io/unreachable', 300],
    ],
  )
})

test('claims and ingresses without a class get the default one', () => {
  const cluster = still()
  const fast = { 'storageclass.kubernetes.io/is-default-class': 'true' }
  cluster.create('storageclasses', { metadata: { name: 'fast', annotations: fast }, provisioner: 'example.com/disk' })
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }
  const claim = cluster.create('persistentvolumeclaims', { metadata: { name: 'data' }, spec })
  assert.equal(at(claim, 'spec', 'storageClassName'), 'fast')
  assert.deepEqual(at(claim, 'metadata', 'finalizers'), ['kubernetes.io/pvc-protection'])

  const front = { 'ingressclass.kubernetes.io/is-default-class': 'true' }
  cluster.create('ingressclasses', {
    metadata: { name: 'front', annotations: front },
    spec: { controller: 'example.com/front' },
  })
  const defaultBackend = { service: { name: 'web', port: { number: 80 } } }
  const ingress = cluster.create('ingresses', { metadata: { name: 'web' }, spec: { defaultBackend } })
  assert.equal(at(ingress, 'spec', 'ingressClassName'), 'front')
})

test('a namespace that is not there or ends refuses new objects', () => {
  const cluster = new SimulatedCluster()
  const made = { metadata: { name: 'one' } }
  const missing = cluster.ask('POST', '/api/v1/namespaces/none/configmaps', made)
  assert.deepEqual([missing.status, at(missing.body, 'message')], [404, 'namespaces "none" not found'])
  cluster.create('namespaces', { metadata: { name: 'team', finalizers: ['example.com/hold'] } })
  cluster.delete('namespaces', 'team')
  const ending = cluster.ask('POST', '/api/v1/namespaces/team/configmaps', made)
  assert.equal(ending.status, 403)
  assert.match(String(at(ending.body, 'message')), /because it is being terminated$/)
})

test('the namespaces of the system stay', () => {
  const { status, body } = still().ask('DELETE', '/api/v1/namespaces/kube-system')
  assert.equal(status, 403)
  assert.equal(at(body, 'message'), 'namespaces "kube-system" is forbidden: this namespace may not be deleted')
})

test('pods get the default service account and its token only where that is asked for', () => {
  assert.equal(at(still().create('pods', pod()), 'spec', 'serviceAccountName'), undefined)
  const cluster = still({ serviceAccounts: true })
  assert.match(cluster.refusal('pods', pod()), /error looking up service account default\/default/)
  cluster.create('serviceaccounts', { metadata: { name: 'default' } })
  const made = cluster.create('pods', pod())
  assert.equal(at(made, 'spec', 'serviceAccountName'), 'default')
  assert.equal(
    at(made, 'spec', 'containers', 0, 'volumeMounts', 0, 'mountPath'),
    '/var/run/secrets/kubernetes.io/serviceaccount',
  )
})

test('a claim grows only where its class allows it', () => {
  const cluster = new SimulatedCluster()
  cluster.create('storageclasses', { metadata: { name: 'fixed' }, provisioner: 'example.com/disk' })
  const spec = {
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '1Gi' } },
    storageClassName: 'fixed',
  }
  cluster.create('persistentvolumeclaims', { metadata: { name: 'data' }, spec })
  cluster.pass(5)
  const grow = { spec: { resources: { requests: { storage: '2Gi' } } } }
  const target = '/api/v1/namespaces/default/persistentvolumeclaims/data'
  const { status, body } = cluster.ask('PATCH', target, grow, 'application/merge-patch+json')
  assert.equal(status, 403)
  assert.match(String(at(body, 'message')), /only dynamically provisioned pvc can be resized/)
})
