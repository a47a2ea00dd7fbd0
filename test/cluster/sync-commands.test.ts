import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { plumbline, type CliResult } from '../support/line-cli.ts'
import { openLab, type Lab } from '../support/sync-lab.ts'
import { configMap, hook, job, options } from '../support/sync-objects.ts'
import { syncServers } from '../support/sync-servers.ts'
import { WriteOrder } from '../support/write-order.ts'

for (const server of syncServers) {
  test(`commands that bring and take on ${server.name}`, async (t) => {
    const skip = await server.missing()
    if (skip !== undefined) return t.skip(skip)
    const running = await server.start(t)
    const order = await WriteOrder.start(running)
    t.after(() => order.stop())
    await deletions(t, running, order)
    await resources(t, running, order)
    await syncs(t, running)
    await automated(t, running)
    await emptied(t, running)
  })
}

type Running = Parameters<typeof openLab>[1]

async function deletions(t: TestContext, server: Running, order: WriteOrder): Promise<void> {
  await t.test(
    'app delete asks for what wants to be confirmed, and deletes and forgets nothing without it',
    async (t) => {
      const lab = await openLab(t, server, 'asked')
      await lab.commit([
        configMap('a', {}, options('Delete=confirm')),
        configMap('b', {}, options('Prune=confirm')),
        configMap('c', {}, options('Delete=false')),
        configMap('d'),
      ])
      await lab.sync()
      const refused = await run(lab, server, 'delete', '--yes')
      assert.equal(refused.code, 2)
      assert.match(refused.stderr, /2 of them ask for a confirmation; nothing was deleted/)
      assert.match(refused.stderr, /say --confirm/)
      assert.deepEqual(await configMaps(lab), ['a', 'b', 'c', 'd'])
      assert.equal((await records(lab)).length, 3, 'what is owned is still known')
      const agreed = await run(lab, server, 'delete', '--yes', '--confirm')
      assert.equal(agreed.code, 0, agreed.stderr)
      assert.deepEqual(await configMaps(lab), ['c'])
      assert.deepEqual(await records(lab), [])
    },
  )

  await t.test('app delete runs PreDelete hooks first and PostDelete hooks last', async (t) => {
    const lab = await openLab(t, server, 'hooked')
    await lab.commit([
      job('before', hook('PreDelete', 'HookSucceeded')),
      job('after', hook('PostDelete', 'HookSucceeded')),
      job('pre', hook('PreSync')),
      configMap('a'),
    ])
    await lab.sync()
    const from = (await order.of(lab.name)).length
    const done = await run(lab, server, 'delete', '--yes')
    assert.equal(done.code, 0, done.stderr)
    const writes = (await order.of(lab.name)).slice(from)
    assert.deepEqual(writes.slice(0, 1), ['Job/before'])
    assert.ok(writes.indexOf('Job/after') > writes.indexOf('-ConfigMap/a'), writes.join())
    assert.ok(writes.includes('-Job/pre'), 'what syncs left of hooks goes too')
    assert.deepEqual(writes.slice(-2).sort(), ['-Job/after', '-Job/before'])
  })

  await t.test('app delete whose PreDelete hook fails deletes nothing and keeps its records', async (t) => {
    const lab = await openLab(t, server, 'failing')
    await lab.commit([job('before', hook('PreDelete'), 'fail'), configMap('a')])
    await lab.sync()
    const failed = await run(lab, server, 'delete', '--yes')
    assert.equal(failed.code, 2)
    assert.match(failed.stderr, /PreDelete hook .* failed.*; its records stay/)
    assert.deepEqual(await configMaps(lab), ['a'])
    assert.equal((await records(lab)).length, 3)
  })

  await t.test('app delete --no-cascade leaves the objects and forgets them', async (t) => {
    const lab = await openLab(t, server, 'left')
    await lab.commit([configMap('a')])
    await lab.sync()
    assert.equal((await run(lab, server, 'delete', '--yes', '--no-cascade')).code, 0)
    assert.deepEqual(await configMaps(lab), ['a'])
    assert.deepEqual(await records(lab), [])
  })

  await t.test('app delete with nobody to ask deletes nothing', async (t) => {
    const lab = await openLab(t, server, 'nobody')
    await lab.commit([configMap('a')])
    await lab.sync()
    const { code, stderr } = await run(lab, server, 'delete')
    assert.equal(code, 2)
    assert.match(stderr, /say --yes/)
    assert.deepEqual(await configMaps(lab), ['a'])
  })
}

