import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { openLab, type Lab } from '../support/sync-lab.ts'
import { configMap, deployment, hook, job, options, wave } from '../support/sync-objects.ts'
import { syncServers } from '../support/sync-servers.ts'
import { WriteOrder } from '../support/write-order.ts'

for (const server of syncServers) {
  test(`sync options on ${server.name}`, async (t) => {
    const skip = await server.missing()
    if (skip !== undefined) return t.skip(skip)
    const running = await server.start(t)
    const order = await WriteOrder.start(running)
    t.after(() => order.stop())
    await prunes(t, running, order)
    await writes(t, running, order)
  })
}

type Running = Parameters<typeof openLab>[1]

/** Makes a sync wait for what it applied before. */
const ended = job('ended', hook('PostSync', 'HookSucceeded'))

const named = (name: string, n: number): object => configMap(name, {}, wave(n))
const fixed = (data: string, notes = {}): object => ({ ...configMap('fixed', { data }, notes), immutable: true })
const odd = (notes = {}): object => ({ ...configMap('odd', {}, notes), bogus: 1 })

async function prunes(t: TestContext, server: Running, order: WriteOrder): Promise<void> {
  await t.test('Prune=false, Prune=confirm and Helm keep hold prunes back; a confirmation lets them go', async (t) => {
    const lab = await openLab(t, server, 'prune')
    await lab.commit([
      configMap('kept', {}, options('Prune=false')),
      configMap('helm', {}, { 'helm.sh/resource-policy': 'keep' }),
      configMap('asked', {}, options('Prune=confirm')),
      configMap('plain'),
      configMap('rest'),
    ])
    await lab.sync()
    await lab.commit([configMap('rest')])
    const { outcome } = await lab.sync()
    const results = outcome?.steps.map(({ id, result }) => `${id.name} ${result}`).sort()
    assert.deepEqual(results, ['asked PruneSkipped', 'helm PruneSkipped', 'kept PruneSkipped', 'plain Pruned'])
    await lab.sync({ confirmed: true })
    assert.deepEqual(await configMaps(lab), ['helm', 'kept', 'rest'])
  })

  await t.test('Delete=false and Delete=confirm outlive the application', async (t) => {
    const lab = await openLab(t, server, 'delete')
    await lab.commit([
      configMap('kept', {}, options('Delete=false')),
      configMap('asked', {}, options('Delete=confirm')),
      configMap('plain'),
    ])
    await lab.sync()
    const { outcome } = await lab.sync({ teardown: true })
    assert.match(outcome?.message ?? '', /asks for a confirmation; nothing was deleted/)
    assert.deepEqual(await configMaps(lab), ['asked', 'kept', 'plain'])
    await lab.sync({ teardown: true, confirmed: true })
    assert.deepEqual(await configMaps(lab), ['kept'])
  })

  await t.test('prunes go through the waves backwards; PruneLast after everything else', async (t) => {
    const lab = await openLab(t, server, 'backwards')
    await lab.commit([named('a', 0), named('b', 1), named('c', 2), configMap('last', {}, options('PruneLast=true'))])
    await lab.sync()
    await lab.commit([named('d', 2)])
    const before = (await order.of(lab.name)).length
    const { outcome } = await lab.sync()
    assert.equal(outcome?.phase, 'Succeeded', outcome?.message)
    const made = (await order.of(lab.name)).slice(before)
    const expected = ['-ConfigMap/c', '-ConfigMap/b', '-ConfigMap/a', 'ConfigMap/d', '-ConfigMap/last']
    assert.deepEqual(made, expected)
  })

  await t.test('a prune of everything needs a yes', async (t) => {
    const lab = await openLab(t, server, 'empty')
    await lab.commit([configMap('a')])
    await lab.sync()
    await lab.commit([])
    const { outcome } = await lab.sync()
    assert.deepEqual(
      outcome?.steps.map(({ result }) => result),
      ['PruneSkipped'],
    )
    assert.deepEqual(await configMaps(lab), ['a'])
    await lab.sync({ allowEmpty: true })
    assert.deepEqual(await configMaps(lab), [])
  })

  await t.test('PrunePropagationPolicy=orphan leaves the pods of a Deployment alone', async (t) => {
    const lab = await openLab(t, server, 'orphan')
    await lab.commit([deployment('web', options('PrunePropagationPolicy=orphan')), configMap('rest'), ended])
    await lab.sync()
    await lab.commit([configMap('rest')])
    await lab.sync()
    const { items } = (await lab.http.send('GET', `/apis/apps/v1/namespaces/${lab.name}/replicasets`)) as List
    assert.equal(items.length, 1)
  })
}

