import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { Session } from '../../shared/session.ts'
import { openLab } from '../support/sync-lab.ts'
import { configMap, deployment, hook, job, options, wave } from '../support/sync-objects.ts'
import { syncServers } from '../support/sync-servers.ts'
import { WriteOrder } from '../support/write-order.ts'

for (const server of syncServers) {
  test(`requests and applications on ${server.name}`, async (t) => {
    const skip = await server.missing()
    if (skip !== undefined) return t.skip(skip)
    const running = await server.start(t)
    const order = await WriteOrder.start(running)
    t.after(() => order.stop())
    await requests(t, running, order)
    await atOnce(t, running, order)
    await others(t, running)
  })
}

type Running = Parameters<typeof openLab>[1]

/** Makes a sync wait for what it applied before. */
const ended = job('ended', hook('PostSync', 'HookSucceeded'))

const teamSpec = (team: string): object => ({
  syncPolicy: {
    syncOptions: ['CreateNamespace=true'],
    managedNamespaceMetadata: { labels: { team }, annotations: { note: 'x' } },
  },
})

async function requests(t: TestContext, server: Running, order: WriteOrder): Promise<void> {
  await t.test('a selective sync runs no hooks and leaves no history; ApplyOutOfSyncOnly does both', async (t) => {
    const lab = await openLab(t, server, 'selective')
    await lab.commit([configMap('a'), configMap('b'), job('pre', hook('PreSync'))])
    await lab.sync({ only: ({ name, kind }) => name === 'a' || kind === 'Namespace' })
    assert.deepEqual(await order.of(lab.name), [`Namespace/${lab.name}`, 'ConfigMap/a'])
    assert.deepEqual((await lab.look()).snapshot.history, [])
    await lab.sync()
    assert.deepEqual((await order.of(lab.name)).slice(2), ['Job/pre', 'ConfigMap/b'])
    assert.equal((await lab.look()).snapshot.history.length, 1)
  })

  await t.test('a second sync sends no write', async (t) => {
    const lab = await openLab(t, server, 'quiet')
    await lab.commit([configMap('a', {}, wave(1)), configMap('b', {}, wave(-1)), deployment('web')])
    await lab.sync()
    const store = `/api/v1/namespaces/plumbline/configmaps/${lab.name}.operations`
    const before = await lab.http.send('GET', store)
    const { outcome } = await lab.sync()
    assert.equal(outcome?.message, 'nothing to do')
    assert.deepEqual(await lab.http.send('GET', store), before)
  })

  await t.test('a sync that fails is tried anew as often as it may', async (t) => {
    const lab = await openLab(t, server, 'retry')
    await lab.commit([job('pre', hook('PreSync'), 'fail'), configMap('a')])
    const backoff = { duration: '10ms', factor: 2, maxDuration: '1s' }
    const waits: number[] = []
    const { outcome } = await lab.sync({ retry: { limit: 2, backoff } }, (event) => {
      if (event.kind === 'retrying') waits.push(event.afterMs)
    })
    assert.deepEqual(waits, [10, 20])
    assert.equal(outcome?.retries, 2)
    assert.equal((await order.of(lab.name)).filter((write) => write === 'Job/pre').length, 3)
  })

  await t.test('one sync at a time: another one is refused while the first is alive', async (t) => {
    const lab = await openLab(t, server, 'busy')
    await lab.commit([job('pre', hook('PreSync'), 'never-ready'), configMap('a')])
    const path = `/api/v1/namespaces/plumbline/configmaps/${lab.name}.operations`
    let other: Promise<string | undefined> | undefined
    const pretend = async (): Promise<string | undefined> => {
      // As if it were another process's: init runs on every machine.
      const found = (await lab.http.send('GET', path)) as { readonly data: Readonly<Record<string, string>> }
      const running = JSON.parse(found.data['running'] ?? '{}') as { holder: { pid: number; run: string } }
      running.holder = { ...running.holder, pid: 1, run: 'another' }
      await lab.http.send('PATCH', path, { data: { running: JSON.stringify(running) } }, 'application/merge-patch+json')
      return undefined
    }
    const first = await lab.sync({ deadlineMs: 1500 }, (event) => {
      if (event.kind === 'waiting') other ??= pretend()
    })
    await other
    assert.equal(first.snapshot.failure?.reason, 'lost')
    const second = await lab.sync()
    assert.match(second.snapshot.conditions[0]?.message ?? second.outcome?.message ?? '', /under way since/)
  })
}