async function resources(t: TestContext, server: Running, order: WriteOrder): Promise<void> {
  await t.test('app resource sync brings one resource, runs no hook and leaves no history', async (t) => {
    const lab = await openLab(t, server, 'resource')
    await lab.commit([configMap('a', { v: '1' }), configMap('b', { v: '1' })])
    await lab.sync()
    const changed = [configMap('a', { v: '2' }), configMap('b', { v: '2' }), job('pre', hook('PreSync'))]
    await lab.commit(changed)
    const from = (await order.of(lab.name)).length
    const { code, stderr } = await run(lab, server, 'resource sync', `ConfigMap:${lab.name}/a`)
    assert.equal(code, 0, stderr)
    assert.deepEqual((await order.of(lab.name)).slice(from), [])
    assert.deepEqual([await valueOf(lab, 'a'), await valueOf(lab, 'b')], ['2', '1'])
    assert.equal((await lab.look()).snapshot.history.length, 1)
  })

  await t.test('app resource sync leaves what Git dropped, unless it is to prune', async (t) => {
    const lab = await openLab(t, server, 'pruned')
    await lab.commit([configMap('a'), configMap('b')])
    await lab.sync()
    await lab.commit([configMap('a')])
    await run(lab, server, 'resource sync', 'ConfigMap:b')
    assert.deepEqual(await configMaps(lab), ['a', 'b'])
    assert.equal((await run(lab, server, 'resource sync', 'ConfigMap:b', '--prune')).code, 0)
    assert.deepEqual(await configMaps(lab), ['a'])
  })

  await t.test('app resource delete deletes one resource, which the next sync brings back', async (t) => {
    const lab = await openLab(t, server, 'deleted')
    await lab.commit([configMap('a'), configMap('b')])
    await lab.sync()
    const { code, stderr } = await run(lab, server, 'resource delete', 'ConfigMap:a', '--yes')
    assert.equal(code, 0, stderr)
    assert.deepEqual(await configMaps(lab), ['b'])
    await lab.sync()
    assert.deepEqual(await configMaps(lab), ['a', 'b'])
  })

  await t.test('app resource names nothing that there is not, and nothing of others', async (t) => {
    const lab = await openLab(t, server, 'named')
    await lab.commit([configMap('a')])
    await lab.sync()
    await lab.http.send('POST', `/api/v1/namespaces/${lab.name}/configmaps`, configMap('by-hand'))
    for (const name of ['ConfigMap:none', 'ConfigMap:by-hand']) {
      const { code, stderr } = await run(lab, server, 'resource delete', name, '--yes')
      assert.equal(code, 2)
      assert.match(stderr, new RegExp(`has no ${name} in the cluster`))
    }
    assert.deepEqual(await configMaps(lab), ['a', 'by-hand'])
  })
}

async function syncs(t: TestContext, server: Running): Promise<void> {
  await t.test('app sync names what is wrong, tries anew, and goes back; app history tells', async (t) => {
    const lab = await openLab(t, server, 'told')
    await lab.commit([configMap('a', { v: '1' })])
    assert.equal((await run(lab, server, 'sync')).code, 0)
    await lab.commit([configMap('a', { v: '2' }), job('pre', hook('PreSync'), 'fail')])
    const failed = await run(lab, server, 'sync', '--retry-limit', '1', '--retry-backoff-duration', '100ms')
    assert.equal(failed.code, 2)
    assert.match(failed.stderr, /the PreSync hook Job .*pre failed.*the next try comes in/)
    await lab.commit([configMap('a', { v: '3' })])
    assert.equal((await run(lab, server, 'sync')).code, 0)
    const history = JSON.parse((await run(lab, server, 'history', '-o', 'json')).stdout) as readonly { id: number }[]
    assert.deepEqual(
      history.map(({ id }) => id),
      [0, 1],
    )
    const one = await run(lab, server, 'history', '1', '-o', 'json')
    const steps = JSON.parse(one.stdout) as readonly { id: { name: string }; result: string; message: string }[]
    assert.deepEqual(
      steps.map(({ id, result, message }) => [id.name, result, message]),
      [['a', 'Synced', 'configured']],
    )
    assert.equal((await run(lab, server, 'history', '9')).code, 2, 'there is no such entry')
    const back = await run(lab, server, 'rollback')
    assert.equal(back.code, 0, back.stderr)
    assert.match(back.stderr, /back to 0: .*hooks do not run/)
    assert.equal(await valueOf(lab, 'a'), '1')
    assert.equal((await run(lab, server, 'terminate-op')).code, 2, 'nothing is under way')
  })
}

