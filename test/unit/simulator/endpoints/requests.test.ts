import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiServer } from '../../../../shared/simulator/api-server.ts'
import { bootstrap } from '../../../../shared/simulator/bootstrap.ts'
import { ManualClock } from '../../../../shared/simulator/clock.ts'
import type { ApiResponse } from '../../../../shared/simulator/endpoints/api-types.ts'

const user = { name: 'admin', groups: ['system:masters'] }
const maps = '/api/v1/namespaces/default/configmaps'

interface Body {
  readonly kind?: string
  readonly code?: number
  readonly reason?: string
  readonly message?: string
  readonly items?: readonly Body[]
  readonly data?: Readonly<Record<string, string>>
  readonly metadata?: Readonly<Record<string, unknown>>
}

function started(clock = new ManualClock()): { server: ApiServer; clock: ManualClock; ask: Ask } {
  const server = new ApiServer({ clock, tokens: { secret: user } })
  bootstrap(server)
  return { server, clock, ask: (method, path, body, headers) => answer(server, method, path, body, headers) }
}

type Ask = (
  method: string,
  path: string,
  body?: object | string,
  headers?: Record<string, string>,
) => { status: number; body: Body; headers: ApiResponse['headers'] }

function answer(
  server: ApiServer,
  method: string,
  path: string,
  body?: object | string,
  headers: Record<string, string> = {},
): ReturnType<Ask> {
  const response = server.handle({
    method,
    path,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body }),
    user,
  })
  assert.notEqual(response.kind, 'watch')
  return {
    status: response.status,
    headers: response.headers,
    body: response.kind === 'json' ? response.body : {},
  }
}

function configMap(name: string, data: Record<string, string> = {}): object {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data }
}

/** The events a watch has written so far. */
function watch(
  server: ApiServer,
  path: string,
): { events: { type: string; object: Body }[]; ended: () => boolean; stop: () => void } {
  const response = server.handle({ method: 'GET', path, user })
  assert.ok(response.kind === 'watch', JSON.stringify(response))
  const events: { type: string; object: Body }[] = []
  let ended = false
  const stop = response.start({
    write: (line) => events.push(JSON.parse(line) as { type: string; object: Body }),
    end: () => (ended = true),
  })
  return { events, ended: () => ended, stop }
}

test('without a token nothing is told but that the server is healthy', () => {
  const { server } = started()
  const code = (path: string, authorization?: string): number =>
    server.handle({ method: 'GET', path, headers: authorization === undefined ? {} : { authorization } }).status
  assert.equal(code('/readyz'), 200)
  assert.equal(code('/api/v1/secrets'), 401)
  assert.equal(code('/version', 'Bearer wrong'), 401)
  assert.equal(code('/api/v1/secrets', 'Bearer secret'), 200)
})

test('a page goes on from the state of the first page, whatever is written between', () => {
  const { ask } = started()
  for (const name of ['a', 'b', 'c', 'd']) ask('POST', maps, configMap(name))
  const first = ask('GET', `${maps}?limit=2`).body
  assert.equal(first.metadata?.['remainingItemCount'], 2)
  ask('DELETE', `${maps}/c`)
  ask('POST', maps, configMap('bb'))
  const second = ask('GET', `${maps}?limit=2&continue=${String(first.metadata?.['continue'])}`).body
  assert.deepEqual(
    second.items?.map((item) => item.metadata?.['name']),
    ['c', 'd'],
  )
  assert.equal(second.metadata?.['resourceVersion'], first.metadata?.['resourceVersion'])
})

test('a page of a forgotten state is refused with a token that goes on anyway', () => {
  const { server, ask } = started()
  for (const name of ['a', 'b', 'c']) ask('POST', maps, configMap(name))
  const token = String(ask('GET', `${maps}?limit=1`).body.metadata?.['continue'])
  ask('DELETE', `${maps}/b`)
  server.store.compact(server.store.resourceVersion)
  const late = ask('GET', `${maps}?limit=1&continue=${token}`)
  assert.equal(late.status, 410)
  assert.equal(late.body.reason, 'Expired')
  const rest = ask('GET', `${maps}?continue=${String(late.body.metadata?.['continue'])}`)
  assert.deepEqual(
    rest.body.items?.map((item) => item.metadata?.['name']),
    ['c'],
  )
})

test('a dry run tells everything and writes nothing', () => {
  const { server, ask } = started()
  const before = server.store.resourceVersion
  const made = ask('POST', `${maps}?dryRun=All`, configMap('a'))
  assert.equal(made.status, 201)
  assert.equal(made.body.metadata?.['resourceVersion'], undefined)
  assert.equal(ask('GET', `${maps}/a`).status, 404)
  assert.equal(server.store.resourceVersion, before)
})

test('unknown fields are ignored, warned of or refused as the client asks', () => {
  const { ask } = started()
  const body = { ...configMap('a'), dataa: {} }
  assert.equal(ask('POST', `${maps}?dryRun=All&fieldValidation=Ignore`, body).headers['warning'], undefined)
  assert.deepEqual(ask('POST', `${maps}?dryRun=All`, body).headers['warning'], ['299 - "unknown field \\"dataa\\""'])
  assert.equal(ask('POST', `${maps}?dryRun=All&fieldValidation=Strict`, body).status, 400)
})

