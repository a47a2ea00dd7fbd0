import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ClusterChange } from '../../../shared/kube/change-feed.ts'
import type { ObservedView } from '../../../shared/kube/live-view.ts'
import type { Cluster } from '../../../shared/kube/cluster.ts'
import { status } from '../../support/faulty-api-server.ts'
import { configMaps, eventually, faultyCluster } from './cluster-scaffold.ts'

const here = { kinds: [configMaps], namespaces: new Set(['default']) }

const look = (cluster: Cluster): Promise<ObservedView> => cluster.observe(here, {})

async function held(cluster: Cluster): Promise<Record<string, string>> {
  const view = await look(cluster)
  return Object.fromEntries(
    view
      .ofKind(configMaps)
      .map(({ object }) => [object.metadata.name, (object['data'] as { v: string }).v])
      .sort(([a = ''], [b = '']) => (a < b ? -1 : 1)),
  )
}

test('what changes after the first look is in the next one, without another list', async (t) => {
  const { server, cluster } = await faultyCluster(t, { watch: true })
  server.set('a', { v: '1' })
  server.set('b', { v: '1' })
  assert.deepEqual(await held(cluster), { a: '1', b: '1' })
  await eventually('watch is open', () => server.openWatches === 1)
  server.set('a', { v: '2' })
  server.delete('b')
  server.set('c', { v: '1' })
  await eventually('changes seen', async () => (await held(cluster))['c'] === '1')
  assert.deepEqual(await held(cluster), { a: '2', c: '1' })
  assert.equal(server.count(/configmaps\?limit/), 1)
})

test('a view does not change under its reader', async (t) => {
  const { server, cluster } = await faultyCluster(t, { watch: true })
  server.set('a', { v: '1' })
  const before = await look(cluster)
  await eventually('watch is open', () => server.openWatches === 1)
  server.set('a', { v: '2' })
  server.set('b', { v: '1' })
  await eventually('changes seen', async () => (await held(cluster))['b'] === '1')
  assert.equal(before.ofKind(configMaps).length, 1)
  const id = { group: '', kind: 'ConfigMap', namespace: 'default', name: 'a' }
  assert.deepEqual(before.get(id)?.object['data'], { v: '1' })
  assert.equal(before.get({ ...id, name: 'b' }), undefined)
})

test('news name the objects, with their states before and after, and the first list is no news', async (t) => {
  const { server, cluster } = await faultyCluster(t, { watch: true })
  const news: string[] = []
  cluster.onChange((change: ClusterChange) => {
    if (change.kind !== 'objects') return
    for (const { id, before, after } of change.changes) {
      news.push(`${id.name} ${before?.resourceVersion ?? '-'} ${after?.resourceVersion ?? '-'}`)
    }
  })
  server.set('a', { v: '1' })
  await look(cluster)
  await eventually('watch is open', () => server.openWatches === 1)
  server.set('a', { v: '2' })
  server.delete('a')
  await eventually('both told', () => news.length === 2)
  assert.deepEqual(news, ['a 101 102', 'a 102 -'])
})

test('a cut connection resumes where it was: nothing is missed and nothing is listed again', async (t) => {
  const { server, cluster } = await faultyCluster(t, { watch: true })
  server.set('a', { v: '1' })
  await look(cluster)
  await eventually('watch is open', () => server.openWatches === 1)
  server.cutWatches()
  server.set('b', { v: 'while cut' })
  await eventually('resumed', async () => (await held(cluster))['b'] === 'while cut')
  assert.equal(server.count(/configmaps\?limit/), 1)
  assert.equal(server.count(/watch=true/), 2)
})

test('a forgotten history is listed anew: what went, came and changed meanwhile is told', async (t) => {
  const { server, cluster } = await faultyCluster(t, { watch: true })
  server.set('went', { v: '1' })
  server.set('stays', { v: '1' })
  server.set('changes', { v: '1' })
  await look(cluster)
  await eventually('watch is open', () => server.openWatches === 1)
  const told: string[] = []
  cluster.onChange((change) => {
    if (change.kind === 'objects') told.push(...change.changes.map(({ id }) => id.name))
  })
  server.cutWatches()
  server.delete('went')
  server.set('changes', { v: '2' })
  server.set('came', { v: '1' })
  server.compact()
  await eventually('relisted', async () => (await held(cluster))['came'] === '1')
  assert.deepEqual(await held(cluster), { came: '1', changes: '2', stays: '1' })
  assert.deepEqual(told.sort(), ['came', 'changes', 'went'])
  await eventually('not stale', async () => (await look(cluster)).staleSince === undefined)
})