async function emptied(t: TestContext, server: Running): Promise<void> {
  await t.test('a sync that deletes everything is allowed and confirmed by whoever asks for it', async (t) => {
    const lab = await openLab(t, server, 'emptied')
    await lab.commit([configMap('a'), configMap('b')])
    await lab.sync()
    await lab.commit([], { syncPolicy: { automated: { allowEmpty: true, prune: true } } })
    const plain = await run(lab, server, 'sync', '--prune')
    assert.match(plain.stderr, /Git wants nothing at all/)
    const allowed = await run(lab, server, 'sync', '--prune', '--allow-empty')
    assert.equal(allowed.code, 2)
    assert.match(allowed.stderr, /− ConfigMap .*a[^]*there is no terminal to ask on[^]*say --confirm/)
    assert.deepEqual(await configMaps(lab), ['a', 'b'])
    const confirmed = await run(lab, server, 'sync', '--prune', '--allow-empty', '--confirm')
    assert.equal(confirmed.code, 0, confirmed.stderr)
    assert.deepEqual(await configMaps(lab), [])
  })
}

async function automated(t: TestContext, server: Running): Promise<void> {
  await t.test('what is automated is not synced to another revision than its own, but for a look', async (t) => {
    const lab = await openLab(t, server, 'automated')
    const first = await lab.commit([configMap('a', { v: '1' })])
    const spec = { syncPolicy: { automated: {}, syncOptions: ['CreateNamespace=true'] } }
    await lab.commit([configMap('a', { v: '2' })], spec)
    const refused = await run(lab, server, 'sync', '--revision', first)
    assert.equal(refused.code, 2)
    assert.match(refused.stderr, new RegExp(`cannot be synced to ${first}: auto-sync is set to HEAD`))
    assert.equal(await lab.http.send('GET', `/api/v1/namespaces/${lab.name}`), undefined)
    assert.equal((await run(lab, server, 'sync', '--revision', first, '--dry-run')).code, 0)
    assert.equal((await run(lab, server, 'sync')).code, 0)
    assert.equal(await valueOf(lab, 'a'), '2')
  })
}

/** `plumbline app VERB NAME ARGS`. */
async function run(lab: Lab, server: Running, verb: string, ...more: readonly string[]): Promise<CliResult> {
  const { kubeconfig, context } = server
  const place = ['--kubeconfig', kubeconfig, ...(context === '' ? [] : ['--context', context])]
  return plumbline(['app', ...verb.split(' '), lab.name, ...more, ...place], { cwd: lab.scaffold.folder })
}

type Item = {
  readonly metadata: {
    readonly name: string
    readonly deletionTimestamp?: string
    readonly annotations?: Readonly<Record<string, string>>
  }
}

async function configMaps(lab: Lab): Promise<readonly string[]> {
  const { items } = (await lab.http.send('GET', `/api/v1/namespaces/${lab.name}/configmaps`)) as { items: Item[] }
  const alive = items.filter(({ metadata }) => metadata.deletionTimestamp === undefined)
  return alive.map(({ metadata }) => metadata.name).filter((name) => name !== 'kube-root-ca.crt')
}

async function records(lab: Lab): Promise<readonly string[]> {
  const { items } = (await lab.http.send('GET', '/api/v1/namespaces/plumbline/configmaps')) as { items: Item[] }
  const ours = items.filter(({ metadata }) => metadata.annotations?.['plumbline.dev/application-name'] === lab.name)
  return ours.map(({ metadata }) => metadata.name)
}

async function valueOf(lab: Lab, name: string): Promise<string | undefined> {
  const found = await lab.http.send('GET', `/api/v1/namespaces/${lab.name}/configmaps/${name}`)
  return (found as { readonly data: { readonly v: string } } | undefined)?.data.v
}
