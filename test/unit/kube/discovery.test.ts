import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ClusterError } from '../../../shared/kube/cluster-error.ts'
import type { Fault, FaultyApiServer } from '../../support/faulty-api-server.ts'
import { status } from '../../support/faulty-api-server.ts'
import { configMaps, eventually, failureOf, faultyCluster } from './cluster-scaffold.ts'

const widget = { group: 'shop.example', version: 'v1', kind: 'Widget' }
const json =
  (body: unknown, type = 'application/json'): Fault =>
  (_, response) =>
    response.writeHead(200, { 'content-type': type }).end(JSON.stringify(body))

function aggregated(versions: readonly object[]): Fault {
  const items = [{ metadata: { name: 'shop.example' }, versions }]
  return json({ items }, 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList')
}

const widgets = {
  resource: 'widgets',
  responseKind: { group: 'shop.example', version: 'v1', kind: 'Widget' },
  scope: 'Cluster',
  verbs: ['list'],
}

function version(name: string): object {
  return { groupVersion: `shop.example/${name}`, version: name }
}

/** A server of before 1.26: one document a version. */
function plain(server: FaultyApiServer): void {
  server.fail(/GET \/api$/, json({ kind: 'APIVersions', versions: ['v1'] }), 9)
  const resources = [
    { name: 'configmaps', kind: 'ConfigMap', namespaced: true, verbs: ['list'] },
    { name: 'configmaps/status', kind: 'ConfigMap', namespaced: true, verbs: ['get'] },
  ]
  server.fail(/GET \/api\/v1$/, json({ resources }), 9)
  const group = { name: 'shop.example', versions: [version('v1beta1'), version('v1')], preferredVersion: version('v1') }
  const metrics = { groupVersion: 'metrics.k8s.io/v1', version: 'v1' }
  const groups = [group, { name: 'metrics.k8s.io', versions: [metrics], preferredVersion: metrics }]
  server.fail(/GET \/apis$/, json({ kind: 'APIGroupList', groups }), 9)
  for (const name of ['v1', 'v1beta1']) {
    const list = [{ name: 'widgets', kind: 'Widget', namespaced: false, verbs: ['list'] }]
    server.fail(new RegExp(`GET /apis/shop.example/${name}$`), json({ resources: list }), 9)
  }
  server.fail(/GET \/apis\/metrics/, (_, response) => status(response, 404, 'NotFound', 'no endpoints'), 9)
}

test('a server that does not aggregate is asked version by version', async (t) => {
  const { server, cluster } = await faultyCluster(t)
  plain(server)
  const { apiVersions } = await cluster.describe({})
  assert.deepEqual(apiVersions, [
    'metrics.k8s.io/v1',
    'shop.example/v1',
    'shop.example/v1/Widget',
    'shop.example/v1beta1',
    'shop.example/v1beta1/Widget',
    'v1',
    'v1/ConfigMap',
  ])
  const facts = await cluster.preferredKind({ group: 'shop.example', kind: 'Widget' }, {})
  assert.deepEqual([facts?.gvk.version, facts?.resource, facts?.namespaced], ['v1', 'widgets', false])
})

test('one API server behind the server that does not answer hides its own kinds only, and is named', async (t) => {
  const { server, cluster } = await faultyCluster(t)
  plain(server)
  assert.equal((await cluster.kind(configMaps, {}))?.resource, 'configmaps')
  const error = await failureOf(cluster.kind({ group: 'metrics.k8s.io', version: 'v1', kind: 'PodMetrics' }, {}))
  assert.ok(ClusterError.is(error, 'server-error'))
  assert.match(error.message, /metrics\.k8s\.io\/v1 does not answer/)
  assert.equal(await cluster.kind({ group: 'none.example', version: 'v1', kind: 'None' }, {}), undefined)
})

test('a stale version of aggregated discovery proves no absence', async (t) => {
  const { server, cluster } = await faultyCluster(t)
  server.fail(/GET \/apis$/, aggregated([{ version: 'v1', resources: [], freshness: 'Stale' }]), 9)
  assert.ok(ClusterError.is(await failureOf(cluster.kind(widget, {})), 'server-error'))
  assert.equal((await cluster.kind(configMaps, {}))?.resource, 'configmaps')
})

test('a kind that is defined later is found later', async (t) => {
  const { server, cluster } = await faultyCluster(t)
  assert.equal(await cluster.kind(widget, {}), undefined)
  server.fail(/GET \/apis$/, aggregated([{ version: 'v1', resources: [widgets] }]), 9)
  await eventually('found', async () => (await cluster.kind(widget, {})) !== undefined)
  assert.equal((await cluster.kind(widget, {}))?.namespaced, false)
})

test('an unknown kind that is asked for often is not asked of the server as often', async (t) => {
  const { server, cluster } = await faultyCluster(t)
  for (let index = 0; index < 50; index += 1) assert.equal(await cluster.kind(widget, {}), undefined)
  assert.ok(server.count(/GET \/apis$/) <= 3, `${server.count(/GET \/apis$/)} times`)
})

test('two resources of one kind: the one that can be listed is meant', async (t) => {
  const { server, cluster } = await faultyCluster(t)
  const alias = { ...widgets, resource: 'aliases', verbs: ['get'] }
  server.fail(/GET \/apis$/, aggregated([{ version: 'v1', resources: [alias, widgets] }]), 9)
  assert.equal((await cluster.kind(widget, {}))?.resource, 'widgets')
})

test('a kind of a custom resource has the type of its published schema, known before its definition changes', async (t) => {
  const { server, cluster } = await faultyCluster(t)
  server.fail(/GET \/apis$/, aggregated([{ version: 'v1', resources: [widgets] }]), 9)
  const url = '/openapi/v3/apis/shop.example/v1?hash=A'
  server.fail(/GET \/openapi\/v3$/, json({ paths: { 'apis/shop.example/v1': { serverRelativeURL: url } } }), 9)
  const spec = {
    type: 'object',
    properties: { parts: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } } },
  }
  const schema = { type: 'object', properties: { spec }, 'x-kubernetes-group-version-kind': [widget] }
  server.fail(/hash=A/, json({ components: { schemas: { 'example.shop.v1.Widget': schema } } }), 9)
  const facts = await cluster.kind(widget, {})
  const parts = facts?.schema?.map?.fields.get('spec')?.schema.map?.fields.get('parts')
  assert.equal(parts?.schema.list?.relationship, 'associative')
  assert.equal(await cluster.kind(widget, {}), facts)
  assert.equal(server.count(/openapi/), 2)
})
