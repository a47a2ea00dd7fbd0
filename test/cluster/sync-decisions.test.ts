import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { syncOrGoBack } from '../../shared/session/rollback-on-degraded.ts'
import { openLab, type Lab } from '../support/sync-lab.ts'
import { configMap, deployment, options, wave } from '../support/sync-objects.ts'
import { syncServers } from '../support/sync-servers.ts'

for (const server of syncServers) {
  test(`what people decide around a sync on ${server.name}`, async (t) => {
    const skip = await server.missing()
    if (skip !== undefined) return t.skip(skip)
    await decisions(t, await server.start(t))
  })
}

const pod = (hint?: string): object => {
  const annotations = hint === undefined ? {} : { 'simulator.plumbline.dev/pod': hint }
  const spec = { containers: [{ name: 'main', image: 'nginx:1.27' }] }
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: `pod-${hint ?? 'well'}`, annotations }, spec }
}
const asks = (name: string): object => configMap(name, {}, options('Prune=confirm'))

async function decisions(t: TestContext, server: Parameters<typeof openLab>[1]): Promise<void> {
  await t.test('a sync that comes out degraded goes back to the last healthy revision', async (t) => {
    const lab = await openLab(t, server, 'degraded')
    const guarded = async (): ReturnType<typeof syncOrGoBack> =>
      syncOrGoBack(lab.session, await lab.application(), { request: { prune: true, dryRun: false } }, 20_000)
    const well = await lab.commit([pod(), configMap('a', { v: '1' })])
    assert.equal((await guarded()).rolledBack, undefined)
    await lab.commit([pod('fail'), configMap('a', { v: '2' })])
    const { rolledBack } = await guarded()
    assert.equal(rolledBack?.entry.revision, well)
    assert.equal(rolledBack.pass.outcome?.phase, 'Succeeded', rolledBack.pass.outcome?.message)
    assert.deepEqual(await dataOf(lab, 'a'), { v: '1' })
  })

  await t.test('a prune that asks for confirmation goes by the annotation, once', async (t) => {
    const lab = await openLab(t, server, 'approved')
    const results = async (): Promise<readonly string[]> =>
      (await lab.sync()).outcome?.steps.filter(({ action }) => action === 'prune').map(({ result }) => result) ?? []
    await lab.commit([configMap('a'), asks('b'), asks('c')])
    await lab.sync()
    await lab.commit([configMap('a'), asks('c')])
    assert.deepEqual(await results(), ['PruneSkipped'])
    const annotations = { 'argocd.argoproj.io/deletion-approved': new Date(Date.now() + 1000).toISOString() }
    await lab.commit([configMap('a'), asks('c')], { annotations })
    assert.deepEqual(await results(), ['Pruned'])
    await setTimeout(2000)
    await lab.commit([configMap('a', { v: '2' }), asks('c')], { annotations })
    await lab.sync()
    await lab.commit([configMap('a', { v: '2' })], { annotations })
    assert.deepEqual(await results(), ['PruneSkipped'])
  })

  await t.test('a health script of argocd-cm is asked, by waves too', async (t) => {
    const lab = await openLab(t, server, 'script')
    const script = 'return { status = obj.data.v == "1" and "Healthy" or "Degraded", message = "v is " .. obj.data.v }'
    const data = { 'resource.customizations.health.ConfigMap': script }
    const settings = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'argocd-cm', namespace: 'argocd' }, data }
    await lab.scaffold.write({ 'argocd-cm.yaml': JSON.stringify(settings) })
    await lab.commit([configMap('a', { v: '1' }), configMap('b', { v: '1' }, wave(1))])
    const well = await lab.sync()
    assert.equal(well.outcome?.phase, 'Succeeded', well.outcome?.message)
    assert.equal(well.snapshot.health.status, 'Healthy')
    await lab.commit([configMap('a', { v: '2' }), configMap('b', { v: '2' }, wave(1))])
    const ill = await lab.sync()
    assert.match(ill.outcome?.message ?? '', /a is degraded: v is 2/)
    assert.equal(ill.snapshot.health.status, 'Degraded')
    assert.deepEqual(await dataOf(lab, 'b'), { v: '1' })
  })

  await t.test('what argocd-cm ignores is ignored in every application', async (t) => {
    const lab = await openLab(t, server, 'ignored')
    const data = { 'resource.customizations.ignoreDifferences.ConfigMap': 'jsonPointers: [/data/v]' }
    const settings = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'argocd-cm', namespace: 'argocd' }, data }
    await lab.commit([configMap('a', { v: '1', w: '1' })])
    await lab.sync()
    const path = `/api/v1/namespaces/${lab.name}/configmaps/a?fieldManager=hand`
    await lab.http.send('PATCH', path, { data: { v: 'hand' } }, 'application/merge-patch+json')
    assert.equal((await lab.look()).snapshot.sync, 'OutOfSync')
    await lab.scaffold.write({ 'argocd-cm.yaml': JSON.stringify(settings) })
    assert.equal((await lab.look()).snapshot.sync, 'Synced')
  })

  await t.test('a commit that comes while a sync waits is not taken into it', async (t) => {
    const lab = await openLab(t, server, 'pinned')
    const first = await lab.commit([deployment('web'), configMap('a', { v: '1' }, wave(1))])
    let moved: Promise<string> | undefined
    const { outcome } = await lab.sync({}, (event) => {
      if (event.kind === 'waiting') moved ??= lab.commit([deployment('web'), configMap('a', { v: '2' })])
    })
    assert.notEqual(await moved, undefined)
    assert.equal(outcome?.phase, 'Succeeded', outcome?.message)
    assert.equal(outcome.revision, first)
    assert.deepEqual(await dataOf(lab, 'a'), { v: '1' })
  })
}

async function dataOf(lab: Lab, name: string): Promise<unknown> {
  const found = await lab.http.send('GET', `/api/v1/namespaces/${lab.name}/configmaps/${name}`)
  return (found as { readonly data?: unknown } | undefined)?.data
}
