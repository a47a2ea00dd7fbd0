import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import { test } from 'node:test'
import { isCancelled } from '../../../shared/base/abort.ts'
import { ClusterError } from '../../../shared/kube/cluster-error.ts'
import type { Cluster } from '../../../shared/kube/cluster.ts'
import type { LiveObject } from '../../../shared/model/live.ts'
import type { Fault } from '../../support/faulty-api-server.ts'
import { status } from '../../support/faulty-api-server.ts'
import { configMaps, eventually, failureOf, faultyCluster } from './cluster-scaffold.ts'

const here = { kinds: [configMaps], namespaces: new Set(['default']) }
const id = { group: '', kind: 'ConfigMap', namespace: 'default', name: 'a' }
const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'default' }, data: { v: '1' } }
const request = { object, fieldManager: 'plumbline', force: true, fieldValidation: 'Strict' } as const

const reset: Fault = (_, response) => response.socket?.destroy()
const busy: Fault = (_, response) => status(response, 429, 'TooManyRequests', 'slow down', { 'retry-after': '1' })
const unavailable: Fault = (_, response) => status(response, 503, 'ServiceUnavailable', 'starting')

const apply = (cluster: Cluster): Promise<LiveObject> => cluster.apply(request, {})
const dryRun = (cluster: Cluster): Promise<LiveObject> => cluster.dryRunApply(request, {})
const read = (cluster: Cluster): Promise<LiveObject | undefined> => cluster.read(configMaps, id, {})

const refusals: readonly (readonly [number, string, string, ClusterError['reason']])[] = [
  [400, 'BadRequest', 'strict decoding error: unknown field "spec.bogus"', 'bad-request'],
  [403, 'Forbidden', 'configmaps "a" is forbidden: User "u" cannot patch resource', 'forbidden'],
  [404, 'NotFound', 'namespaces "zz" not found', 'not-found'],
  [409, 'Conflict', 'Apply failed with 1 conflict', 'conflict'],
  [409, 'AlreadyExists', 'configmaps "a" already exists', 'already-exists'],
  [410, 'Expired', 'too old', 'gone'],
  [415, 'UnsupportedMediaType', 'the body of the request was in an unknown format', 'unsupported-media'],
  [422, 'Invalid', 'ConfigMap "a" is invalid', 'invalid'],
  [500, 'InternalError', 'webhook failed', 'server-error'],
  [500, '', 'failed to create typed patch object (default/a): .spec.x: field not declared in schema', 'invalid'],
  [504, 'Timeout', 'request did not complete', 'timeout'],
]

test('a refusal is told by its reason, in the words of the server, with what was asked', async (t) => {
  for (const [code, serverReason, message, reason] of refusals) {
    const { server, cluster } = await faultyCluster(t)
    server.fail(/PATCH/, (_, response) => status(response, code, serverReason, message))
    const error = await failureOf(apply(cluster))
    assert.ok(ClusterError.is(error, reason), `${code} ${serverReason} is ${String(error)}`)
    assert.equal(error.message, message)
    assert.equal(error.status, code)
    assert.deepEqual(error.target, {
      verb: 'patch',
      group: '',
      resource: 'configmaps',
      namespace: 'default',
      name: 'a',
    })
    assert.equal(server.count(/PATCH/), 1)
  }
})

test('the causes of a conflict say whose field it is', async (t) => {
  const { server, cluster } = await faultyCluster(t)
  const cause = { reason: 'FieldManagerConflict', message: 'conflict with "kubectl"', field: '.data.v' }
  const body = { kind: 'Status', code: 409, reason: 'Conflict', message: 'no', details: { causes: [cause] } }
  server.fail(/PATCH/, (_, response) => response.writeHead(409).end(JSON.stringify(body)))
  const error = await failureOf(apply(cluster))
  assert.ok(ClusterError.is(error, 'conflict'))
  assert.deepEqual(error.causes, [cause])
})

