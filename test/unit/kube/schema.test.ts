import assert from 'node:assert/strict'
import { readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { connectCluster } from '../../../shared/kube/cluster.ts'
import type { Cluster } from '../../../shared/kube/cluster.ts'
import { FaultyApiServer } from '../../support/faulty-api-server.ts'
import { configMaps, temporaryFolder } from './cluster-scaffold.ts'

/** A server of a version that publishes, or not, a ConfigMap that our own catalogue does not know. */
async function server(
  t: TestContext,
  version: string,
  hash?: string,
): Promise<{ api: FaultyApiServer; schemaFolder: string; connect: () => Promise<Cluster> }> {
  const api = await FaultyApiServer.start()
  t.after(() => api.stop())
  const send = (match: RegExp, body: unknown): void => {
    api.fail(match, (_, response) => response.writeHead(200).end(JSON.stringify(body)), Number.POSITIVE_INFINITY)
  }
  send(/GET \/version/, { gitVersion: version })
  if (hash !== undefined) {
    send(/GET \/openapi\/v3$/, { paths: { 'api/v1': { serverRelativeURL: `/openapi/v3/api/v1?hash=${hash}` } } })
    const properties = { own: { type: 'string', description: 'prose' } }
    const schema = { type: 'object', properties, 'x-kubernetes-group-version-kind': [configMaps] }
    send(/GET \/openapi\/v3\/api\/v1/, { components: { schemas: { 'io.k8s.api.core.v1.ConfigMap': schema } } })
  }
  const folder = await temporaryFolder(t)
  const kubeconfig = path.join(folder, 'config')
  await writeFile(kubeconfig, api.kubeconfig())
  const schemaFolder = path.join(folder, 'schemas')
  const connect = async (): Promise<Cluster> => {
    const cluster = await connectCluster({ kubeconfig, watch: false, schemaFolder })
    t.after(() => cluster.dispose())
    return cluster
  }
  return { api, schemaFolder, connect }
}

async function fieldsOf(cluster: Cluster): Promise<readonly string[]> {
  const facts = await cluster.kind(configMaps, {})
  return [...(facts?.schema?.map?.fields.keys() ?? [])]
}

test('a built-in kind of the built-in version costs no question', async (t) => {
  const { api, connect } = await server(t, 'v1.36.9-gke.1', 'A')
  assert.ok((await fieldsOf(await connect())).includes('binaryData'))
  assert.equal(api.count(/openapi/), 0)
})

test('another version of the server is asked for its own types', async (t) => {
  const { connect } = await server(t, 'v1.37.0', 'A')
  assert.deepEqual(await fieldsOf(await connect()), ['own'])
})

test('a server that publishes no types is taken by the built-in ones', async (t) => {
  const { connect } = await server(t, 'v1.20.2')
  assert.ok((await fieldsOf(await connect())).includes('binaryData'))
})

test('a document is fetched once, kept by its hash, and fetched again when its file is broken', async (t) => {
  const { api, schemaFolder, connect } = await server(t, 'v1.37.0', 'A')
  const documents = /GET \/openapi\/v3\/api\/v1/
  const first = await connect()
  await fieldsOf(first)
  await fieldsOf(first)
  assert.deepEqual(await fieldsOf(await connect()), ['own'])
  assert.equal(api.count(documents), 1)
  const [name = ''] = await readdir(schemaFolder)
  await writeFile(path.join(schemaFolder, name), '{"cut')
  assert.deepEqual(await fieldsOf(await connect()), ['own'])
  assert.equal(api.count(documents), 2)
})
