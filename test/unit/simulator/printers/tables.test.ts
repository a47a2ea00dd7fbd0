import assert from 'node:assert/strict'
import { test } from 'node:test'
import { builtInTable } from '../../../../shared/simulator/printers/built-in-table.ts'
import { humanDuration } from '../../../../shared/simulator/printers/duration.ts'

const now = Date.UTC(2026, 0, 2)

function check(
  name: string,
  resource: string,
  object: Record<string, unknown>,
  expected: Record<string, unknown>,
): void {
  test(name, () => {
    const [group = '', plural = ''] = resource.split('/')
    const table = builtInTable(group, plural)
    const metadata = {
      name: 'x',
      creationTimestamp: '2026-01-01T00:00:00Z',
      ...(object['metadata'] as object | undefined),
    }
    const cells = table.cells({ apiVersion: 'v1', kind: 'X', ...object, metadata }, now)
    assert.equal(cells.length, table.columns.length)
    const shown = Object.fromEntries(table.columns.map((column, i) => [column.name, cells[i]]))
    for (const [column, value] of Object.entries(expected)) assert.deepEqual(shown[column], value, column)
  })
}

const running = { state: { running: {} }, ready: true, restartCount: 0 }

check(
  'a pod that runs',
  '/pods',
  {
    spec: { containers: [{}, {}], nodeName: 'n' },
    status: { phase: 'Running', podIP: '10.1.1.1', containerStatuses: [running, { ...running, restartCount: 2 }] },
  },
  { Ready: '2/2', Status: 'Running', Restarts: '2', Age: '24h', Node: 'n', IP: '10.1.1.1' },
)
check(
  'a pod that waits',
  '/pods',
  {
    spec: { containers: [{}] },
    status: { phase: 'Pending', containerStatuses: [{ state: { waiting: { reason: 'ImagePullBackOff' } } }] },
  },
  { Ready: '0/1', Status: 'ImagePullBackOff', Node: '<none>' },
)
check(
  'a pod that is being deleted',
  '/pods',
  { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' }, spec: { containers: [{}] }, status: { phase: 'Running' } },
  { Status: 'Terminating' },
)
check(
  'a pod in its init containers',
  '/pods',
  {
    spec: { containers: [{}], initContainers: [{ name: 'a' }, { name: 'b' }] },
    status: {
      phase: 'Pending',
      initContainerStatuses: [
        { name: 'a', state: { terminated: { exitCode: 0 } } },
        { name: 'b', state: { waiting: { reason: 'PodInitializing' } } },
      ],
    },
  },
  { Status: 'Init:1/2' },
)
check(
  'a pod that ended',
  '/pods',
  {
    spec: { containers: [{}] },
    status: {
      phase: 'Succeeded',
      containerStatuses: [{ state: { terminated: { exitCode: 0, reason: 'Completed' } } }],
    },
  },
  { Status: 'Completed' },
)
check(
  'a deployment',
  'apps/deployments',
  { spec: { replicas: 3, selector: { matchLabels: { a: 'b' } } }, status: { readyReplicas: 1, updatedReplicas: 2 } },
  { Ready: '1/3', 'Up-to-date': 2, Available: 0, Selector: 'a=b' },
)
check(
  'a job',
  'batch/jobs',
  {
    spec: { completions: 3 },
    status: {
      succeeded: 3,
      startTime: '2026-01-01T00:00:00Z',
      completionTime: '2026-01-01T00:00:07Z',
      conditions: [{ type: 'Complete', status: 'True' }],
    },
  },
  { Status: 'Complete', Completions: '3/3', Duration: '7s' },
)
check(
  'a node port service',
  '/services',
  { spec: { type: 'NodePort', clusterIP: '10.0.0.5', ports: [{ port: 80, nodePort: 30080, protocol: 'TCP' }] } },
  {
    Type: 'NodePort',
    'Cluster-IP': '10.0.0.5',
    'External-IP': '<none>',
    'Port(s)': '80:30080/TCP',
    Selector: '<none>',
  },
)
check('a balancer that waits', '/services', { spec: { type: 'LoadBalancer' } }, { 'External-IP': '<pending>' })
check('a secret', '/secrets', { type: 'Opaque', data: { a: '', b: '' } }, { Type: 'Opaque', Data: 2 })
check(
  'a claim',
  '/persistentvolumeclaims',
  {
    spec: { volumeName: 'v', storageClassName: 's' },
    status: { phase: 'Bound', capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'] },
  },
  { Status: 'Bound', Capacity: '1Gi', 'Access Modes': 'RWO', StorageClass: 's' },
)
check(
  'an autoscaler',
  'autoscaling/horizontalpodautoscalers',
  {
    spec: {
      minReplicas: 1,
      maxReplicas: 5,
      scaleTargetRef: { kind: 'Deployment', name: 'd' },
      metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { averageUtilization: 70 } } }],
    },
  },
  { Reference: 'Deployment/d', Targets: 'cpu: <unknown>/70%', MinPods: '1', MaxPods: 5 },
)
check(
  'a node',
  '/nodes',
  {
    metadata: { labels: { 'node-role.kubernetes.io/worker': '' } },
    spec: { unschedulable: true },
    status: { conditions: [{ type: 'Ready', status: 'True' }], nodeInfo: { kubeletVersion: 'v1' } },
  },
  { Status: 'Ready,SchedulingDisabled', Roles: 'worker', Version: 'v1' },
)
check('a kind without columns of its own', 'node.k8s.io/runtimeclasses', {}, { Name: 'x', Age: '24h' })

test('a span is written in at most two units', () => {
  const seconds: readonly (readonly [number, string])[] = [
    [-5, '<invalid>'],
    [0, '0s'],
    [119, '119s'],
    [120, '2m'],
    [150, '2m30s'],
    [3_600, '60m'],
    [3 * 3_600, '3h'],
    [3 * 3_600 + 60, '3h1m'],
    [47 * 3_600, '47h'],
    [48 * 3_600, '2d'],
    [49 * 3_600, '2d1h'],
    [400 * 86_400, '400d'],
    [800 * 86_400, '2y70d'],
    [4_000 * 86_400, '10y'],
  ]
  for (const [span, expected] of seconds) assert.equal(humanDuration(span * 1_000), expected, String(span))
})
