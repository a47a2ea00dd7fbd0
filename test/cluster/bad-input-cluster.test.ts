import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import test, { type TestContext } from 'node:test'
import { startControlPlane } from '../support/control-plane.ts'
import { FaultyApiServer, status, type Fault } from '../support/faulty-api-server.ts'
import { assertRefused, type Refusal } from '../support/line-assert.ts'
import { plumbline } from '../support/line-cli.ts'
import { everyObject, resourceVersions } from '../support/line-objects.ts'
import { applicationFile, configMap, workspace } from '../support/line-workspace.ts'
import { gitIsMissing, scaffoldRepository, type Scaffold } from '../support/scaffold-repository.ts'
import { missingTools } from '../support/tools/find.ts'
import { authority, expiredCertificate, otherAuthority, serverCertificate } from '../unit/kube/certificates.ts'

const ALL = /./
const FOREVER = 1_000_000

async function oneApplication(t: TestContext): Promise<Scaffold> {
  const scaffold = await scaffoldRepository()
  t.after(() => scaffold.dispose())
  await scaffold.write({ 'apps/one.yaml': applicationFile({ name: 'one' }), 'one/a.yaml': configMap('a') })
  await scaffold.commit('Begin')
  return scaffold
}

async function withKubeconfig(scaffold: Scaffold, text: string): Promise<readonly string[]> {
  const file = scaffold.beside('kubeconfig')
  await writeFile(file, text, { mode: 0o600 })
  return ['--kubeconfig', file]
}

test('a server that cannot be used is told of in one clear line', async (t) => {
  const skip = await gitIsMissing()
  if (skip !== undefined) return t.skip(skip)
  const scaffold = await oneApplication(t)
  const refused = async (kubeconfig: string, refusal: Refusal): Promise<void> => {
    const flags = await withKubeconfig(scaffold, kubeconfig)
    assertRefused(await plumbline(['app', 'diff', 'one', ...flags], { cwd: scaffold.folder }), refusal)
  }

  await t.test('nobody listens', async () => {
    const server = await FaultyApiServer.start()
    await server.stop()
    await refused(server.kubeconfig(), { says: /^error: .*127\.0\.0\.1:\d+/, next: 'is the cluster up?' })
  })

  await t.test('the certificate has expired', async (t) => {
    const server = await FaultyApiServer.start(expiredCertificate(['127.0.0.1']))
    t.after(() => server.stop())
    const kubeconfig = server.kubeconfig({ 'certificate-authority-data': authority() })
    await refused(kubeconfig, { says: /^error: .*certificate .*expired/, next: 'renew the certificate' })
  })

  await t.test('the certificate is of an authority that the kubeconfig does not name', async (t) => {
    const server = await FaultyApiServer.start(serverCertificate(['127.0.0.1']))
    t.after(() => server.stop())
    const kubeconfig = server.kubeconfig({ 'certificate-authority-data': otherAuthority() })
    await refused(kubeconfig, { says: /^error: .*certificate/, next: 'certificate-authority' })
  })

  await t.test('there is no such context', async (t) => {
    const server = await FaultyApiServer.start()
    t.after(() => server.stop())
    const flags = await withKubeconfig(scaffold, server.kubeconfig())
    const result = await plumbline(['app', 'diff', 'one', ...flags, '--context', 'gone'], { cwd: scaffold.folder })
    assertRefused(result, { says: /^error: .*gone/, next: 'plumbline context list' })
  })

  await t.test('the kubeconfig is not there, or is broken', async () => {
    const absent = scaffold.beside('no-kubeconfig')
    const result = await plumbline(['app', 'diff', 'one', '--kubeconfig', absent], { cwd: scaffold.folder })
    assertRefused(result, { says: /^error: .*no-kubeconfig/ })
    await refused('contexts: [', { says: /^error: .*kubeconfig/ })
  })
})

