import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Body } from '../../../support/simulated-cluster.ts'
import {
  SimulatedCluster,
  at,
  condition,
  conditionsOf,
  isReady,
  podTemplate,
  workload,
} from '../../../support/simulated-cluster.ts'

const reached = (o: unknown): string[] =>
  conditionsOf(o)
    .filter(({ status }) => status === 'True')
    .map(({ type }) => type)

const job = (name: string, spec: object, does?: string): Body => ({
  metadata: { name },
  spec: { template: podTemplate(name, does, { restartPolicy: 'Never' }), ...spec },
})

const claims = [
  { metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
]

test('a stateful set starts its pods one after the other, each with a claim of its own', () => {
  const cluster = new SimulatedCluster()
  cluster.create('statefulsets', workload('db', { replicas: 3, serviceName: 'db', volumeClaimTemplates: claims }))
  for (let step = 0; step < 100; step++) {
    cluster.pass(0.02)
    const pods = cluster.list('pods')
    assert.ok(pods.filter((pod) => !isReady(pod)).length <= 1)
  }
  assert.deepEqual(cluster.names('pods'), ['db-0', 'db-1', 'db-2'])
  assert.deepEqual(cluster.names('persistentvolumeclaims'), ['data-db-0', 'data-db-1', 'data-db-2'])
  assert.equal(at(cluster.get('persistentvolumeclaims', 'data-db-0'), 'status', 'phase'), 'Bound')
  assert.equal(at(cluster.get('statefulsets', 'db'), 'status', 'readyReplicas'), 3)
})

test('a stateful set updates from the highest pod down and stops at one that does not get ready', () => {
  const cluster = new SimulatedCluster()
  cluster.create('statefulsets', workload('db', { replicas: 3, serviceName: 'db' }))
  cluster.pass(5)
  cluster.patch('statefulsets', 'db', { spec: { template: podTemplate('db', 'never-ready') } })
  cluster.pass(60)
  const revision = (name: string): unknown =>
    at(cluster.get('pods', name), 'metadata', 'labels', 'controller-revision-hash')
  assert.equal(revision('db-0'), revision('db-1'))
  assert.notEqual(revision('db-2'), revision('db-1'))
})

test('a stateful set keeps pods below its partition', () => {
  const cluster = new SimulatedCluster()
  const updateStrategy = { type: 'RollingUpdate', rollingUpdate: { partition: 1 } }
  cluster.create('statefulsets', workload('db', { replicas: 2, serviceName: 'db', updateStrategy }))
  cluster.pass(5)
  cluster.patch('statefulsets', 'db', { spec: { template: { metadata: { labels: { app: 'db', new: 'yes' } } } } })
  cluster.pass(60)
  assert.equal(at(cluster.get('pods', 'db-0'), 'metadata', 'labels', 'new'), undefined)
  assert.equal(at(cluster.get('pods', 'db-1'), 'metadata', 'labels', 'new'), 'yes')
})

test('a daemon set has a pod on every node it may use', () => {
  const cluster = new SimulatedCluster()
  cluster.create('nodes', { metadata: { name: 'second' } })
  cluster.patch('nodes', 'second', { spec: { taints: null } })
  cluster.create('daemonsets', workload('agent', {}))
  cluster.pass(5)
  const agent = cluster.get('daemonsets', 'agent')
  assert.deepEqual([at(agent, 'status', 'desiredNumberScheduled'), at(agent, 'status', 'numberReady')], [2, 2])
})

test('a job completes when enough pods have succeeded', () => {
  const cluster = new SimulatedCluster()
  cluster.create('jobs', job('once', { completions: 3, parallelism: 2 }))
  cluster.pass(10)
  const once = cluster.get('jobs', 'once')
  assert.equal(at(once, 'status', 'succeeded'), 3)
  assert.deepEqual(reached(once).sort(), ['Complete', 'SuccessCriteriaMet'])
})

test('a job whose pods fail tries again as often as it may and then has failed', () => {
  const cluster = new SimulatedCluster()
  cluster.create('jobs', job('broken', { backoffLimit: 2 }, 'fail'))
  cluster.pass(600)
  const broken = cluster.get('jobs', 'broken')
  assert.equal(at(broken, 'status', 'failed'), 3)
  assert.ok(reached(broken).includes('Failed'))
  assert.equal(condition(broken, 'Failed')?.reason, 'BackoffLimitExceeded')
})

test('a suspended job has no pods', () => {
  const cluster = new SimulatedCluster()
  cluster.create('jobs', job('later', { suspend: true }))
  cluster.pass(5)
  assert.deepEqual(cluster.names('pods'), [])
  cluster.patch('jobs', 'later', { spec: { suspend: false } })
  cluster.pass(10)
  assert.ok(reached(cluster.get('jobs', 'later')).includes('Complete'))
})

test('a job with a time to live goes when it is over', () => {
  const cluster = new SimulatedCluster()
  cluster.create('jobs', job('once', { ttlSecondsAfterFinished: 30 }))
  cluster.pass(10)
  assert.ok(cluster.get('jobs', 'once'))
  cluster.pass(60)
  assert.equal(cluster.get('jobs', 'once'), undefined)
  assert.deepEqual(cluster.names('pods'), [])
})

test('a cron job runs on its schedule and keeps as many finished jobs as it should', () => {
  const cluster = new SimulatedCluster()
  const jobTemplate = { spec: { template: podTemplate('tick', undefined, { restartPolicy: 'Never' }) } }
  cluster.create('cronjobs', {
    metadata: { name: 'tick' },
    spec: { schedule: '*/5 * * * *', successfulJobsHistoryLimit: 2, jobTemplate },
  })
  cluster.pass(4 * 60)
  assert.deepEqual(cluster.names('jobs'), [])
  cluster.pass(90)
  assert.equal(cluster.names('jobs').length, 1)
  cluster.pass(30 * 60)
  assert.equal(cluster.names('jobs').length, 2)
  assert.match(String(at(cluster.get('cronjobs', 'tick'), 'status', 'lastScheduleTime')), /^2026-01-01T00:\d[05]:00Z$/)
})

test('a cron job that forbids overlap waits for the job that still runs', () => {
  const cluster = new SimulatedCluster()
  const jobTemplate = { spec: { template: podTemplate('slow', 'never-ready', { restartPolicy: 'Never' }) } }
  cluster.create('cronjobs', {
    metadata: { name: 'slow' },
    spec: { schedule: '* * * * *', concurrencyPolicy: 'Forbid', jobTemplate },
  })
  cluster.pass(10 * 60)
  assert.equal(cluster.names('jobs').length, 1)
})
