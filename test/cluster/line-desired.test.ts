import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { openLine, type Line } from '../support/line-session.ts'
import { configMap } from '../support/line-workspace.ts'
import { gitIsMissing } from '../support/scaffold-repository.ts'
import { testServers, type StartedServer } from '../support/test-servers.ts'

const SECRET = '/api/v1/namespaces/secrets/secrets/login'

function secret(rest: object): string {
  return JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'login' }, ...rest })
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}

async function assertSettled(line: Line): Promise<void> {
  const pass = await line.sync()
  assert.equal(pass.snapshot.sync, 'Synced', JSON.stringify([pass.snapshot.conditions, line.fields(pass)]))
  const again = await line.sync()
  assert.deepEqual(again.plan?.steps, [])
}

for (const server of testServers) {
  test(`on ${server.name} what Git holds is sent as kubectl would mean it`, async (t) => {
    const skip = (await gitIsMissing()) ?? (await server.missing())
    if (skip !== undefined) return t.skip(skip)
    const running = await server.start(t)
    await t.test('what an export of a live object carries along is not sent', async (t) => exported(t, running))
    await t.test('stringData wins over data, and a key that leaves it leaves the cluster', async (t) =>
      secrets(t, running),
    )
    await t.test('a definition and its objects come together, in any order of files', async (t) => defined(t, running))
    await t.test('one object under two spellings of its namespace is told of as written twice', async (t) =>
      twice(t, running),
    )
  })
}

async function exported(t: TestContext, server: StartedServer): Promise<void> {
  const metadata = {
    name: 'exported',
    uid: '5a1b6c2e-0000-0000-0000-000000000000',
    resourceVersion: '12345',
    creationTimestamp: '2020-01-01T00:00:00Z',
    generation: 3,
    selfLink: '/x',
    managedFields: [{ manager: 'somebody' }],
  }
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata,
    spec: { ports: [{ port: 80 }], selector: { app: 'web' } },
    status: { loadBalancer: {} },
  }
  const role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', rules: [] }
  const line = await openLine(
    t,
    server,
    { name: 'exported' },
    {
      'service.json': JSON.stringify(service),
      'null-time.yaml': configMap('null-time').replace('\ndata:', '\n  creationTimestamp: null\ndata:'),
      // A namespace means nothing to what has none.
      'role.json': JSON.stringify({ ...role, metadata: { name: 'line-desired', namespace: 'nowhere' } }),
    },
  )
  await assertSettled(line)
}

async function secrets(t: TestContext, server: StartedServer): Promise<void> {
  const data = { user: base64('ada'), password: base64('old') }
  const line = await openLine(
    t,
    server,
    { name: 'secrets' },
    {
      'a.json': secret({ data, stringData: { password: 'ünïcode', extra: '' } }),
    },
  )
  await assertSettled(line)
  assert.deepEqual((await line.get(SECRET))['data'], { user: base64('ada'), password: base64('ünïcode'), extra: '' })
  await line.scaffold.write({ 'secrets/a.json': secret({ stringData: { user: 'bob' } }) })
  await assertSettled(line)
  assert.deepEqual((await line.get(SECRET))['data'], { user: base64('bob') })
}

function widget(size: number): string {
  const metadata = { name: 'one' }
  return JSON.stringify({ apiVersion: 'line.example.com/v1', kind: 'Widget', metadata, spec: { size } })
}

async function defined(t: TestContext, server: StartedServer): Promise<void> {
  const schema = { type: 'object', properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } } }
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.line.example.com' },
    spec: {
      group: 'line.example.com',
      scope: 'Namespaced',
      names: { kind: 'Widget', plural: 'widgets', singular: 'widget', listKind: 'WidgetList' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  }
  const files = { 'a-widget.json': widget(1), 'z-definition.json': JSON.stringify(definition) }
  const line = await openLine(t, server, { name: 'defined' }, files)
  await assertSettled(line)
  await line.scaffold.write({ 'defined/a-widget.json': widget(2) })
  const [field] = line.fields(await line.look())
  assert.deepEqual([field?.path, field?.desired, field?.live], ['/spec/size', value(2), value(1)])
  await assertSettled(line)
}

function value(json: number): object {
  return { kind: 'value', value: json }
}

async function twice(t: TestContext, server: StartedServer): Promise<void> {
  const spelled = configMap('same', 'other').replace('name: same', 'name: same\n  namespace: twice')
  const line = await openLine(t, server, { name: 'twice' }, { 'a.yaml': configMap('same'), 'b.yaml': spelled })
  const pass = await line.look()
  assert.equal(pass.snapshot.sync, 'Unknown')
  const told = pass.snapshot.conditions.map(({ type, message }) => `${type}: ${message}`)
  assert.deepEqual(told, [
    'RepeatedResourceWarning: v1 ConfigMap twice/same is written twice; the first is in twice/a.yaml line 1',
  ])
}
