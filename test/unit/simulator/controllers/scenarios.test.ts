import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SimulatedCluster, at, condition, isReady, podTemplate, workload } from '../../../support/simulated-cluster.ts'

/** What a scenario makes of a pod of a deployment, and of the deployment. */
interface Outcome {
  readonly phase: string
  readonly ready: boolean
  readonly waiting?: string
  /** A reason among the pod's events. */
  readonly event?: string
}

const outcomes: Readonly<Record<string, Outcome>> = {
  'never-ready': { phase: 'Running', ready: false },
  'probe-failing': { phase: 'Running', ready: false, event: 'Unhealthy' },
  'image-pull-error': { phase: 'Pending', ready: false, waiting: 'ImagePullBackOff', event: 'Failed' },
  'crash-loop': { phase: 'Running', ready: false, waiting: 'CrashLoopBackOff', event: 'BackOff' },
  fail: { phase: 'Running', ready: false, waiting: 'CrashLoopBackOff', event: 'BackOff' },
}

for (const [does, { phase, ready, waiting, event }] of Object.entries(outcomes)) {
  test(`pods annotated ${does} go wrong so, and the rollout is told as stuck after its deadline`, () => {
    const cluster = new SimulatedCluster()
    cluster.create('deployments', workload('web', { replicas: 1, progressDeadlineSeconds: 30 }, does))
    cluster.pass(10)
    const [pod] = cluster.list('pods')
    assert.equal(at(pod, 'status', 'phase'), phase)
    assert.equal(isReady(pod), ready)
    assert.equal(at(pod, 'status', 'containerStatuses', 0, 'state', 'waiting', 'reason'), waiting)
    const reasons = cluster.list('events').map((told) => at(told, 'reason'))
    if (event !== undefined) assert.ok(reasons.includes(event), reasons.join())
    cluster.pass(60)
    const web = cluster.get('deployments', 'web')
    assert.equal(condition(web, 'Available')?.status, 'False')
    assert.equal(condition(web, 'Progressing')?.reason, 'ProgressDeadlineExceeded')
    assert.deepEqual(cluster.errors, [])
  })
}

test('what a scenario does is called simulated wherever it is told', () => {
  for (const does of Object.keys(outcomes)) {
    const cluster = new SimulatedCluster()
    cluster.create('deployments', workload('web', { replicas: 1 }, does))
    cluster.pass(10)
    const [pod] = cluster.list('pods')
    assert.equal(at(pod, 'metadata', 'annotations', 'simulator.plumbline.dev/simulated'), 'true')
    for (const told of cluster.list('events').filter((one) => at(one, 'involvedObject', 'kind') === 'Pod')) {
      if (at(told, 'source', 'component') === 'kubelet') assert.match(String(at(told, 'message')), /simulated/u)
    }
  }
})

test('a job whose pods fail is told as failed', () => {
  const cluster = new SimulatedCluster()
  const template = podTemplate('once', 'fail', { restartPolicy: 'Never' })
  cluster.create('jobs', { metadata: { name: 'once' }, spec: { backoffLimit: 0, template } })
  cluster.pass(60)
  assert.equal(condition(cluster.get('jobs', 'once'), 'Failed')?.reason, 'BackoffLimitExceeded')
})

test('a deployment gets well when the scenario is taken away', () => {
  const cluster = new SimulatedCluster()
  cluster.create('deployments', workload('web', { replicas: 2 }, 'image-pull-error'))
  cluster.pass(10)
  const annotations = { 'simulator.plumbline.dev/pod': null }
  cluster.patch('deployments', 'web', { spec: { template: { metadata: { annotations } } } })
  cluster.pass(60)
  assert.equal(condition(cluster.get('deployments', 'web'), 'Available')?.status, 'True')
})
