import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { systemClock } from '../../../shared/base/clock.ts'
import { sha256 } from '../../../shared/base/digest.ts'
import { connectCluster, type Cluster } from '../../../shared/kube/cluster.ts'
import { isObject, parseJson } from '../../../shared/model/json.ts'
import type { Outcome } from '../../../shared/model/outcome.ts'
import type { InventoryEntry } from '../../../shared/model/ports.ts'
import { storeClient } from '../../../shared/session/store-access.ts'
import { ClusterStore } from '../../../shared/store/cluster-store.ts'
import { embedded } from '../../support/test-servers.ts'

const APP = 'guestbook'

type Stores = { readonly cluster: Cluster; readonly open: () => ClusterStore }

/** Stores over one embedded server; each knows only what it reads there. */
async function stores(t: TestContext): Promise<Stores> {
  const { kubeconfig } = await embedded.start(t)
  const cluster = await connectCluster({ kubeconfig, watch: false })
  t.after(() => cluster.dispose())
  return { cluster, open: () => new ClusterStore(storeClient(cluster), sha256, systemClock) }
}

function entry(name: string, digest = 'd'): InventoryEntry {
  return { id: { group: '', kind: 'ConfigMap', namespace: 'shop', name }, version: 'v1', digest }
}

async function names(store: ClusterStore, application = APP): Promise<readonly string[]> {
  return [...(await store.inventory(application, {})).values()].map(({ id }) => id.name).sort()
}

test('what one process recorded another one reads', async (t) => {
  const { open } = await stores(t)
  await open().record(APP, [entry('a'), entry('b')], {})
  const other = open()
  assert.deepEqual(await names(other), ['a', 'b'])
  await other.record(APP, [entry('b', 'new'), entry('c')], {})
  await other.forget(APP, [entry('a').id, entry('unknown').id], {})
  assert.deepEqual(await names(open()), ['b', 'c'])
  assert.equal((await open().inventory(APP, {})).get('|ConfigMap|shop|b')?.digest, 'new')
})

test('two writers at once lose nothing of each other', async (t) => {
  const { open } = await stores(t)
  const [one, other] = [open(), open()]
  assert.deepEqual([await names(one), await names(other)], [[], []])
  await Promise.all([one.record(APP, [entry('a')], {}), other.record(APP, [entry('b')], {})])
  assert.deepEqual(await names(open()), ['a', 'b'])
})

test('a batch that no single ConfigMap could hold is spread over several', async (t) => {
  const { cluster, open } = await stores(t)
  const many = Array.from({ length: 5000 }, (_, index) =>
    entry(`a-rather-long-name-of-an-object-${index}`, 'd'.repeat(64)),
  )
  await open().record(APP, many, {})
  assert.equal((await names(open())).length, 5000)
  const list = parseJson(await cluster.raw('/api/v1/namespaces/plumbline/configmaps', {}))
  const items = isObject(list) && Array.isArray(list['items']) ? list['items'] : []
  assert.equal(items.length, 3)
  await open().forget(
    APP,
    many.slice(1).map(({ id }) => id),
    {},
  )
  assert.deepEqual(await names(open()), ['a-rather-long-name-of-an-object-0'])
})

test('applications do not see each other, however alike or long their names', async (t) => {
  const { open } = await stores(t)
  const long = 'x'.repeat(200)
  for (const application of [APP, `${APP}-2`, `${long}a`, `${long}b`])
    await open().record(application, [entry(application.slice(-5))], {})
  assert.deepEqual(await names(open()), ['tbook'])
  assert.deepEqual(await names(open(), `${long}b`), ['xxxxb'])
  await open().drop(APP, {})
  assert.deepEqual(await names(open()), [])
  assert.deepEqual(await names(open(), `${APP}-2`), ['ook-2'])
})

function outcome(revision: string): Outcome {
  const at = '2026-03-01T10:00:00Z'
  return { phase: 'Succeeded', message: 'successfully synced', startedAt: at, finishedAt: at, revision, steps: [] }
}

