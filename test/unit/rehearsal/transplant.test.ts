import assert from 'node:assert/strict'
import test from 'node:test'
import type { KubeObject } from '../../../shared/model/kubernetes.ts'
import { cutting, namespacesOf, transplanted } from '../../../shared/rehearsal/transplant.ts'

const object = (kind: string, name: string, parts: object = {}, meta: object = {}): KubeObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name, namespace: 'shop', uid: 'u', resourceVersion: '1', managedFields: [], ...meta },
  ...parts,
})
const cluster = (kind: string, name: string): KubeObject => ({ apiVersion: 'v1', kind, metadata: { name } })

test('what people made is taken along in an order that works; what the cluster makes is not', () => {
  const controller = {
    ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'r', uid: 'r', controller: true }],
  }
  const taken = transplanted([
    object('ResourceQuota', 'quota'),
    object('Pod', 'of-a-set', {}, controller),
    object('Deployment', 'web'),
    object('ConfigMap', 'settings'),
    object('ConfigMap', 'kube-root-ca.crt'),
    object('ServiceAccount', 'default'),
    object('ConfigMap', 'system', {}, { namespace: 'kube-system' }),
    object('Endpoints', 'web'),
    cluster('Node', 'one'),
    cluster('Namespace', 'shop'),
    cluster('Namespace', 'kube-system'),
  ])
  assert.deepEqual(
    taken.map(({ kind, metadata }) => `${kind} ${metadata.name}`),
    ['Namespace shop', 'ConfigMap settings', 'Deployment web', 'ResourceQuota quota'],
  )
})

test('an object loses what only its own server could give', () => {
  const service = object('Service', 'web', {
    spec: { clusterIP: '10.0.0.7', clusterIPs: ['10.0.0.7'], ports: [{ port: 80, nodePort: 30_080 }] },
    status: { loadBalancer: {} },
  })
  assert.deepEqual(cutting(service), {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web', namespace: 'shop' },
    spec: { ports: [{ port: 80 }] },
  })
  const headless = object('Service', 'web', { spec: { clusterIP: 'None', clusterIPs: ['None'] } })
  assert.deepEqual(cutting(headless)['spec'], { clusterIP: 'None' })
  const claim = object('PersistentVolumeClaim', 'data', { spec: { volumeName: 'v', accessModes: ['ReadWriteOnce'] } })
  assert.deepEqual(cutting(claim)['spec'], { accessModes: ['ReadWriteOnce'] })
  const job = object('Job', 'import', {
    spec: {
      selector: { matchLabels: {} },
      template: { metadata: { labels: { 'batch.kubernetes.io/controller-uid': 'u', 'job-name': 'import', app: 'a' } } },
    },
  })
  assert.deepEqual(cutting(job)['spec'], { template: { metadata: { labels: { app: 'a' } } } })
})

test('the namespaces of a rehearsal are those that the sync touches and those of what is taken along', () => {
  const names = namespacesOf([object('ConfigMap', 'a'), cluster('Namespace', 'default'), cluster('Node', 'n')], ['new'])
  assert.deepEqual(names.toSorted(), ['new', 'shop'])
})