test('a 410 in the middle of a watch is survived as well as one at its start', async (t) => {
  const { server, cluster } = await faultyCluster(t, { watch: true })
  server.set('a', { v: '1' })
  await look(cluster)
  await eventually('watch is open', () => server.openWatches === 1)
  const object = { kind: 'Status', status: 'Failure', message: 'compacted', reason: 'Expired', code: 410 }
  server.sendToWatches(`${JSON.stringify({ type: 'ERROR', object })}\n`)
  server.set('b', { v: '1' })
  await eventually('caught up', async () => (await held(cluster))['b'] === '1')
  assert.deepEqual(await held(cluster), { a: '1', b: '1' })
})

test('an event cut in its middle is read again after the resume', async (t) => {
  const { server, cluster } = await faultyCluster(t, { watch: true })
  server.set('a', { v: '1' })
  await look(cluster)
  await eventually('watch is open', () => server.openWatches === 1)
  server.sendToWatches('{"type":"MODIFIED","object":{"apiVersion":"v1","kind":"Conf')
  server.cutWatches()
  server.set('a', { v: '2' })
  await eventually('resumed', async () => (await held(cluster))['a'] === '2')
})

test('a line that is no event counts as a lost connection', async (t) => {
  const { server, cluster } = await faultyCluster(t, { watch: true })
  server.set('a', { v: '1' })
  await look(cluster)
  await eventually('watch is open', () => server.openWatches === 1)
  server.sendToWatches('<html>a proxy speaks</html>\n')
  await eventually('watches anew', () => server.count(/watch=true/) === 2)
  server.set('a', { v: '2' })
  await eventually('resumed', async () => (await held(cluster))['a'] === '2')
})

test('a bookmark moves the place to resume from', async (t) => {
  const { server, cluster } = await faultyCluster(t, { watch: true })
  server.set('a', { v: '1' })
  await look(cluster)
  await eventually('watch is open', () => server.openWatches === 1)
  server.set('elsewhere', { v: '1' }, 'other')
  server.sendBookmark()
  server.set('b', { v: '1' })
  await eventually('seen', async () => (await held(cluster))['b'] === '1')
  server.sendBookmark()
  // All that the watch could still need is forgotten, and it needs none of it.
  server.compact()
  server.endWatches()
  await eventually('watches anew', () => server.openWatches === 1)
  assert.equal(server.count(/configmaps\?limit/), 1)
})

test('while the server is away the last state stays readable and says since when', async (t) => {
  const { server, cluster } = await faultyCluster(t, { watch: true })
  server.set('a', { v: '1' })
  await look(cluster)
  await eventually('watch is open', () => server.openWatches === 1)
  const connection: boolean[] = []
  cluster.onChange((change) => {
    if (change.kind === 'connection') connection.push(change.staleSince !== undefined)
  })
  const before = Date.now()
  server.fail(/watch=true/, (_, response) => status(response, 503, 'ServiceUnavailable', 'away'), 3)
  server.cutWatches()
  await eventually('stale', async () => (await look(cluster)).staleSince !== undefined)
  const { staleSince = 0 } = await look(cluster)
  assert.ok(staleSince >= before && staleSince <= Date.now())
  assert.deepEqual(await held(cluster), { a: '1' })
  await eventually('back', async () => (await look(cluster)).staleSince === undefined, 10_000)
  assert.deepEqual(connection, [true, false])
})

test('a server that ends every watch at once is not asked without a pause', async (t) => {
  const { server, cluster } = await faultyCluster(t, { watch: true })
  server.fail(/watch=true/, (_, response) => response.writeHead(200).end(), 1000)
  await look(cluster)
  await new Promise((resolve) => {
    setTimeout(resolve, 1000)
  })
  assert.ok(server.count(/watch=true/) <= 4, `asked ${server.count(/watch=true/)} times`)
})

test('few namespaces are read one by one, many all at once', async (t) => {
  const { server, cluster } = await faultyCluster(t, { watch: true })
  server.set('a', { v: '1' }, 'n1')
  server.set('a', { v: '1' }, 'n20')
  await cluster.observe({ kinds: [configMaps], namespaces: new Set(['n1', 'n2']) }, {})
  assert.deepEqual(
    server.requests.map(({ url }) => url).filter((url) => url.includes('limit=')),
    ['/api/v1/namespaces/n1/configmaps?limit=500', '/api/v1/namespaces/n2/configmaps?limit=500'],
  )
  const many = new Set(Array.from({ length: 12 }, (_, index) => `n${index}`))
  const view = await cluster.observe({ kinds: [configMaps], namespaces: many }, {})
  assert.equal(server.count(/^GET \/api\/v1\/configmaps\?limit/), 1)
  // What the cluster-wide list brings from elsewhere was not asked for.
  assert.deepEqual(
    view.ofKind(configMaps).map(({ object }) => object.metadata.namespace),
    ['n1'],
  )
  await eventually('one watch for all', () => server.openWatches === 1)
})

