import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import type { Pass } from '../../shared/core/status.ts'
import { openLab, type Lab } from '../support/sync-lab.ts'
import { configMap, deployment, hook, job, wave } from '../support/sync-objects.ts'
import { syncServers } from '../support/sync-servers.ts'
import { WriteOrder } from '../support/write-order.ts'

for (const server of syncServers) {
  test(`hooks on ${server.name}`, async (t) => {
    const skip = await server.missing()
    if (skip !== undefined) return t.skip(skip)
    const running = await server.start(t)
    const order = await WriteOrder.start(running)
    t.after(() => order.stop())
    await policies(t, running, order)
    await failures(t, running, order)
    await endings(t, running, order)
  })
}

type Running = Parameters<typeof openLab>[1]

const helm = (name: string, annotations: Readonly<Record<string, string>>): object => {
  const notes = Object.entries(annotations).map(([key, value]) => [`helm.sh/${key}`, value])
  return job(name, Object.fromEntries(notes) as Record<string, string>)
}

async function policies(t: TestContext, server: Running, order: WriteOrder): Promise<void> {
  const cases = [
    { policy: 'HookSucceeded', hint: undefined, stays: false },
    { policy: 'HookSucceeded', hint: 'fail', stays: true },
    { policy: 'HookFailed', hint: undefined, stays: true },
    { policy: 'HookFailed', hint: 'fail', stays: false },
    { policy: 'HookSucceeded,HookFailed', hint: 'fail', stays: false },
    { policy: 'BeforeHookCreation', hint: undefined, stays: true },
    { policy: 'Never', hint: undefined, stays: true },
  ]
  await t.test('a finished hook goes or stays as its delete policy says', async (t) => {
    await Promise.all(
      cases.map(async ({ policy, hint, stays }) => {
        const lab = await openLab(t, server, 'policy')
        await lab.commit([job('hook', hook('PreSync', policy), hint), configMap('plain')])
        const { outcome } = await lab.sync()
        assert.equal(outcome?.phase, hint === undefined ? 'Succeeded' : 'Failed', `${policy}: ${outcome?.message}`)
        const kept = await jobIn(lab, 'hook')
        assert.equal(kept !== undefined && kept.metadata.deletionTimestamp === undefined, stays, `${policy} ${hint}`)
      }),
    )
  })

  await t.test("Helm's hooks run where Argo CD maps them, by weight; tests never", async (t) => {
    const lab = await openLab(t, server, 'helm')
    await lab.commit([
      helm('tested', { hook: 'test' }),
      helm('after', { hook: 'post-install,post-upgrade', 'hook-delete-policy': 'hook-succeeded' }),
      helm('second', { hook: 'pre-upgrade', 'hook-weight': '5' }),
      helm('first', { hook: 'pre-install', 'hook-weight': '-5' }),
      configMap('plain'),
    ])
    const { outcome } = await lab.sync()
    assert.equal(outcome?.phase, 'Succeeded', outcome?.message)
    assert.deepEqual(await order.of(lab.name), [
      `Namespace/${lab.name}`,
      'Job/first',
      'Job/second',
      'ConfigMap/plain',
      'Job/after',
      '-Job/after',
    ])
  })

  await t.test('a hook of two phases runs in both, and is made anew for the second', async (t) => {
    const lab = await openLab(t, server, 'twice')
    await lab.commit([job('both', hook('PreSync,PostSync')), configMap('plain')])
    const { outcome } = await lab.sync()
    assert.equal(outcome?.phase, 'Succeeded', outcome?.message)
    assert.deepEqual(await order.of(lab.name), [
      `Namespace/${lab.name}`,
      'Job/both',
      'ConfigMap/plain',
      '-Job/both',
      'Job/both',
    ])
  })

  await t.test('hooks are no part of the state: neither drift nor prune, even when Git drops them', async (t) => {
    const lab = await openLab(t, server, 'state')
    await lab.commit([job('pre', hook('PreSync')), configMap('plain')])
    const first = await lab.sync()
    assert.deepEqual(namesOf(first), ['ConfigMap/plain'])
    await lab.commit([configMap('plain')])
    const { snapshot, plan } = await lab.look()
    assert.equal(snapshot.sync, 'Synced')
    assert.deepEqual(plan?.steps, [])
  })
}

