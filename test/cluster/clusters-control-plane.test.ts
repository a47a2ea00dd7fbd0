import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import test from 'node:test'
import { sleep } from '../../shared/base/abort.ts'
import { ClustersError } from '../../shared/clusters/clusters-error.ts'
import { processesNaming } from '../../shared/clusters/process-identity.ts'
import type { ClusterEvent } from '../../shared/model/cluster.ts'
import { probeContext } from '../../shared/session/kube-contexts.ts'
import { clustersLab, kubeconfigText, type ClustersLab } from '../support/clusters-lab.ts'
import { missingTools } from '../support/tools/find.ts'

const skip = missingTools('kube-apiserver', 'etcd', 'kube-controller-manager', 'kubectl')
const REF = { provider: 'control-plane', name: 'dev' } as const

test('a control plane lives its whole life with real servers, and keeps what is in it', { skip }, async (t) => {
  const lab = clustersLab(t)
  const clusters = lab.open()
  const events: ClusterEvent[] = []
  const timed = await times(t, 'created', async () =>
    clusters.create({ ...REF, version: '1.36.2', setCurrent: true }, { onEvent: (event) => events.push(event) }),
  )
  assert.equal(timed.state, 'running')
  assert.equal(timed.version, 'v1.36.2')
  assert.ok(timed.owned)
  const steps = events.flatMap((event) => (event.kind === 'step' && event.state === 'done' ? [event.title] : []))
  assert.deepEqual(steps, ['Starting etcd', 'Starting kube-apiserver v1.36.2', 'Starting kube-controller-manager'])
  assert.equal(lab.kubectl('config', 'current-context').trim(), 'control-plane-dev')
  lab.kubectl('create', 'configmap', 'kept', '--from-literal=a=b')
  lab.kubectl('create', 'deployment', 'web', '--image=nginx', '--replicas=2')
  await eventually(() => assert.equal(lab.kubectl('get', 'pods', '-o', 'name').trim().split('\n').length, 2))

  assert.equal((await times(t, 'stopped', async () => clusters.stop(REF))).state, 'stopped')
  assert.equal((await probeContext('control-plane-dev', { env: lab.env })).state, 'unreachable')
  assert.equal((await times(t, 'started', async () => clusters.start(REF))).state, 'running')
  assert.equal(lab.kubectl('get', 'configmap', 'kept', '-o', 'jsonpath={.data.a}'), 'b')
  const probe = await probeContext('control-plane-dev', { env: lab.env })
  assert.deepEqual([probe.state, probe.version], ['reachable', 'v1.36.2'])

  const logs = await clusters.exportLogs(REF, path.join(lab.folder, 'logs'))
  assert.deepEqual(readdirSync(logs).sort(), ['etcd.log', 'kube-apiserver.log', 'kube-controller-manager.log'])
  await assert.rejects(clusters.loadImage(REF, 'nginx'), (error) => ClustersError.is(error, 'unsupported'))

  await times(t, 'deleted', async () => clusters.delete(REF))
  await assertNothingLeft(lab)
  assert.ok(!kubeconfigText(lab).includes('control-plane-dev'))
})