test('who may not list the whole cluster is served namespace by namespace', async (t) => {
  const { server, cluster } = await faultyCluster(t, { watch: true })
  server.set('a', { v: '1' }, 'n1')
  const refuse = /^GET \/api\/v1\/configmaps\?/
  const message = 'configmaps is forbidden: User "u" cannot list resource "configmaps" at the cluster scope'
  server.fail(refuse, (_, response) => status(response, 403, 'Forbidden', message), 1000)
  const many = new Set(Array.from({ length: 12 }, (_, index) => `n${index}`))
  const view = await cluster.observe({ kinds: [configMaps], namespaces: many }, {})
  assert.equal(view.ofKind(configMaps).length, 1)
  assert.deepEqual(view.failures, [])
})

test('a kind that may not be read is a failure of its own, asked for again later and not in every pass', async (t) => {
  const { server, cluster } = await faultyCluster(t, { watch: true })
  const message = 'configmaps is forbidden: User "u" cannot list resource "configmaps" in the namespace "default"'
  server.fail(/configmaps/, (_, response) => status(response, 403, 'Forbidden', message), 1000)
  const gone = { group: 'x.example', version: 'v1', kind: 'Gone' }
  const view = await cluster.observe({ ...here, kinds: [configMaps, gone] }, {})
  assert.deepEqual(view.failures, [
    { gvk: configMaps, reason: 'forbidden', message },
    { gvk: gone, reason: 'not-found', message: 'the server has no kind Gone in x.example/v1' },
  ])
  await look(cluster)
  assert.equal(server.count(/configmaps/), 1)
})

test('a write of our own is seen at once, and the watch cannot turn it back', async (t) => {
  const { server, cluster } = await faultyCluster(t, { watch: true })
  server.set('a', { v: '1' })
  await look(cluster)
  const object = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a', namespace: 'default' },
    data: { v: '2' },
  }
  await cluster.apply({ object, fieldManager: 'plumbline', force: true, fieldValidation: 'Strict' }, {})
  assert.deepEqual(await held(cluster), { a: '2' })
})

test('a delete of our own is seen at once, and what the watch tells late does not bring it back', async (t) => {
  const { server, cluster } = await faultyCluster(t, { watch: true })
  const { uid } = server.set('a', { v: '1' }).metadata
  await look(cluster)
  await eventually('watch is open', () => server.openWatches === 1)
  const news: string[] = []
  cluster.onChange((change) => {
    if (change.kind !== 'objects') return
    for (const { id, after } of change.changes) news.push(`${id.name} ${after === undefined ? 'went' : 'is there'}`)
  })
  const id = { group: '', kind: 'ConfigMap', namespace: 'default', name: 'a' }
  // The object is gone on the server, and its last change is told only after that.
  server.fail(/DELETE/, (_, response) => response.end('{"kind":"Status","status":"Success"}'))
  await cluster.delete({ gvk: configMaps, id, uid, propagation: 'Background' }, {})
  assert.deepEqual(await held(cluster), {})
  server.set('a', { v: 'late' })
  server.delete('a')
  server.set('b', { v: '1' })
  await eventually('all told', () => news.includes('b is there'))
  assert.deepEqual(news, ['a went', 'b is there'])
  server.set('a', { v: 'another' })
  await eventually('its successor', async () => (await held(cluster))['a'] === 'another')
})

test('an empty namespace among the asked ones does not mean all of them', async (t) => {
  for (const watch of [true, false]) {
    const { server, cluster } = await faultyCluster(t, { watch })
    await cluster.observe({ kinds: [configMaps], namespaces: new Set(['', 'default']) }, {})
    assert.equal(server.count(/GET \/api\/v1\/configmaps/), 0)
    assert.equal(server.count(/namespaces\/default\/configmaps\?limit/), 1)
  }
})

test('after its end nothing runs on', async (t) => {
  const { server, cluster } = await faultyCluster(t, { watch: true })
  await look(cluster)
  await eventually('watch is open', () => server.openWatches === 1)
  await cluster.dispose()
  await eventually('watch is closed', () => server.openWatches === 0)
  const asked = server.requests.length
  await new Promise((resolve) => {
    setTimeout(resolve, 500)
  })
  assert.equal(server.requests.length, asked)
})

test('a look that is cancelled leaves the list to those who still wait', async (t) => {
  const { server, cluster } = await faultyCluster(t, { watch: true })
  server.set('a', { v: '1' })
  await cluster.kind(configMaps, {}).catch(() => undefined)
  const cancel = new AbortController()
  const cancelled = assert.rejects(cluster.observe(here, { signal: cancel.signal }), /cancelled/)
  const other = held(cluster)
  cancel.abort()
  await cancelled
  assert.deepEqual(await other, { a: '1' })
})