async function failures(t: TestContext, server: Running, order: WriteOrder): Promise<void> {
  await t.test('a PreSync hook that fails stops the sync and sets off SyncFail', async (t) => {
    const lab = await openLab(t, server, 'presync')
    await lab.commit([job('pre', hook('PreSync'), 'fail'), configMap('plain'), job('rescue', hook('SyncFail'))])
    const { outcome, snapshot } = await lab.sync()
    assert.equal(outcome?.phase, 'Failed')
    assert.match(outcome?.message ?? '', /the PreSync hook Job .*pre failed/)
    assert.equal(snapshot.sync, 'OutOfSync')
    assert.deepEqual(await order.of(lab.name), [`Namespace/${lab.name}`, 'Job/pre', 'Job/rescue'])
  })

  await t.test('an object that comes out degraded fails the sync; PostSync does not run, SyncFail does', async (t) => {
    const lab = await openLab(t, server, 'degraded')
    const pod = { restartPolicy: 'Always', containers: [{ name: 'main', image: 'nginx:1.27' }] }
    const metadata = { name: 'broken', annotations: { 'simulator.plumbline.dev/pod': 'fail' } }
    await lab.commit([
      { apiVersion: 'v1', kind: 'Pod', metadata, spec: pod },
      job('post', hook('PostSync')),
      job('rescue', hook('SyncFail')),
    ])
    const { outcome } = await lab.sync()
    assert.equal(outcome?.phase, 'Failed', outcome?.message)
    assert.match(outcome?.message ?? '', /Pod .*broken is degraded/)
    const writes = await order.of(lab.name)
    assert.deepEqual(writes, [`Namespace/${lab.name}`, 'Job/rescue'])
  })

  await t.test('a hook that the server would refuse is found before anything is written', async (t) => {
    const lab = await openLab(t, server, 'refused')
    await lab.commit([configMap('plain')])
    await lab.sync()
    const bad = { ...job('bad', hook('PostSync')), spec: { template: { spec: { containers: [] } } } }
    await lab.commit([configMap('plain', { changed: 'yes' }), bad])
    const before = await order.of(lab.name)
    const { outcome } = await lab.sync()
    assert.equal(outcome?.phase, 'Failed')
    assert.match(outcome?.message ?? '', /nothing was applied/)
    assert.deepEqual(await order.of(lab.name), before)
  })

  await t.test('words that mean nothing are conditions that name them', async (t) => {
    const lab = await openLab(t, server, 'words')
    const spec = { syncPolicy: { syncOptions: ['CreateNamespace=true', 'Bogus=true', 'Validate=maybe'] } }
    await lab.commit([job('odd', hook('PreFlight')), configMap('plain', {}, { ...hook('Skip'), ...wave(0) })], spec)
    const told = (await lab.look()).snapshot.conditions.map(({ message }) => message).join('\n')
    for (const text of ['Bogus', 'Validate is true or false, not maybe', 'there is no hook PreFlight']) {
      assert.ok(told.includes(text), `${text} in ${told}`)
    }
  })
}

async function endings(t: TestContext, server: Running, order: WriteOrder): Promise<void> {
  await t.test('a hook that never ends is ended by the deadline, and SyncFail runs', async (t) => {
    const lab = await openLab(t, server, 'deadline')
    await lab.commit([
      job('stuck', hook('PreSync'), 'never-ready'),
      configMap('plain'),
      job('rescue', hook('SyncFail')),
    ])
    const { outcome } = await lab.sync({ deadlineMs: 1500 })
    assert.equal(outcome?.phase, 'Failed')
    assert.match(outcome?.message ?? '', /waits for the PreSync hook Job .*stuck to end after 2 s/)
    assert.ok(!(await order.of(lab.name)).includes('ConfigMap/plain'))
    assert.ok((await order.of(lab.name)).includes('Job/rescue'))
  })

  await t.test('a sync that is terminated ends failed, and its running hooks with it', async (t) => {
    const lab = await openLab(t, server, 'terminate')
    await lab.commit([job('stuck', hook('PreSync'), 'never-ready'), configMap('plain')])
    const application = await lab.application()
    const store = await lab.session.store(application)
    let asked: Promise<boolean> | undefined
    const { outcome } = await lab.sync({}, (event) => {
      if (event.kind === 'waiting') asked ??= store.terminate(lab.name, {})
    })
    assert.equal(await asked, true)
    assert.equal(outcome?.phase, 'Failed')
    assert.match(outcome?.message ?? '', /terminated/)
    const left = await jobIn(lab, 'stuck')
    assert.ok(left === undefined || left.metadata.deletionTimestamp !== undefined)
  })

  await t.test('a deletion runs PreDelete first and PostDelete last', async (t) => {
    const lab = await openLab(t, server, 'delete')
    await lab.commit([
      job('farewell', hook('PostDelete', 'HookSucceeded')),
      job('warning', hook('PreDelete', 'HookSucceeded')),
      configMap('plain'),
      deployment('web', wave(1)),
    ])
    const first = await lab.sync()
    assert.equal(first.outcome?.phase, 'Succeeded', first.outcome?.message)
    const before = (await order.of(lab.name)).length
    const { outcome } = await lab.sync({ teardown: true })
    assert.equal(outcome?.phase, 'Succeeded', outcome?.message)
    const writes = (await order.of(lab.name)).slice(before)
    assert.deepEqual(writes.slice(0, 4), ['Job/warning', '-Deployment/web', '-ConfigMap/plain', 'Job/farewell'])
  })
}

function namesOf({ snapshot }: Pass): readonly string[] {
  return snapshot.resources.map(({ id }) => `${id.kind}/${id.name}`)
}

type Job = { readonly metadata: { readonly deletionTimestamp?: string } }

async function jobIn(lab: Lab, name: string): Promise<Job | undefined> {
  return (await lab.http.send('GET', `/apis/batch/v1/namespaces/${lab.name}/jobs/${name}`)) as Job | undefined
}