/** What every request is answered with, and what the person is told of it. */
const ANSWERS: readonly (Refusal & { readonly name: string; readonly fault: Fault })[] = [
  {
    name: '401',
    fault: (_, response) => status(response, 401, 'Unauthorized', 'Unauthorized'),
    says: 'error: the server does not accept the credentials (401 Unauthorized)',
    next: 'sign in again',
  },
  {
    name: '429',
    fault: (_, response) =>
      status(response, 429, 'TooManyRequests', 'too many requests, please try again later', { 'retry-after': '0' }),
    says: /^error: .*too many requests/,
    next: 'try again in a while',
  },
  {
    name: '500',
    fault: (_, response) => status(response, 500, 'InternalError', 'etcdserver: leader changed'),
    says: 'error: etcdserver: leader changed',
    next: 'try again in a while',
  },
  {
    name: "a proxy's page instead of an answer",
    fault: (_, response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<html>bad gateway</html>'),
    says: /^error: the server answered 502 to /,
    next: 'try again in a while',
  },
  {
    name: 'an answer that is no JSON',
    fault: (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"kind":'),
    says: /^error: /,
  },
]

test('what a server answers to everything is told of in one clear line', async (t) => {
  const skip = await gitIsMissing()
  if (skip !== undefined) return t.skip(skip)
  const scaffold = await oneApplication(t)
  for (const { name, fault, ...refusal } of ANSWERS) {
    await t.test(name, async (t) => {
      const server = await FaultyApiServer.start()
      t.after(() => server.stop())
      server.fail(ALL, fault, FOREVER)
      const flags = await withKubeconfig(scaffold, server.kubeconfig())
      assertRefused(await plumbline(['app', 'diff', 'one', ...flags], { cwd: scaffold.folder }), refusal)
    })
  }
})

test('a server that never answers is given up on after --request-timeout', async (t) => {
  const skip = await gitIsMissing()
  if (skip !== undefined) return t.skip(skip)
  const scaffold = await oneApplication(t)
  const server = await FaultyApiServer.start()
  t.after(() => server.stop())
  server.fail(ALL, () => undefined, FOREVER)
  const flags = await withKubeconfig(scaffold, server.kubeconfig())
  const argv = ['app', 'diff', 'one', '--request-timeout', '1', ...flags]
  assertRefused(await plumbline(argv, { cwd: scaffold.folder }), { says: /^error: .*time/, next: 'is the cluster up?' })
})

test('what a role forbids is named by its verb and resource, on a real kube-apiserver', async (t) => {
  const skip = (await gitIsMissing()) ?? (missingTools('etcd', 'kube-apiserver') || undefined)
  if (skip !== undefined) return t.skip(skip)
  const scaffold = await oneApplication(t)
  const plane = await startControlPlane()
  t.after(() => plane.stop())
  const run = async (context: string, ...argv: readonly string[]): Promise<ReturnType<typeof plumbline>> =>
    plumbline([...argv, '--kubeconfig', plane.kubeconfigPath, '--context', context], { cwd: scaffold.folder })
  const before = await resourceVersions(plane)
  for (const [user, says] of [
    ['viewer', /User "viewer" cannot (create|patch) resource "(namespaces|configmaps)"/],
    ['nobody', /User "nobody" cannot (get|list) resource "(namespaces|configmaps)"/],
  ] as const) {
    const synced = await run(user, 'app', 'sync', 'one')
    assert.equal(synced.code, 2, synced.stderr)
    assert.match(synced.stderr, says)
    assert.doesNotMatch(synced.stderr, /^\s+at /m)
    // A list still tells what it could not see.
    const list = await run(user, 'app', 'list')
    assert.equal(list.code, 0, list.stderr)
    assert.match(list.stdout, /^one +/m)
  }
  assert.deepEqual(await resourceVersions(plane), before)
})

test('a kind that may not be listed hides none of the others, on a real kube-apiserver', async (t) => {
  const skip = (await gitIsMissing()) ?? (missingTools('etcd', 'kube-apiserver') || undefined)
  if (skip !== undefined) return t.skip(skip)
  const scaffold = await scaffoldRepository()
  t.after(() => scaffold.dispose())
  const secret = 'apiVersion: v1\nkind: Secret\nmetadata:\n  name: hidden\nstringData:\n  key: hunter2\n'
  const files = {
    'apps/two.yaml': applicationFile({ name: 'two' }),
    'two/a.yaml': configMap('a'),
    'two/b.yaml': secret,
  }
  await scaffold.write(files)
  await scaffold.commit('Begin')
  const plane = await startControlPlane()
  t.after(() => plane.stop())
  const run = async (context: string, ...argv: readonly string[]): Promise<ReturnType<typeof plumbline>> =>
    plumbline([...argv, '--kubeconfig', plane.kubeconfigPath, '--context', context], { cwd: scaffold.folder })
  assert.equal((await run('admin', 'app', 'sync', 'two')).code, 0)

  const seen = await run('viewer', 'app', 'get', 'two', '-o', 'json')
  assert.equal(seen.code, 0, seen.stderr)
  const { status: found } = JSON.parse(seen.stdout) as Shown
  assert.deepEqual(
    found.resources.map(({ kind, name, status: sync }) => `${kind} ${name} ${sync}`),
    ['Secret hidden Unknown', 'ConfigMap a Synced'],
  )
  const [condition] = found.conditions
  assert.match(condition?.message ?? '', /^Secret two\/hidden: .*User "viewer" cannot list resource "secrets"/)
  const compared = await run('viewer', 'app', 'diff', 'two')
  assert.equal(compared.code, 2)
  assert.match(compared.stderr, /User "viewer" cannot list resource "secrets"/)
})

type Shown = {
  readonly status: {
    readonly resources: readonly { readonly kind: string; readonly name: string; readonly status: string }[]
    readonly conditions: readonly { readonly message: string }[]
  }
}

test('Ctrl-C in the middle of a sync ends it with one line, and the next sync finishes it', async (t) => {
  const skip = await gitIsMissing()
  if (skip !== undefined) return t.skip(skip)
  const files: Record<string, string> = { 'apps/many.yaml': applicationFile({ name: 'many' }) }
  for (let i = 0; i < 300; i++) files[path.join('many', `${i}.yaml`)] = configMap(`many-${i}`)
  const line = await workspace(t, files)
  const interrupted = await line.run(['app', 'sync', 'many'], {
    onStart: (child) => child.stderr?.once('data', () => void setTimeout(5).then(() => child.kill('SIGINT'))),
  })
  assert.deepEqual(
    { code: interrupted.code, signal: interrupted.signal, stdout: interrupted.stdout },
    { code: 130, signal: null, stdout: '' },
    interrupted.stderr,
  )
  const lines = interrupted.stderr.trimEnd().split('\n')
  assert.equal(lines.at(-1), 'interrupted')
  assert.deepEqual(
    lines.slice(0, -1).filter((text) => !text.startsWith('✓')),
    [],
  )
  const made = async (): Promise<number> =>
    (await everyObject(line.server)).filter(({ metadata }) => metadata.name.startsWith('many-')).length
  const cut = await made()
  assert.ok(cut < 300, 'it was stopped before its end')
  const next = await line.run(['app', 'sync', 'many'])
  assert.equal(next.code, 0, next.stderr)
  assert.equal(await made(), 300)
  t.diagnostic(`${cut} of 300 were there at the interrupt`)
})