test(
  'its secrets are for its owner alone, and nobody reaches etcd or the API without a certificate',
  { skip },
  async (t) => {
    const lab = clustersLab(t)
    const row = await lab.open().create(REF)
    const folder = path.dirname(row.kubeconfig ?? '')
    for (const name of readdirSync(folder)) {
      const { mode } = statSync(path.join(folder, name))
      assert.equal(mode & 0o077, 0, `${name} is ${(mode & 0o777).toString(8)}`)
    }
    const plane = JSON.parse(readFileSync(path.join(folder, 'control-plane.json'), 'utf8')) as {
      port: number
      etcdPort: number
    }
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
    t.after(() => delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'])
    const answer = await fetch(`https://127.0.0.1:${plane.port}/api/v1/secrets`)
    assert.ok(answer.status === 401 || answer.status === 403, String(answer.status))
    await assert.rejects(fetch(`https://127.0.0.1:${plane.etcdPort}/health`))
  },
)

test('a cancelled creation leaves no process, no file and no context', { skip }, async (t) => {
  const lab = clustersLab(t)
  const clusters = lab.open()
  for (const afterMs of [50, 700, 2500]) {
    const abort = new AbortController()
    setTimeout(() => abort.abort(), afterMs)
    await assert.rejects(clusters.create(REF, { signal: abort.signal }), { name: 'CancelledError' })
    await assertNothingLeft(lab)
  }
})

test(
  'a creation that is killed at any moment is seen, and made again or deleted by the next process',
  { skip },
  async (t) => {
    const lab = clustersLab(t)
    for (const [round, afterMs] of [300, 1200, 4000].entries()) {
      await killDuringCreate(lab, afterMs)
      const clusters = lab.open()
      const [row] = (await clusters.list()).filter(({ provider }) => provider === 'control-plane')
      assert.equal(row?.state, 'failed', `killed after ${afterMs} ms`)
      assert.match(row?.detail ?? '', /cut off/)
      if (round === 1) {
        assert.equal((await clusters.create(REF)).state, 'running')
        assert.equal(
          lab.kubectl('--context', 'control-plane-dev', 'get', 'ns', 'default', '-o', 'name').trim(),
          'namespace/default',
        )
      }
      await clusters.delete(REF)
      await assertNothingLeft(lab)
    }
  },
)

test('a server that died is shown, and starting brings it back', { skip }, async (t) => {
  const lab = clustersLab(t)
  const clusters = lab.open()
  const row = await clusters.create(REF)
  const mark = JSON.parse(
    readFileSync(path.join(path.dirname(row.kubeconfig ?? ''), 'kube-apiserver.pid.json'), 'utf8'),
  ) as { pid: number }
  process.kill(mark.pid, 'SIGKILL')
  await eventually(async () => assert.equal((await clusters.find(REF))?.state, 'failed'))
  assert.match((await clusters.find(REF))?.detail ?? '', /only etcd and kube-controller-manager run/)
  assert.equal((await clusters.start(REF)).state, 'running')
})

test('ports that others took while it was stopped are replaced, in the kubeconfig too', { skip }, async (t) => {
  const lab = clustersLab(t)
  const clusters = lab.open()
  await clusters.create(REF)
  await clusters.stop(REF)
  const port = Number(/127\.0\.0\.1:(\d+)/.exec(kubeconfigText(lab))?.[1])
  const squatter = createServer()
  await new Promise<void>((resolve) => squatter.listen(port, '127.0.0.1', resolve))
  t.after(() => squatter.close())
  await clusters.start(REF)
  assert.ok(!kubeconfigText(lab).includes(`:${port}`))
  assert.equal(lab.kubectl('--context', 'control-plane-dev', 'version', '-o', 'json').includes('v1.36.2'), true)
})

test('a version that is not there is refused with those that are, and nothing is made', { skip }, async (t) => {
  const lab = clustersLab(t)
  const clusters = lab.open()
  await assert.rejects(clusters.create({ ...REF, version: 'v1.2.3' }), (error) => {
    assert.ok(ClustersError.is(error, 'tool-missing'))
    assert.match(error.message, /no kube-apiserver v1\.2\.3 \(there is v1\.36\.2\)/)
    return true
  })
  await assert.rejects(clusters.create({ ...REF, nodes: 2 }), (error) => ClustersError.is(error, 'unsupported'))
  await assertNothingLeft(lab)
})

async function assertNothingLeft(lab: ClustersLab): Promise<void> {
  await eventually(async () =>
    assert.deepEqual(await processesNaming(path.join(lab.state, 'clusters', 'control-plane', 'dev')), []),
  )
  assert.ok(!existsSync(path.join(lab.state, 'clusters', 'control-plane', 'dev')))
  const rows = (await lab.open().list()).filter(({ provider }) => provider === 'control-plane')
  assert.deepEqual(rows, [])
  assert.ok(!kubeconfigText(lab).includes('name: control-plane-dev'))
}

/** Runs the real command line and kills it, as a crash would. */
async function killDuringCreate(lab: ClustersLab, afterMs: number): Promise<void> {
  const main = path.resolve(import.meta.dirname, '../../cli/main.ts')
  const child = spawn(process.execPath, [main, 'cluster', 'create', 'control-plane/dev'], {
    env: lab.env,
    stdio: 'ignore',
  })
  const record = path.join(lab.state, 'clusters', 'records', 'control-plane--dev.json')
  await eventually(() => assert.ok(existsSync(record)))
  await sleep(afterMs)
  child.kill('SIGKILL')
  await new Promise((resolve) => child.once('close', resolve))
}

async function eventually(holds: () => void | Promise<void>): Promise<void> {
  const deadline = Date.now() + 20_000
  for (;;) {
    try {
      return await holds()
    } catch (error) {
      if (Date.now() > deadline) throw error
      await sleep(50)
    }
  }
}

async function times<T>(t: { diagnostic(text: string): void }, what: string, run: () => Promise<T>): Promise<T> {
  const started = performance.now()
  const value = await run()
  t.diagnostic(`${what} in ${((performance.now() - started) / 1000).toFixed(1)} s`)
  return value
}