async function atOnce(t: TestContext, server: Running, order: WriteOrder): Promise<void> {
  await t.test('one sync at a time in one process too, whichever of its sessions asks', async (t) => {
    const lab = await openLab(t, server, 'twice')
    await lab.commit([job('pre', hook('PreSync'), 'never-ready'), configMap('a')])
    const other = await Session.open(lab.session.options)
    t.after(() => other.dispose())
    const request = { prune: true, dryRun: false }
    const ask = async (): Promise<readonly (string | undefined)[]> => {
      const passes = [lab.sync(), lab.sync({ force: true }), other.sync(await lab.application(), { request })]
      return (await Promise.all(passes)).map(({ snapshot }) => snapshot.failure?.reason)
    }
    let meanwhile: ReturnType<typeof ask> | undefined
    const { outcome } = await lab.sync({ deadlineMs: 6000 }, (event) => {
      if (event.kind === 'waiting') meanwhile ??= ask()
    })
    assert.deepEqual(await meanwhile, ['busy', 'busy', 'busy'])
    assert.match(outcome?.message ?? '', /still waits for the PreSync hook/)
    assert.equal((await order.of(lab.name)).filter((write) => write === 'Job/pre').length, 1)
    await lab.commit([configMap('a')])
    assert.equal((await lab.sync()).outcome?.phase, 'Succeeded', "what has ended is in nobody's way")
  })
}

async function others(t: TestContext, server: Running): Promise<void> {
  await t.test('FailOnSharedResource refuses what another application tracks', async (t) => {
    const one = await openLab(t, server, 'one')
    await one.commit([configMap('mine')])
    await one.sync()
    const two = await openLab(t, server, 'two')
    const spec = {
      destination: { server: 'https://kubernetes.default.svc', namespace: one.name },
      syncPolicy: { syncOptions: ['FailOnSharedResource=true'] },
    }
    await two.commit([configMap('mine', { taken: 'yes' })], spec)
    const { outcome } = await two.sync()
    assert.equal(outcome?.phase, 'Failed')
    assert.match(outcome?.steps[0]?.message ?? '', new RegExp(`belongs to the application ${one.name}`))
  })

  await t.test('RespectIgnoreDifferences keeps the live value when something else is synced', async (t) => {
    const lab = await openLab(t, server, 'respect')
    const ignoreDifferences = [{ group: 'apps', kind: 'Deployment', jsonPointers: ['/spec/replicas'] }]
    const spec = (more: readonly string[]): object => ({
      ignoreDifferences,
      syncPolicy: { syncOptions: ['CreateNamespace=true', ...more] },
    })
    const replicas = async (): Promise<number> => {
      const path = `/apis/apps/v1/namespaces/${lab.name}/deployments/web`
      return ((await lab.http.send('GET', path)) as { readonly spec: { readonly replicas: number } }).spec.replicas
    }
    await lab.commit([deployment('web')], spec([]))
    await lab.sync()
    const path = `/apis/apps/v1/namespaces/${lab.name}/deployments/web?fieldManager=hand`
    await lab.http.send('PATCH', path, { spec: { replicas: 3 } }, 'application/merge-patch+json')
    assert.equal((await lab.look()).snapshot.sync, 'Synced')
    await lab.commit([deployment('web', {}, { image: 'nginx:1.28' })], spec(['RespectIgnoreDifferences=true']))
    await lab.sync()
    assert.equal(await replicas(), 3)
    await lab.commit([deployment('web', {}, { image: 'nginx:1.29' })], spec([]))
    await lab.sync()
    assert.equal(await replicas(), 1)
  })

  await t.test('CreateNamespace makes the namespace with its metadata, and keeps that', async (t) => {
    const lab = await openLab(t, server, 'namespace')
    const labels = async (): Promise<string | undefined> => {
      const found = (await lab.http.send('GET', `/api/v1/namespaces/${lab.name}`)) as Namespace
      return found.metadata.labels['team']
    }
    await lab.commit([configMap('a')], teamSpec('one'))
    await lab.sync()
    assert.equal(await labels(), 'one')
    await lab.commit([configMap('a')], teamSpec('two'))
    assert.equal((await lab.sync()).snapshot.sync, 'Synced')
    assert.equal(await labels(), 'two')
  })

  await t.test('SkipDryRunOnMissingResource waits for a definition that something else brings', async (t) => {
    const lab = await openLab(t, server, 'skip')
    const group = `g${lab.name.replaceAll('-', '')}.example.com`
    const custom = (notes = {}): object => ({
      apiVersion: `${group}/v1`,
      kind: 'Widget',
      metadata: { name: 'w', annotations: { ...notes, ...wave(1) } },
    })
    await lab.commit([custom(), configMap('a')])
    assert.equal((await lab.sync()).outcome?.phase, 'Failed')
    await lab.commit([custom(options('SkipDryRunOnMissingResource=true')), configMap('a'), ended])
    const definition = definitionOf(group)
    let made: Promise<unknown> | undefined
    const { outcome } = await lab.sync({}, (event) => {
      if (event.kind === 'step-ended' && event.outcome.id.name === 'a')
        made = lab.http.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition)
    })
    await made
    // Whether the definition was established in time is a race; the next sync brings the rest either way.
    if (outcome?.phase !== 'Succeeded')
      await lab.sync({ retry: { limit: 20, backoff: { duration: '500ms', factor: 1, maxDuration: '1s' } } })
    assert.equal((await lab.look()).snapshot.sync, 'Synced')
  })
}

function definitionOf(group: string): object {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `widgets.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind: 'Widget', plural: 'widgets', singular: 'widget', listKind: 'WidgetList' },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  }
}

type Namespace = { readonly metadata: { readonly labels: Readonly<Record<string, string>> } }