test('a 401 does not repeat the credentials', async (t) => {
  const { server, cluster } = await faultyCluster(t)
  server.fail(/PATCH/, (_, response) => status(response, 401, 'Unauthorized', 'Unauthorized'), 9)
  const error = await failureOf(apply(cluster))
  assert.ok(ClusterError.is(error, 'unauthorized'))
  assert.doesNotMatch(JSON.stringify([error, error.message, error.stack]), /secret-token/)
})

test('what a proxy on the way answers is told without its page', async (t) => {
  const { server, cluster } = await faultyCluster(t)
  const page = '<html><body>Bad gateway</body></html>'
  server.fail(/GET .*configmaps/, (_, response) => response.writeHead(502, { 'content-type': 'text/html' }).end(page))
  const error = await failureOf(read(cluster))
  assert.ok(ClusterError.is(error, 'server-error'))
  assert.equal(error.message, 'the server answered 502 to get configmaps')
})

test('a page where discovery should be says that this is no API server', async (t) => {
  const { server, cluster } = await faultyCluster(t)
  server.fail(/GET \/api/, (_, response) => response.end('<html></html>'), 9)
  const error = await failureOf(read(cluster))
  assert.ok(ClusterError.is(error, 'bad-answer'))
  assert.match(error.message, /is it a Kubernetes API server/)
})

test('too many requests: the write waits as long as it is told, and is sent again', async (t) => {
  const { server, cluster } = await faultyCluster(t)
  server.fail(/PATCH/, busy)
  const started = performance.now()
  assert.equal((await apply(cluster)).object.metadata.name, 'a')
  assert.ok(performance.now() - started >= 950)
  assert.equal(server.count(/PATCH/), 2)
})

test('a server that stays busy is given up with what it said', async (t) => {
  const { server, cluster } = await faultyCluster(t)
  server.fail(/PATCH/, (_, response) => status(response, 429, 'TooManyRequests', 'later', { 'retry-after': '3600' }))
  const error = await failureOf(apply(cluster))
  assert.ok(ClusterError.is(error, 'too-many-requests'))
  assert.equal(error.retryAfterMs, 3_600_000)
})

test('reads and dry runs are repeated after a lost connection or a 503; a write is not, it may have been done', async (t) => {
  for (const fault of [reset, unavailable]) {
    const { server, cluster } = await faultyCluster(t)
    server.set('a', { v: '1' })
    server.fail(/GET .*configmaps/, fault, 2)
    assert.equal((await read(cluster))?.object.metadata.name, 'a')
    server.fail(/PATCH/, fault, 2)
    await dryRun(cluster)
    assert.equal(server.count(/PATCH/), 3)
    server.fail(/PATCH/, fault, 2)
    const error = await failureOf(apply(cluster))
    assert.ok(ClusterError.is(error, fault === reset ? 'unreachable' : 'server-error'), String(error))
    assert.equal(server.count(/PATCH/), 4)
  }
})

test('an answer that is cut off is not taken for a whole one', async (t) => {
  const { server, cluster } = await faultyCluster(t)
  server.set('a', { v: '1' })
  server.fail(/configmaps/, (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '9999' })
    response.write('{"kind":"ConfigMapList","metadata":{},"items":[')
    setTimeout(() => response.socket?.destroy(), 20)
  })
  const view = await cluster.observe(here, {})
  assert.equal(view.ofKind(configMaps).length, 1)
  assert.equal(server.count(/configmaps/), 2)
})

test('a server that is not there is unreachable, at once', async (t) => {
  const { server, cluster } = await faultyCluster(t)
  await server.stop()
  const error = await failureOf(cluster.describe({}))
  assert.ok(ClusterError.is(error, 'unreachable'))
  assert.match(error.message, /http:\/\/127\.0\.0\.1:\d+ cannot be reached: connection refused/)
})

