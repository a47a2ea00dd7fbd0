import assert from 'node:assert/strict'
import test from 'node:test'
import type { KubeObject } from '../../shared/model/kubernetes.ts'
import { openLine, type Line } from '../support/line-session.ts'
import { configMap } from '../support/line-workspace.ts'
import { fingerprint, gitIsMissing } from '../support/scaffold-repository.ts'
import { testServers } from '../support/test-servers.ts'

const TRACKING = 'argocd.argoproj.io/tracking-id'

function trackingId(application: string, name: string): string {
  return `${application}:/ConfigMap:own/${name}`
}

async function byHand(line: Line, name: string, annotations: Readonly<Record<string, string>>): Promise<void> {
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, annotations }, data: { by: 'hand' } }
  await line.write({ manager: 'hand', path: `/api/v1/namespaces/own/configmaps/${name}`, type: 'apply', body })
}

/** What is there and not on its way out: no garbage collector runs here to finish a deletion in the foreground. */
async function names(line: Line): Promise<readonly string[]> {
  const list = await line.get('/api/v1/namespaces/own/configmaps')
  const items = list['items'] as unknown as readonly Pick<KubeObject, 'metadata'>[]
  const staying = items.filter(({ metadata }) => metadata.deletionTimestamp === undefined)
  return staying.map(({ metadata }) => metadata.name).sort()
}

for (const server of testServers) {
  test(`invariant 3: on ${server.name} nothing is deleted that tracking id, inventory and plan do not all name`, async (t) => {
    const skip = (await gitIsMissing()) ?? (await server.missing())
    if (skip !== undefined) return t.skip(skip)
    const files = { 'keep.yaml': configMap('keep'), 'freed.yaml': configMap('freed'), 'gone.yaml': configMap('gone') }
    const line = await openLine(t, await server.start(t), { name: 'own' }, files)
    assert.equal((await line.sync()).snapshot.sync, 'Synced')

    // Says that it is ours; no sync from here made it.
    await byHand(line, 'claimed', { [TRACKING]: trackingId('own', 'claimed') })
    // Another application's, and nobody's.
    await byHand(line, 'theirs', { [TRACKING]: trackingId('other', 'theirs') })
    await byHand(line, 'nobodys', {})
    // A copy of one of ours, with its annotation along.
    await byHand(line, 'copy', { [TRACKING]: trackingId('own', 'keep') })
    // Ours once; somebody took it out of our hands.
    const freed = '/api/v1/namespaces/own/configmaps/freed'
    await line.write({ manager: 'hand', path: freed, body: { metadata: { annotations: { [TRACKING]: null } } } })
    await line.scaffold.remove('own/freed.yaml')
    await line.scaffold.remove('own/gone.yaml')

    const shown = (await line.look()).plan?.steps.map(
      ({ id, action, readiness }) => `${action} ${id.name} ${readiness.kind}`,
    )
    assert.deepEqual(shown?.toSorted(), ['prune claimed refused', 'prune gone ready'])
    const pass = await line.sync()
    assert.deepEqual(await names(line), ['claimed', 'copy', 'freed', 'keep', 'nobodys', 'theirs'])
    const pruned = pass.outcome?.steps.map(({ id, result, message }) => `${result} ${id.name}: ${message}`).toSorted()
    assert.match(
      pruned?.join('\n') ?? '',
      /^PruneSkipped claimed: it carries the tracking id, but no sync .*\nPruned gone: pruned$/,
    )
  })
}

test('invariant 3: a sync that does not ask for it prunes nothing', async (t) => {
  const [server] = testServers
  const skip = await gitIsMissing()
  if (skip !== undefined || server === undefined) return t.skip(skip)
  const line = await openLine(
    t,
    await server.start(t),
    { name: 'own' },
    { 'a.yaml': configMap('a'), 'b.yaml': configMap('b') },
  )
  await line.sync()
  await line.scaffold.remove('own/b.yaml')
  const { applications } = await line.session.applications()
  const [application] = applications
  assert.ok(application)
  await line.session.sync(application, { request: { prune: false, dryRun: false } })
  assert.deepEqual(await names(line), ['a', 'b'])
})

test('invariant 3: an application whose target became empty is not pruned to nothing', async (t) => {
  const [server] = testServers
  const skip = await gitIsMissing()
  if (skip !== undefined || server === undefined) return t.skip(skip)
  const line = await openLine(t, await server.start(t), { name: 'own' }, { 'a.yaml': configMap('a') })
  await line.sync()
  await line.scaffold.write({ 'own/a.yaml': '# nothing any more\n' })
  const pass = await line.sync()
  assert.deepEqual(await names(line), ['a'])
  assert.match(pass.outcome?.steps[0]?.message ?? '', /allowEmpty/)
})

test('invariant 6: looking, syncing and pruning write not a byte into the repository', async (t) => {
  const [server] = testServers
  const skip = await gitIsMissing()
  if (skip !== undefined || server === undefined) return t.skip(skip)
  const line = await openLine(
    t,
    await server.start(t),
    { name: 'own' },
    { 'a.yaml': configMap('a'), 'b.yaml': configMap('b') },
  )
  await line.scaffold.commit('Bring both in')
  await line.scaffold.remove('own/b.yaml')
  await line.scaffold.write({ 'own/a.yaml': configMap('a', 'uncommitted') })
  const before = await fingerprint(line.scaffold.folder)
  const { applications } = await line.session.applications()
  for (const application of applications) {
    for (const revision of ['HEAD', 'main', 'WORKTREE']) {
      await line.session.look(application, { revision })
      await line.session.sync(application, { revision, request: { prune: true, dryRun: false } })
    }
  }
  assert.deepEqual(await names(line), ['a'])
  assert.equal(await fingerprint(line.scaffold.folder), before)
})
