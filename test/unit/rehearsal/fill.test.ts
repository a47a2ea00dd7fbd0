import assert from 'node:assert/strict'
import test from 'node:test'
import { clusterOver } from '../../../shared/kube/cluster.ts'
import type { KubeObject } from '../../../shared/model/kubernetes.ts'
import { filledServer } from '../../../shared/rehearsal/embedded-state.ts'
import { FaultyServer, type Interceptor } from '../../../shared/rehearsal/faulty-server.ts'
import { refusal } from '../../../shared/rehearsal/faults.ts'
import { readCluster, type Filled, type FillScope } from '../../../shared/rehearsal/fill.ts'
import { wiresTo } from '../../../shared/rehearsal/in-process.ts'
import { Placeholders } from '../../../shared/rehearsal/placeholders.ts'

const object = (apiVersion: string, kind: string, name: string, parts: object = {}, meta: object = {}): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name, namespace: 'shop', uid: `${kind}-${name}`, resourceVersion: '7', ...meta },
  ...parts,
})
const namespace: KubeObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', uid: 'ns' } }
const deployments = { group: 'apps', version: 'v1', kind: 'Deployment' }

function scope(change: Partial<FillScope> = {}): FillScope {
  return { kinds: [deployments], namespaces: new Set(['shop']), wanted: [], doomed: [], ...change }
}

/** What is read of a cluster that has these objects, and where some requests fare otherwise. */
async function read(
  objects: readonly KubeObject[],
  asked: FillScope,
  ...others: readonly Interceptor[]
): Promise<Filled> {
  const { server } = filledServer((options) => new FaultyServer(options, others), [namespace, ...objects])
  return readCluster(clusterOver('test', wiresTo(server)), asked, new Placeholders(new Uint8Array(32)), {})
}

function answering(part: string, code: number, reason: string, message: string): Interceptor {
  return ({ path }) => (path.includes(part) ? { answer: refusal(code, reason, message) } : undefined)
}

const keys = ({ objects }: Filled): readonly string[] =>
  objects
    .filter(({ metadata }) => metadata.namespace === 'shop')
    .map(({ kind, metadata }) => `${kind} ${metadata.name}`)

const pod = (spec: object, meta: object = {}): KubeObject => object('v1', 'Pod', 'web-1', { spec }, meta)
const reading = { containers: [{ name: 'a', image: 'a', envFrom: [{ secretRef: { name: 'login' } }] }] }

test('what pods refer to and who owns them is read too, and nothing besides', async () => {
  const owner = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: 'ConfigMap-owner' }]
  const filled = await read(
    [
      pod(reading, { ownerReferences: owner }),
      object('v1', 'Secret', 'login', { data: { password: 'aHVudGVyMg==' } }),
      object('v1', 'Secret', 'other', { data: {} }),
      object('v1', 'ConfigMap', 'owner'),
      object('v1', 'ConfigMap', 'unrelated'),
    ],
    scope(),
  )
  assert.deepEqual(keys(filled).toSorted(), ['ConfigMap owner', 'Pod web-1', 'Secret login'])
  assert.ok(!JSON.stringify(filled.objects).includes('aHVudGVyMg=='))
  const [found] = filled.objects.filter(({ kind }) => kind === 'Pod')
  assert.deepEqual([found?.metadata.uid, found?.metadata.resourceVersion], ['Pod-web-1', '7'])
})

test('what is gone when it is read is left out', async () => {
  const vanished = answering('/secrets/login', 404, 'NotFound', 'secrets "login" not found')
  const filled = await read([pod(reading), object('v1', 'Secret', 'login')], scope(), vanished)
  assert.deepEqual([keys(filled), filled.gaps], [['Pod web-1'], []])
})

test('what may not be read is a gap that names it', async () => {
  const forbidden = answering('/nodes', 403, 'Forbidden', 'nodes is forbidden')
  assert.deepEqual((await read([], scope(), forbidden)).gaps, [{ what: 'nodes', reason: 'nodes is forbidden' }])
})

test('a server that fails ends the filling', async () => {
  const broken = answering('/pods', 500, 'InternalError', 'etcd is gone')
  await assert.rejects(read([], scope(), broken), /etcd is gone/)
})

test('what a quota counts is read, and what goes with a namespace', async () => {
  const settings = object('v1', 'ConfigMap', 'settings')
  const quota = object('v1', 'ResourceQuota', 'small', { spec: { hard: { configmaps: '1' } } })
  assert.ok(!keys(await read([settings], scope())).includes('ConfigMap settings'))
  assert.ok(keys(await read([settings, quota], scope())).includes('ConfigMap settings'))
  const doomed = [{ group: '', kind: 'Namespace', namespace: '', name: 'shop' }]
  assert.ok(keys(await read([settings], scope({ doomed }))).includes('ConfigMap settings'))
})
