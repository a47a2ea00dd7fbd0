import assert from 'node:assert/strict'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { ClusterError } from '../../../shared/kube/cluster-error.ts'
import { status } from '../../support/faulty-api-server.ts'
import { failureOf, faultyCluster, temporaryFolder } from './cluster-scaffold.ts'

const apiVersion = 'client.authentication.k8s.io/v1'

/** A login plugin that answers by the code; it counts its runs in a file. */
async function plugin(
  t: TestContext,
  code: string,
  more: object = {},
): Promise<{ user: object; runs: () => Promise<string> }> {
  const folder = await temporaryFolder(t)
  const script = path.join(folder, 'login.mjs')
  const count = path.join(folder, 'runs')
  const prelude = `import fs from 'node:fs'
fs.appendFileSync(${JSON.stringify(count)}, 'x')
const info = JSON.parse(process.env.KUBERNETES_EXEC_INFO)
const runs = fs.readFileSync(${JSON.stringify(count)}, 'utf8').length
const answer = (status) => console.log(JSON.stringify({ kind: 'ExecCredential', apiVersion: info.apiVersion, status }))
`
  await writeFile(script, prelude + code)
  await chmod(script, 0o700)
  const exec = { apiVersion, command: process.execPath, args: [script], interactiveMode: 'Never', ...more }
  return { user: { exec }, runs: () => readFile(count, 'utf8').catch(() => '') }
}

const headersOf = (requests: readonly { headers: Record<string, unknown> }[]): readonly unknown[] => [
  ...new Set(requests.map(({ headers }) => headers['authorization'])),
]

const fixed: readonly (readonly [string, object, string | undefined])[] = [
  ['a token', { token: 'abc' }, 'Bearer abc'],
  ['name and password', { username: 'joe', password: 'p:w' }, `Basic ${Buffer.from('joe:p:w').toString('base64')}`],
  ['nothing', {}, undefined],
  ['a token beside a plugin', { token: 'abc', exec: { apiVersion, command: '/nowhere' } }, 'Bearer abc'],
]

for (const [what, user, expected] of fixed) {
  test(`${what} logs in by ${expected?.split(' ')[0] ?? 'no header'}`, async (t) => {
    const { server, cluster } = await faultyCluster(t, { user })
    await cluster.describe({})
    assert.deepEqual(headersOf(server.requests), [expected])
  })
}

test('a token file is read, without its line end', async (t) => {
  const file = path.join(await temporaryFolder(t), 'token')
  await writeFile(file, 'from-file\n')
  const { server, cluster } = await faultyCluster(t, { user: { tokenFile: file } })
  await cluster.describe({})
  assert.deepEqual(headersOf(server.requests), ['Bearer from-file'])
})

test('impersonation is sent as kubectl sends it', async (t) => {
  const user = { token: 'abc', as: 'boss', 'as-uid': '7', 'as-groups': ['g1', 'g2'], 'as-user-extra': { 'a/B': ['v'] } }
  const { server, cluster } = await faultyCluster(t, { user })
  await cluster.describe({})
  const headers = server.requests[0]?.headers ?? {}
  assert.equal(headers['impersonate-user'], 'boss')
  assert.equal(headers['impersonate-uid'], '7')
  assert.equal(headers['impersonate-group'], 'g1, g2')
  assert.equal(headers['impersonate-extra-a%2fb'], 'v')
})

test('a plugin runs once for many requests, and not before the first', async (t) => {
  const { user, runs } = await plugin(t, `answer({ token: 'from-plugin-' + info.spec.interactive })`)
  const { server, cluster } = await faultyCluster(t, { user })
  assert.equal(await runs(), '')
  await Promise.all([cluster.describe({}), cluster.describe({})])
  assert.equal(await runs(), 'x')
  assert.deepEqual(headersOf(server.requests), ['Bearer from-plugin-false'])
})

test('a plugin that asks for it is told the cluster', async (t) => {
  const { user } = await plugin(t, 'answer({ token: info.spec.cluster.server })', { provideClusterInfo: true })
  const { server, cluster } = await faultyCluster(t, { user })
  await cluster.describe({})
  assert.deepEqual(headersOf(server.requests), [`Bearer ${server.url}`])
})

test('an expired login is renewed by another run', async (t) => {
  const code = `answer({ token: 't' + runs, expirationTimestamp: new Date(Date.now() + (runs - 1) * 3600_000).toISOString() })`
  const { user, runs } = await plugin(t, code)
  const { server, cluster } = await faultyCluster(t, { user })
  await cluster.raw('/version', {})
  await cluster.raw('/version', {})
  await cluster.raw('/version', {})
  assert.equal(await runs(), 'xx')
  assert.deepEqual(headersOf(server.requests), ['Bearer t1', 'Bearer t2'])
})

test('a login that ended early is renewed once after a 401', async (t) => {
  const { user, runs } = await plugin(t, `answer({ token: 't' + runs })`)
  const { server, cluster } = await faultyCluster(t, { user })
  server.fail(/version/, (_, response) => status(response, 401, 'Unauthorized', 'Unauthorized'))
  await cluster.raw('/version', {})
  assert.equal(await runs(), 'xx')
  server.fail(/version/, (_, response) => status(response, 401, 'Unauthorized', 'Unauthorized'), 9)
  assert.ok(ClusterError.is(await failureOf(cluster.raw('/version', {})), 'unauthorized'))
  assert.equal(await runs(), 'xxx')
})

const failing: readonly (readonly [string, string, object, RegExp])[] = [
  ['fails', `console.error('please log in'); process.exit(3)`, {}, /exit status 3\nplease log in/],
  ['answers nothing', '', {}, /no token and no certificate/],
  ['needs a terminal', '', { interactiveMode: 'Always' }, /needs a terminal/],
  [
    'is not installed',
    '',
    { command: 'plumbline-no-such-login', installHint: 'Install it.' },
    /not installed\nInstall it/,
  ],
]

for (const [what, code, more, expected] of failing) {
  test(`a plugin that ${what} is told in its own words`, async (t) => {
    const { user } = await plugin(t, code, more)
    const { cluster } = await faultyCluster(t, { user })
    const error = await failureOf(cluster.describe({}))
    assert.ok(ClusterError.is(error, 'credentials'), String(error))
    assert.match(error.message, expected)
  })
}

function part(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

/** An unsigned JSON web token that ends at a second. */
function token(exp: number): string {
  return `${part({ alg: 'none' })}.${part({ exp })}.c2ln`
}

test('an oidc token is sent through client-node; one that is over and cannot be renewed says so', async (t) => {
  const user = (exp: number): object => ({ 'auth-provider': { name: 'oidc', config: { 'id-token': token(exp) } } })
  const later = Math.round(Date.now() / 1000) + 3600
  const { server, cluster } = await faultyCluster(t, { user: user(later) })
  await cluster.describe({})
  assert.deepEqual(headersOf(server.requests), [`Bearer ${token(later)}`])
  const over = await faultyCluster(t, { user: user(1000) })
  const error = await failureOf(over.cluster.describe({}))
  assert.ok(ClusterError.is(error, 'credentials'), String(error))
  assert.match(error.message, /oidc/)
})
