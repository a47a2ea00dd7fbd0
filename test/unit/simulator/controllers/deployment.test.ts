import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SimulatedCluster, at, condition, isReady, podTemplate, workload } from '../../../support/simulated-cluster.ts'

const image = (name: string): object => ({
  spec: { template: { spec: { containers: [{ name: 'main', image: name }] } } },
})
const revision = (o: unknown): unknown => at(o, 'metadata', 'annotations', 'deployment.kubernetes.io/revision')
const imageOf = (pod: unknown): unknown => at(pod, 'spec', 'containers', 0, 'image')

function running(spec: object = {}, does?: string): SimulatedCluster {
  const cluster = new SimulatedCluster()
  cluster.create('deployments', workload('web', { replicas: 4, ...spec }, does))
  cluster.pass(5)
  return cluster
}

test('a deployment becomes available through a replica set named after the hash of its template', () => {
  const cluster = running()
  const web = cluster.get('deployments', 'web')
  const [set] = cluster.list('replicasets')
  const hash = at(set, 'metadata', 'labels', 'pod-template-hash')
  assert.equal(at(set, 'metadata', 'name'), `web-${String(hash)}`)
  const counts = ['availableReplicas', 'updatedReplicas', 'observedGeneration'].map((key) => at(web, 'status', key))
  assert.deepEqual(counts, [4, 4, 1])
  assert.equal(condition(web, 'Available')?.status, 'True')
  assert.equal(condition(web, 'Progressing')?.reason, 'NewReplicaSetAvailable')
  assert.equal(revision(web), '1')
  assert.deepEqual(cluster.errors, [])
})

test('pods say that they are simulated', () => {
  const [pod] = running().list('pods')
  assert.equal(at(pod, 'metadata', 'annotations', 'simulator.plumbline.dev/simulated'), 'true')
  assert.match(String(at(pod, 'status', 'message')), /simulated/)
})

test('a rolling update never has more than the surge nor fewer than the unavailable pods', () => {
  const cluster = running({ strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } } })
  cluster.patch('deployments', 'web', image('example.com/app:2'))
  for (let step = 0; step < 200; step++) {
    cluster.pass(0.01)
    const pods = cluster.list('pods').filter((pod) => at(pod, 'metadata', 'deletionTimestamp') === undefined)
    const ready = pods.filter(isReady)
    assert.ok(pods.length <= 5, `${pods.length} pods`)
    assert.ok(ready.length >= 3, `${ready.length} ready`)
  }
  const images = cluster.list('pods').map(imageOf)
  assert.deepEqual(
    images,
    Array.from({ length: 4 }, () => 'example.com/app:2'),
  )
})

test('a rollout whose pods never get ready leaves the old ones and is told as stuck after its deadline', () => {
  const cluster = running({ progressDeadlineSeconds: 60 })
  cluster.patch('deployments', 'web', { spec: { template: podTemplate('web', 'never-ready') } })
  cluster.pass(30)
  assert.equal(condition(cluster.get('deployments', 'web'), 'Progressing')?.reason, 'ReplicaSetUpdated')
  cluster.pass(60)
  const web = cluster.get('deployments', 'web')
  const stuck = condition(web, 'Progressing')
  assert.deepEqual([stuck?.status, stuck?.reason], ['False', 'ProgressDeadlineExceeded'])
  assert.match(stuck?.message ?? '', /^ReplicaSet "web-\w+" has timed out progressing\.$/)
  assert.equal(at(web, 'status', 'availableReplicas'), 3)
})

test('Recreate stops the old pods before the first new one starts', () => {
  const cluster = running({ strategy: { type: 'Recreate' } })
  cluster.patch('deployments', 'web', image('example.com/app:2'))
  for (let step = 0; step < 100; step++) {
    cluster.pass(0.01)
    const images = new Set(cluster.list('pods').map(imageOf))
    assert.ok(images.size <= 1)
  }
  assert.equal(at(cluster.get('deployments', 'web'), 'status', 'updatedReplicas'), 4)
})

test('a paused deployment keeps its pods until it goes on', () => {
  const cluster = running({ paused: false })
  cluster.patch('deployments', 'web', { spec: { paused: true } })
  cluster.patch('deployments', 'web', image('example.com/app:2'))
  cluster.pass(5)
  assert.equal(cluster.list('replicasets').length, 1)
  cluster.patch('deployments', 'web', { spec: { paused: false } })
  cluster.pass(5)
  assert.equal(at(cluster.get('deployments', 'web'), 'status', 'updatedReplicas'), 4)
})

test('old replica sets are kept up to the history limit and one that is used again becomes the newest revision', () => {
  const cluster = running({ revisionHistoryLimit: 1 })
  for (const name of ['example.com/app:2', 'example.com/app:3', 'example.com/app:2']) {
    cluster.patch('deployments', 'web', image(name))
    cluster.pass(5)
  }
  assert.equal(cluster.list('replicasets').length, 2)
  assert.equal(revision(cluster.get('deployments', 'web')), '4')
})

test('a deleted pod is replaced', () => {
  const cluster = running({ replicas: 1 })
  const [name = ''] = cluster.names('pods')
  cluster.delete('pods', name)
  cluster.pass(40)
  const names = cluster.names('pods')
  assert.equal(names.length, 1)
  assert.notEqual(names[0], name)
})

function waiting(does: string): string {
  const [pod] = running({ replicas: 1 }, does).list('pods')
  return String(at(pod, 'status', 'containerStatuses', 0, 'state', 'waiting', 'reason'))
}

test('what goes wrong with a pod is told the way a kubelet tells it', () => {
  assert.match(waiting('image-pull-error'), /^(ErrImagePull|ImagePullBackOff)$/)
  assert.equal(waiting('crash-loop'), 'CrashLoopBackOff')
})

test('a pod waits for the config map it needs', () => {
  const cluster = new SimulatedCluster()
  const envFrom = [{ configMapRef: { name: 'settings' } }]
  cluster.create('pods', { metadata: { name: 'one' }, spec: { containers: [{ name: 'main', image: 'x', envFrom }] } })
  cluster.pass(5)
  assert.equal(at(cluster.get('pods', 'one'), 'status', 'phase'), 'Pending')
  cluster.create('configmaps', { metadata: { name: 'settings' } })
  cluster.pass(30)
  assert.equal(at(cluster.get('pods', 'one'), 'status', 'phase'), 'Running')
})