test('the history keeps so many entries as it may, with ids that go on', async (t) => {
  const { open } = await stores(t)
  const how = { limit: 2, recorded: true, ended: false }
  for (const revision of ['r0', 'r1', 'r2']) await open().finish(APP, outcome(revision), how, {})
  const history = await open().history(APP, {})
  assert.deepEqual(
    history.map(({ id, revision }) => `${id} ${revision}`),
    ['1 r1', '2 r2'],
  )
  await open().finish(APP, { ...outcome('r3'), phase: 'Failed' }, { ...how, recorded: false }, {})
  assert.equal((await open().history(APP, {})).length, 2)
  assert.deepEqual((await open().lastOperation(APP, {}))?.phase, 'Failed')
})

test('of two agents that write the history in turn neither writes over the other', async (t) => {
  const { open } = await stores(t)
  const how = { limit: 10, recorded: true, ended: false }
  const [one, other] = [open(), open()]
  assert.deepEqual([await one.history(APP, {}), await other.history(APP, {})], [[], []])
  await one.finish(APP, outcome('r0'), how, {})
  await other.finish(APP, outcome('r1'), how, {})
  await one.finish(APP, outcome('r2'), how, {})
  const history = await open().history(APP, {})
  assert.deepEqual(
    history.map(({ id, revision }) => `${id} ${revision}`),
    ['0 r0', '1 r1', '2 r2'],
  )
})

test('the results of each sync are kept as long as its entry, and go with the application', async (t) => {
  const { cluster, open } = await stores(t)
  const how = { limit: 2, recorded: true, ended: false }
  const step = { ...entry('a'), apiVersion: 'v1', action: 'create', result: 'Synced', moved: false } as const
  for (const message of ['r0', 'r1', 'r2']) {
    await open().finish(APP, { ...outcome(message), steps: [{ ...step, message }] }, how, {})
  }
  const messages = async (id: number): Promise<readonly string[]> =>
    (await open().results(APP, id, {})).map(({ message }) => message)
  assert.deepEqual([await messages(0), await messages(1), await messages(2)], [[], ['r1'], ['r2']])
  await open().drop(APP, {})
  const list = parseJson(await cluster.raw('/api/v1/namespaces/plumbline/configmaps', {}))
  assert.deepEqual(isObject(list) && Array.isArray(list['items']) ? list['items'] : undefined, [])
})

test('a sync of thousands of resources that all fail with long messages can be written down', async (t) => {
  const { open } = await stores(t)
  const message = 'not valid; '.repeat(1000)
  const steps = Array.from({ length: 5000 }, (_, index) => {
    const about = { apiVersion: 'v1', action: 'create', result: 'SyncFailed', moved: false } as const
    return { ...entry(`object-${index}`), ...about, message }
  })
  const store = open()
  const operation = { ...running, steps }
  await store.begin(APP, operation, {})
  await store.save(APP, operation, {})
  const how = { limit: 2, recorded: true, ended: true }
  for (const revision of ['r0', 'r1']) await store.finish(APP, { ...outcome(revision), steps }, how, {})
  await store.begin(APP, { ...operation, id: 'next' }, {})
  const kept = (await open().lastOperation(APP, {}))?.steps ?? []
  assert.ok(kept.length >= 500)
  assert.match(kept[0]?.message ?? '', /^not valid; .*…$/)
})

const running = {
  id: 'one',
  revision: 'r',
  request: '',
  startedAt: '2026-11-20T12:00:00Z',
  initiatedBy: { username: 'tester', automated: false },
  sources: [],
  revisions: [],
  hooks: {},
  terminate: false,
} as const

test('what somebody wrote into the records by hand is left out, never guessed', async (t) => {
  const { cluster, open } = await stores(t)
  await open().record(APP, [entry('a')], {})
  const path = '/api/v1/namespaces/plumbline/configmaps/guestbook.inventory-0'
  const body = '{"data":{"torn":"{\\"group\\":","other":"[]","short":"{\\"group\\":\\"\\"}"}}'
  await cluster.send({ method: 'PATCH', path, body, contentType: 'application/merge-patch+json' }, {})
  assert.deepEqual(await names(open()), ['a'])
})
