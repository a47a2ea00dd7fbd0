import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import test, { type TestContext } from 'node:test'
import type { SyncEvent } from '../../shared/model/outcome.ts'
import { resourceRow } from '../../shared/view/resource-rows.ts'
import { openLab, type Lab } from '../support/sync-lab.ts'
import { configMap } from '../support/sync-objects.ts'
import { syncServers } from '../support/sync-servers.ts'

for (const server of syncServers) {
  test(`what is being deleted while Git has it, on ${server.name}`, async (t) => {
    const skip = await server.missing()
    if (skip !== undefined) return t.skip(skip)
    const running = await server.start(t)
    await t.test('an object that its finalizers still hold is out of sync, waited for, and made again', async (t) =>
      object(t, running),
    )
    await t.test('a namespace is waited for with all that is to be in it', async (t) => namespace(t, running))
  })
}

type Running = Parameters<typeof openLab>[1]

async function object(t: TestContext, server: Running): Promise<void> {
  const lab = await openLab(t, server, 'going')
  const path = `/api/v1/namespaces/${lab.name}/configmaps/held`
  await lab.commit([configMap('held'), configMap('other')])
  await lab.sync()
  const first = await held(lab, path)

  const { snapshot, plan } = await lab.look()
  assert.equal(snapshot.sync, 'OutOfSync')
  const resource = snapshot.resources.find(({ id }) => id.name === 'held')
  assert.ok(resource)
  assert.deepEqual(resource.health, { status: 'Progressing', message: 'Pending deletion' })
  assert.equal(resourceRow(resource).detail.split(' · ')[0], 'Being deleted, a sync creates it again')
  const held1 = { kind: 'held', reason: `waits for ConfigMap ${lab.name}/held to be gone` }
  assert.deepEqual(
    plan?.steps.map(({ id, action, readiness }) => [id.name, action, readiness]),
    [['held', 'create', held1]],
  )

  const done = await releasedWhileWaiting(lab, path)
  assert.deepEqual(done, `ConfigMap ${lab.name}/held to be gone`)
  const again = (await lab.http.send('GET', path)) as Held
  assert.notEqual(again.metadata.uid, first)
  assert.equal((await lab.look()).snapshot.sync, 'Synced')
}

async function namespace(t: TestContext, server: Running): Promise<void> {
  const lab = await openLab(t, server, 'going-namespace')
  const path = `/api/v1/namespaces/${lab.name}/configmaps/held`
  await lab.commit([configMap('held'), configMap('other')])
  await lab.sync()
  await held(lab, path)
  await lab.http.send('DELETE', `/api/v1/namespaces/${lab.name}`)
  await lab.commit([configMap('held'), configMap('other'), configMap('third')])
  assert.match(await releasedWhileWaiting(lab, path), /to be gone$/)
  const { snapshot } = await lab.look()
  assert.equal(snapshot.sync, 'Synced')
  assert.equal(snapshot.resources.filter(({ id }) => id.kind === 'ConfigMap').length, 3)
}

type Held = { readonly metadata: { readonly uid: string; readonly deletionTimestamp?: string } }

/** Deletes an object that a finalizer holds. @returns its uid */
async function held({ http }: Lab, path: string): Promise<string> {
  await patchFinalizers(http, path, ['example.com/hold'])
  await http.send('DELETE', path)
  const { metadata } = (await http.send('GET', path)) as Held
  assert.ok(metadata.deletionTimestamp)
  return metadata.uid
}

async function patchFinalizers(http: Lab['http'], path: string, finalizers: readonly string[] | null): Promise<void> {
  await http.send('PATCH', path, { metadata: { finalizers } }, 'application/merge-patch+json')
}

/** Syncs, and takes the finalizer away when the sync says that it waits. @returns what it waited for */
async function releasedWhileWaiting(lab: Lab, path: string): Promise<string> {
  let waited = ''
  const released = Promise.withResolvers<void>()
  const report = (event: SyncEvent): void => {
    if (event.kind !== 'waiting' || waited !== '') return
    waited = event.reason
    // What waits goes on waiting, not only at its first look.
    void setTimeout(500)
      .then(async () => patchFinalizers(lab.http, path, null))
      .then(released.resolve, released.reject)
  }
  const pass = await lab.sync({}, report)
  await released.promise
  assert.equal(pass.outcome?.phase, 'Succeeded', pass.outcome?.message)
  return waited
}