test('a watch sends what is there, then what happens, and a bookmark every minute', () => {
  const { server, clock, ask } = started()
  ask('POST', maps, configMap('a'))
  const { events, stop } = watch(server, `${maps}?watch=true&allowWatchBookmarks=true`)
  ask('PATCH', `${maps}/a`, { data: { x: '1' } }, { 'content-type': 'application/merge-patch+json' })
  ask('DELETE', `${maps}/a`)
  clock.advance(60_000)
  assert.deepEqual(
    events.map(({ type }) => type),
    ['ADDED', 'BOOKMARK', 'MODIFIED', 'DELETED', 'BOOKMARK'],
  )
  assert.equal(events[4]?.object.metadata?.['resourceVersion'], String(server.store.resourceVersion))
  stop()
  ask('POST', maps, configMap('b'))
  assert.equal(events.length, 5)
})

test('initial events end with a bookmark that says so', () => {
  const { server, ask } = started()
  ask('POST', maps, configMap('a'))
  const { events } = watch(
    server,
    `${maps}?watch=1&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan`,
  )
  assert.deepEqual(
    events.map(({ type }) => type),
    ['ADDED', 'BOOKMARK'],
  )
  assert.deepEqual(events[1]?.object.metadata?.['annotations'], { 'k8s.io/initial-events-end': 'true' })
})

test('a watch from a forgotten past gets one error with 410 and ends', () => {
  const { server, ask } = started()
  ask('POST', maps, configMap('a'))
  server.store.compact(server.store.resourceVersion)
  const { events, ended } = watch(server, `${maps}?watch=1&resourceVersion=1`)
  assert.deepEqual(
    events.map(({ type, object }) => [type, object.code]),
    [['ERROR', 410]],
  )
  assert.ok(ended())
})

test('a watch ends when its time is over', () => {
  const { server, clock } = started()
  const { ended } = watch(server, `${maps}?watch=1&timeoutSeconds=5`)
  clock.advance(4_999)
  assert.equal(ended(), false)
  clock.advance(1)
  assert.equal(ended(), true)
})

test('replacing the whole state tells watches to start over', () => {
  const { server } = started()
  const state = server.store.state()
  const { events, ended } = watch(server, `${maps}?watch=1`)
  server.store.restore(state)
  assert.equal(events.at(-1)?.object.code, 410)
  assert.ok(ended())
})

test('a delete collection takes what the selector names', () => {
  const { ask } = started()
  for (const name of ['a', 'b'])
    ask('POST', maps, { ...configMap(name), metadata: { name, labels: { keep: String(name === 'b') } } })
  assert.equal(ask('DELETE', `${maps}?labelSelector=keep%3Dfalse`).status, 200)
  assert.deepEqual(
    ask('GET', maps).body.items?.map((item) => item.metadata?.['name']),
    ['b'],
  )
})

test('keys that would reach a prototype stay data', () => {
  const { ask } = started()
  const body =
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"p","labels":{"__proto__":"x"}},"data":{"__proto__":"1","constructor":"2"}}'
  assert.equal(ask('POST', maps, body).status, 422)
  const patched = ask(
    'PATCH',
    `${maps}/q?fieldManager=m`,
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"q"},"data":{"__proto__":"1","toString":"2"}}',
    { 'content-type': 'application/apply-patch+yaml' },
  )
  assert.ok(patched.status < 500)
  assert.equal(({} as Record<string, unknown>)['1'], undefined)
})

test('hostile requests get an answer and leave the server whole', () => {
  const { ask } = started()
  const requests: readonly (readonly [string, string, (string | object)?, string?])[] = [
    ['GET', '/api/v1/namespaces/%E0%A4%A'],
    ['GET', '/api/v1/namespaces/..%2f..%2fetc%2fpasswd'],
    ['GET', `${maps}?labelSelector=${'('.repeat(10_000)}`],
    ['GET', `${maps}?fieldSelector=${'%5C'.repeat(10_000)}`],
    ['POST', maps, '['.repeat(100_000)],
    ['POST', maps, `{"a":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`],
    ['PATCH', `${maps}/a?fieldManager=m`, `${'- '.repeat(5_000)}a`, 'application/apply-patch+yaml'],
    ['PATCH', `${maps}/a`, '[{"op":"copy","from":"/","path":"/a/b/c"}]', 'application/json-patch+json'],
    ['PUT', maps, {}],
    ['OPTIONS', maps],
    ['DELETE', `${maps}/a`, 'null'],
    ['POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { spec: { versions: [null, 5], names: [] } }],
  ]
  for (const [method, path, body, type] of requests) {
    const { status } = ask(method, path, body, type === undefined ? {} : { 'content-type': type })
    assert.ok(status >= 400 && status < 500, `${method} ${path.slice(0, 80)}: ${status}`)
  }
  assert.equal(ask('POST', maps, configMap('still-here')).status, 201)
})

test('roles decide who may do what where they are asked', () => {
  const server = new ApiServer({ rbac: true, tokens: { view: { name: 'eve', groups: ['system:authenticated'] } } })
  bootstrap(server)
  const as = (method: string, path: string, body?: object): number =>
    server.handle({
      method,
      path,
      headers: { authorization: 'Bearer view', 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body }),
    }).status
  assert.equal(as('GET', maps), 403)
  answer(server, 'POST', '/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings', {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { name: 'eve' },
    subjects: [{ kind: 'User', name: 'eve', apiGroup: 'rbac.authorization.k8s.io' }],
    roleRef: { kind: 'ClusterRole', name: 'view', apiGroup: 'rbac.authorization.k8s.io' },
  })
  assert.equal(as('GET', maps), 200)
  assert.equal(as('GET', '/api/v1/namespaces/default/secrets'), 403)
  assert.equal(as('GET', '/api/v1/namespaces/kube-system/configmaps'), 403)
  assert.equal(as('POST', maps, configMap('a')), 403)
  assert.equal(as('GET', '/apis'), 200)
})