async function writes(t: TestContext, server: Running, order: WriteOrder): Promise<void> {
  await t.test('an immutable field is refused; Force makes the object anew', async (t) => {
    const lab = await openLab(t, server, 'force')
    await lab.commit([fixed('one')])
    await lab.sync()
    await lab.commit([fixed('two')])
    assert.equal((await lab.sync()).outcome?.phase, 'Failed')
    const pass = await lab.sync({ force: true })
    assert.equal(pass.outcome?.phase, 'Succeeded', pass.outcome?.message)
    assert.equal(pass.snapshot.sync, 'Synced')
    await lab.commit([fixed('three', options('Force=true'))])
    assert.equal((await lab.sync()).outcome?.phase, 'Succeeded')
    const twice = ['-ConfigMap/fixed', 'ConfigMap/fixed']
    assert.deepEqual((await order.of(lab.name)).slice(2), [...twice, ...twice])
  })

  await t.test('a Job with Force and Replace is made anew by every sync', async (t) => {
    const lab = await openLab(t, server, 'anew')
    await lab.commit([job('task', options('Force=true,Replace=true')), configMap('plain')])
    await lab.sync()
    const pass = await lab.sync()
    assert.equal(pass.outcome?.phase, 'Succeeded', pass.outcome?.message)
    assert.deepEqual((await order.of(lab.name)).slice(3), ['-Job/task', 'Job/task'])
  })

  await t.test('Replace takes away what Git does not have, whoever put it there', async (t) => {
    const lab = await openLab(t, server, 'replace')
    await lab.commit([
      configMap('a', { x: '1', y: '2' }, options('Replace=true')),
      deployment('web', options('Replace=true')),
    ])
    await lab.sync()
    await edit(lab, 'a', { data: { hand: 'made' } })
    await lab.commit([
      configMap('a', { x: '2' }, options('Replace=true')),
      deployment('web', options('Replace=true'), { image: 'nginx:1.28' }),
    ])
    const pass = await lab.sync()
    assert.equal(pass.outcome?.phase, 'Succeeded', pass.outcome?.message)
    assert.equal(pass.snapshot.sync, 'Synced', JSON.stringify(pass.plan))
    assert.deepEqual((await read(lab, 'a')).data, { x: '2' })
    await lab.commit([configMap('a', { x: '2' }, options('Replace=true')), deployment('web')])
    assert.equal((await lab.sync()).snapshot.sync, 'Synced')
  })

  await t.test(
    'ServerSideApply=false merges three ways and leaves kubectl its annotation; going back takes over',
    async (t) => {
      const lab = await openLab(t, server, 'client')
      const old = options('ServerSideApply=false')
      await lab.commit([configMap('a', { x: '1', y: '2' }, old), deployment('web', old)])
      assert.equal((await lab.sync()).snapshot.sync, 'Synced')
      const annotation = 'kubectl.kubernetes.io/last-applied-configuration'
      assert.ok((await read(lab, 'a')).metadata.annotations[annotation])
      await lab.commit([configMap('a', { x: '2' }, old), deployment('web', old, { image: 'nginx:1.28' })])
      const pass = await lab.sync()
      assert.equal(pass.outcome?.phase, 'Succeeded', pass.outcome?.message)
      assert.equal(pass.snapshot.sync, 'Synced', JSON.stringify(pass.plan?.steps))
      assert.deepEqual((await read(lab, 'a')).data, { x: '2' })
      await lab.commit([configMap('a', { z: '1' }), deployment('web', {}, { image: 'nginx:1.29' })])
      const back = await lab.sync()
      assert.equal(back.snapshot.sync, 'Synced', back.outcome?.message)
      assert.deepEqual((await read(lab, 'a')).data, { z: '1' })
    },
  )

  await t.test('what kubectl applied becomes ours, unless ClientSideApplyMigration=false', async (t) => {
    const lab = await openLab(t, server, 'migrate')
    await lab.commit([configMap('rest')])
    await lab.sync()
    for (const name of ['moved', 'left']) {
      const path = `/api/v1/namespaces/${lab.name}/configmaps?fieldManager=kubectl-client-side-apply`
      await lab.http.send('POST', path, configMap(name, { a: '1' }))
    }
    const left = options('ClientSideApplyMigration=false')
    await lab.commit([configMap('rest'), configMap('moved', { a: '2' }), configMap('left', { a: '2' }, left)])
    await lab.sync()
    const managers = async (name: string): Promise<readonly string[]> =>
      (await read(lab, name)).metadata.managedFields.map(({ manager }) => manager)
    assert.deepEqual(await managers('moved'), ['plumbline'])
    assert.ok((await managers('left')).includes('plumbline'))
  })

  await t.test('Validate=false lets a field pass that the server does not know', async (t) => {
    const lab = await openLab(t, server, 'validate')
    await lab.commit([odd()])
    assert.equal((await lab.sync()).outcome?.phase, 'Failed')
    await lab.commit([odd(options('Validate=false'))])
    const pass = await lab.sync()
    assert.equal(pass.outcome?.phase, 'Succeeded', pass.outcome?.message)
    assert.equal(pass.snapshot.sync, 'Synced')
  })
}

type Live = {
  readonly data?: unknown
  readonly metadata: {
    readonly name: string
    readonly deletionTimestamp?: string
    readonly labels: Readonly<Record<string, string>>
    readonly annotations: Readonly<Record<string, string>>
    readonly managedFields: readonly { readonly manager: string }[]
  }
}
type List = { readonly items: readonly Live[] }

async function configMaps(lab: Lab): Promise<readonly string[]> {
  const { items } = (await lab.http.send('GET', `/api/v1/namespaces/${lab.name}/configmaps`)) as List
  const alive = items.filter(({ metadata }) => metadata.deletionTimestamp === undefined)
  return alive.map(({ metadata }) => metadata.name).filter((name) => name !== 'kube-root-ca.crt')
}

async function read(lab: Lab, name: string): Promise<Live> {
  return (await lab.http.send('GET', `/api/v1/namespaces/${lab.name}/configmaps/${name}`)) as Live
}

async function edit(lab: Lab, name: string, change: object): Promise<void> {
  const path = `/api/v1/namespaces/${lab.name}/configmaps/${name}?fieldManager=hand`
  await lab.http.send('PATCH', path, change, 'application/merge-patch+json')
}
