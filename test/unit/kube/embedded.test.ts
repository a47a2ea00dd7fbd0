import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { ClusterError } from '../../../shared/kube/cluster-error.ts'
import { connectCluster } from '../../../shared/kube/cluster.ts'
import type { Cluster } from '../../../shared/kube/cluster.ts'
import type { KubeObject } from '../../../shared/model/kubernetes.ts'
import type { ApplyRequest } from '../../../shared/model/ports.ts'
import { startServer } from '../../../shared/simulator/server.ts'
import { configMaps, eventually, failureOf, temporaryFolder } from './cluster-scaffold.ts'

const here = { kinds: [configMaps], namespaces: new Set(['default']) }
const id = { group: '', kind: 'ConfigMap', namespace: 'default', name: 'a' }

/** The embedded server, and as many clients as are asked for. */
async function embedded(t: TestContext): Promise<(watch: boolean) => Promise<Cluster>> {
  const server = await startServer({ controllers: false })
  t.after(() => server.close())
  const kubeconfig = path.join(await temporaryFolder(t), 'config')
  await writeFile(kubeconfig, server.kubeconfig())
  return async (watch) => {
    const cluster = await connectCluster({ kubeconfig, watch, schemaFolder: false })
    t.after(() => cluster.dispose())
    return cluster
  }
}

function request(data: Readonly<Record<string, string>>, fieldManager = 'plumbline'): ApplyRequest {
  const object: KubeObject = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a', namespace: 'default' },
    data,
  }
  return { object, fieldManager, force: false, fieldValidation: 'Strict' }
}

test('the embedded server is spoken to as any other: kinds, types, dry run, apply, conflict, delete', async (t) => {
  const connect = await embedded(t)
  const cluster = await connect(false)
  const { version, apiVersions } = await cluster.describe({})
  assert.match(version, /^v1\.36/)
  assert.ok(apiVersions.includes('apps/v1/Deployment'))
  assert.ok((await cluster.kind({ group: 'apps', version: 'v1', kind: 'Deployment' }, {}))?.schema !== undefined)
  await cluster.dryRunApply(request({ v: '1' }), {})
  assert.equal(await cluster.read(configMaps, id, {}), undefined)
  const made = await cluster.apply(request({ v: '1' }), {})
  assert.deepEqual(made.owners[0]?.fields, { 'f:data': { 'f:v': {} } })
  const conflict = await failureOf(cluster.apply(request({ v: '2' }, 'other'), {}))
  assert.ok(ClusterError.is(conflict, 'conflict'))
  assert.deepEqual(
    conflict.causes.map(({ field }) => field),
    ['.data.v'],
  )
  const deletion = { gvk: configMaps, id, propagation: 'Background' } as const
  assert.ok(ClusterError.is(await failureOf(cluster.delete({ ...deletion, uid: 'another' }, {})), 'conflict'))
  await cluster.delete({ ...deletion, uid: made.uid, resourceVersion: made.resourceVersion }, {})
  assert.equal((await cluster.observe(here, {})).get(id), undefined)
})

test('what others write to the embedded server is seen by the watch', async (t) => {
  const connect = await embedded(t)
  const [watching, writing] = [await connect(true), await connect(false)]
  assert.equal((await watching.observe(here, {})).get(id), undefined)
  const made = await writing.apply(request({ v: '1' }), {})
  await eventually('it came', async () => (await watching.observe(here, {})).get(id)?.uid === made.uid)
  await writing.delete({ gvk: configMaps, id, uid: made.uid, propagation: 'Background' }, {})
  await eventually('it went', async () => (await watching.observe(here, {})).get(id) === undefined)
})

test('the epoch of the embedded server moves with its webhooks and not with its objects', async (t) => {
  const connect = await embedded(t)
  const [watching, writing] = [await connect(true), await connect(false)]
  const { epoch } = await watching.describe({})
  await writing.apply(request({ v: '1' }), {})
  assert.equal((await (await connect(false)).describe({})).epoch, epoch)
  const apiVersion = 'admissionregistration.k8s.io/v1'
  const object = { apiVersion, kind: 'ValidatingWebhookConfiguration', metadata: { name: 'w' } }
  await writing.apply({ ...request({}), object }, {})
  await eventually('the epoch moved', async () => (await watching.describe({})).epoch !== epoch)
  assert.equal((await (await connect(false)).describe({})).epoch, (await watching.describe({})).epoch)
})