test('a server that takes too long is told from one that is not there', async (t) => {
  const { server, cluster } = await faultyCluster(t, { timeoutMs: 300 })
  server.set('a', { v: '1' })
  server.fail(/GET .*configmaps/, () => undefined)
  const error = await failureOf(read(cluster))
  assert.ok(ClusterError.is(error, 'timeout'), String(error))
  assert.match(error.message, /did not answer in time/)
  server.fail(/GET .*configmaps/, (_, response) => void response.writeHead(200).write('{"kind":'))
  assert.ok(ClusterError.is(await failureOf(read(cluster)), 'timeout'))
  assert.equal((await read(cluster))?.object.metadata.name, 'a')
})

test('a cancel ends the wait and is no failure', async (t) => {
  const { server, cluster } = await faultyCluster(t)
  await cluster.kind(configMaps, {}).catch(() => undefined)
  server.fail(/PATCH/, () => undefined)
  const cancel = new AbortController()
  const waiting = failureOf(cluster.apply(request, { signal: cancel.signal }))
  await eventually('sent', () => server.count(/PATCH/) === 1)
  cancel.abort()
  assert.ok(isCancelled(await waiting))
})

test('large integers stay exact on the way there and back', async (t) => {
  const { server, cluster } = await faultyCluster(t)
  let sent = ''
  server.fail(/PATCH/, ({ body }, response) => {
    sent = body
    response.end(body)
  })
  const big = { ...request, object: { ...object, data: undefined, big: 9007199254740993n } }
  const answer = await cluster.apply(big, {})
  assert.match(sent, /"big":9007199254740993[,}]/)
  assert.equal(answer.object['big'], 9007199254740993n)
})

test('warnings of the server are told beside the answer', async (t) => {
  const { server, cluster } = await faultyCluster(t)
  const warnings: string[] = []
  cluster.onWarning(({ text, id: { name } }) => warnings.push(`${name}: ${text}`))
  server.fail(/PATCH/, ({ body }, response) => {
    response.setHeader('warning', ['299 - "unknown field \\"spec.x\\""', '299 - "one", 299 - "two"'])
    response.end(body)
  })
  await apply(cluster)
  assert.deepEqual(warnings, ['a: unknown field "spec.x"', 'a: one', 'a: two'])
})

test('a packed answer is unpacked', async (t) => {
  const { server, cluster } = await faultyCluster(t)
  server.fail(/configmaps/, (_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(JSON.stringify(object)))
  })
  assert.equal((await read(cluster))?.object.metadata.name, 'a')
})

test('a list in pages is one list, also when its snapshot expires between two pages', async (t) => {
  const { server, cluster } = await faultyCluster(t)
  for (let index = 0; index < 1203; index += 1) server.set(`m${index}`, { v: '1' })
  assert.equal((await cluster.observe(here, {})).ofKind(configMaps).length, 1203)
  assert.equal(server.count(/limit=500/), 3)
  const expired = 'The provided continue parameter is too old'
  server.fail(/continue=1000/, (_, response) => status(response, 410, 'Expired', expired))
  assert.equal((await cluster.observe(here, {})).ofKind(configMaps).length, 1203)
})

test('without a watch every look lists anew and nothing stays open', async (t) => {
  const { server, cluster } = await faultyCluster(t)
  server.set('a', { v: '1' })
  await cluster.observe(here, {})
  server.delete('a')
  const view = await cluster.observe(here, {})
  assert.equal(view.ofKind(configMaps).length, 0)
  assert.equal(server.count(/watch=/), 0)
})

test('a delete of what is gone already is done', async (t) => {
  const { server, cluster } = await faultyCluster(t)
  const { uid } = server.set('a', { v: '1' }).metadata
  const deletion = { gvk: configMaps, id, uid, propagation: 'Background' } as const
  await cluster.delete(deletion, {})
  await cluster.delete(deletion, {})
  const bodies = server.requests
    .filter(({ method }) => method === 'DELETE')
    .map(({ body }) => JSON.parse(body) as unknown)
  const options = { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background', preconditions: { uid } }
  assert.deepEqual(bodies, [options, options])
})
