import assert from 'node:assert/strict'
import { cp } from 'node:fs/promises'
import path from 'node:path'
import test, { type TestContext } from 'node:test'
import { corporaFolder, corporaMissing } from '../support/corpora.ts'
import { openLab, type Lab } from '../support/sync-lab.ts'
import { configMap, deployment, hook, job, wave } from '../support/sync-objects.ts'
import { syncServers, type SyncServer } from '../support/sync-servers.ts'
import { WriteOrder } from '../support/write-order.ts'

for (const server of syncServers) {
  test(`waves and hooks on ${server.name}`, async (t) => {
    const skip = await server.missing()
    if (skip !== undefined) return t.skip(skip)
    const running = await server.start(t)
    const order = await WriteOrder.start(running)
    t.after(() => order.stop())
    await scenarios(t, { ...running, name: server.name }, order)
  })
}

type Running = Awaited<ReturnType<SyncServer['start']>> & { readonly name: string }

/** The application as argocd-example-apps has it, from the lab's own repository. */
async function bring(lab: Lab, folder: string): Promise<void> {
  await lab.commit([], { source: { repoURL: '.', targetRevision: 'HEAD', path: folder } })
  for (const each of [folder, 'kustomize-guestbook']) {
    const from = path.join(corporaFolder, 'argocd-example-apps', each)
    await cp(from, path.join(lab.scaffold.folder, each), { recursive: true })
  }
  await lab.scaffold.commit('Bring the corpus in')
}

async function scenarios(t: TestContext, server: Running, order: WriteOrder): Promise<void> {
  await t.test('argocd-example-apps sync-waves is written in its order', async (t) => {
    if (corporaMissing !== undefined) return t.skip(corporaMissing)
    const lab = await openLab(t, server, 'sync-waves')
    await bring(lab, 'sync-waves')
    const pass = await lab.sync()
    assert.equal(pass.outcome?.phase, 'Succeeded', pass.outcome?.message)
    assert.equal(pass.snapshot.sync, 'Synced')
    const [namespace, presync, ...writes] = await order.of(lab.name)
    assert.equal(namespace, `Namespace/${lab.name}`)
    assert.match(presync ?? '', /^Job\/upgrade-sql-schema[0-9a-f]{7}-presync-\d+$/)
    assert.deepEqual(writes, [
      'Service/backend',
      'ReplicaSet/backend',
      'Job/maint-page-up',
      'Service/frontend',
      'ReplicaSet/frontend',
      'Job/maint-page-down',
    ])
  })

  await t.test(
    'argocd-example-apps pre-post-sync: both hooks around the guestbook, and both gone after it',
    async (t) => {
      if (corporaMissing !== undefined) return t.skip(corporaMissing)
      const lab = await openLab(t, server, 'pre-post')
      await bring(lab, 'pre-post-sync')
      const pass = await lab.sync()
      assert.equal(pass.outcome?.phase, 'Succeeded', pass.outcome?.message)
      const writes = await order.of(lab.name)
      assert.deepEqual(writes.slice(0, 5), [
        `Namespace/${lab.name}`,
        'Job/pre-post-sync-before',
        'Service/pre-post-sync-kustomize-guestbook-ui',
        'Deployment/pre-post-sync-kustomize-guestbook-ui',
        'Job/pre-post-sync-after',
      ])
      assert.deepEqual(writes.slice(5).sort(), ['-Job/pre-post-sync-after', '-Job/pre-post-sync-before'])
    },
  )

  await t.test('waves go up, and a wave waits until the one before is healthy', async (t) => {
    const lab = await openLab(t, server, 'waves')
    await lab.commit([
      configMap('last', {}, wave(5)),
      deployment('first', wave(-1)),
      configMap('middle'),
      deployment('second', wave(1)),
    ])
    const pass = await lab.sync()
    assert.equal(pass.outcome?.phase, 'Succeeded', pass.outcome?.message)
    assert.deepEqual(await order.of(lab.name), [
      `Namespace/${lab.name}`,
      'Deployment/first',
      'ConfigMap/middle',
      'Deployment/second',
      'ConfigMap/last',
    ])
  })

  await t.test(
    'PreSync, Sync, PostSync run in turn; a second sync runs them again and writes nothing else',
    async (t) => {
      const lab = await openLab(t, server, 'phases')
      await lab.commit([
        job('post', hook('PostSync')),
        configMap('plain'),
        job('during', hook('Sync')),
        job('pre', hook('PreSync')),
        job('never', hook('SyncFail')),
        job('skipped', hook('Skip')),
      ])
      const pass = await lab.sync()
      assert.equal(pass.outcome?.phase, 'Succeeded', pass.outcome?.message)
      const first = [`Namespace/${lab.name}`, 'Job/pre', 'ConfigMap/plain', 'Job/during', 'Job/post']
      assert.deepEqual(await order.of(lab.name), first)
      await lab.sync()
      const again = ['-Job/pre', 'Job/pre', '-Job/during', 'Job/during', '-Job/post', 'Job/post']
      assert.deepEqual(await order.of(lab.name), [...first, ...again])
    },
  )
}
