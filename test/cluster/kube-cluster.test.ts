import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isCancelled } from '../../shared/base/abort.ts'
import { ClusterError } from '../../shared/kube/cluster-error.ts'
import type { KubeObject } from '../../shared/model/kubernetes.ts'
import type { LiveObject } from '../../shared/model/live.ts'
import { startControlPlane } from '../support/control-plane.ts'
import type { ControlPlane } from '../support/control-plane.ts'
import { kubectl } from '../support/kubectl.ts'
import { missingTools } from '../support/tools/find.ts'
import {
  configMap,
  configMaps,
  connected,
  definition,
  deployment,
  deployments,
  eventually,
  idOf,
  refusal,
  request,
} from './kube-scaffold.ts'

const skip = missingTools('etcd', 'kube-apiserver', 'kubectl')

let plane: ControlPlane
before(async () => {
  if (skip === false) plane = await startControlPlane()
})
after(() => plane?.stop())

test('the kinds are those that kubectl knows', { skip }, async (t) => {
  const cluster = await connected(t, plane)
  const { stdout } = await kubectl(['api-resources', '--no-headers', '-o', 'wide'], plane)
  const lines = stdout.trim().split('\n')
  assert.ok(lines.length > 50)
  for (const line of lines) {
    const match = /^(\S+)\s+(?:[a-z,]+\s+)?(\S*v\d\S*)\s+(true|false)\s+(\S+)\s+(\S+)/.exec(line)
    assert.ok(match !== null, line)
    const [, resource = '', apiVersion = '', namespaced = '', kind = '', verbs = ''] = match
    const [version = '', group = ''] = apiVersion.split('/').reverse()
    const facts = await cluster.kind({ group, version, kind }, {})
    assert.ok(facts !== undefined, line)
    assert.deepEqual(
      [facts.resource, String(facts.namespaced), [...facts.verbs].sort().join(',')],
      [resource, namespaced, verbs.split(',').sort().join(',')],
    )
  }
})

test('an apply creates, is owned, and its dry run said so before', { skip }, async (t) => {
  const cluster = await connected(t, plane)
  const before = await cluster.dryRunApply(request(deployment('made', 2)), {})
  assert.equal(await cluster.read(deployments, idOf('made'), {}), undefined)
  const made = await cluster.apply(request(deployment('made', 2)), {})
  assert.deepEqual(before.object['spec'], made.object['spec'])
  assert.deepEqual(
    made.owners.map(({ manager, operation, subresource }) => [manager, operation, subresource]),
    [['plumbline', 'Apply', '']],
  )
  assert.equal(made.object.metadata['managedFields'], undefined)
  assert.deepEqual(await cluster.read(deployments, idOf('made'), {}), made)
})

test(
  'a conflict names the other manager and the field; a pinned state that has moved is a conflict too',
  { skip },
  async (t) => {
    const cluster = await connected(t, plane)
    const made = await cluster.apply(request(deployment('pinned', 2)), {})
    const operations = [{ op: 'replace', path: '/spec/replicas', value: 5 }] as const
    const patch = { gvk: deployments, id: idOf('pinned'), fieldManager: 'somebody', operations }
    const predicted = await cluster.dryRunPatch(patch, {})
    assert.equal((predicted.object['spec'] as { replicas: number }).replicas, 5)
    await cluster.patch(patch, {})
    const conflict = await refusal(cluster.apply(request(deployment('pinned', 2), { force: false }), {}), 'conflict')
    const message = 'conflict with "somebody" using apps/v1'
    assert.deepEqual(conflict.causes, [{ reason: 'FieldManagerConflict', message, field: '.spec.replicas' }])
    const { uid, resourceVersion } = made
    const object = deployment('pinned', 3)
    const stale = { ...object, metadata: { ...object.metadata, uid, resourceVersion } }
    assert.match((await refusal(cluster.apply(request(stale), {}), 'conflict')).message, /has been modified/)
    const deletion = { gvk: deployments, id: idOf('pinned'), uid, propagation: 'Background' } as const
    await refusal(cluster.delete({ ...deletion, resourceVersion }, {}), 'conflict')
    await refusal(cluster.delete({ ...deletion, uid: 'another' }, {}), 'conflict')
    await cluster.delete(deletion, {})
    await cluster.delete(deletion, {})
    assert.equal(await cluster.read(deployments, idOf('pinned'), {}), undefined)
  },
)

test('what the server does not accept says why', { skip }, async (t) => {
  const cluster = await connected(t, plane)
  const { spec, ...rest } = deployment('bad', 1)
  const unknown = { ...rest, spec: { ...(spec as object), bogus: 1 } } as KubeObject
  assert.match(
    (await refusal(cluster.dryRunApply(request(unknown), {}), 'invalid')).message,
    /field not declared in schema/,
  )
  const wrong = await refusal(cluster.dryRunApply(request(deployment('bad', -1)), {}), 'invalid')
  assert.equal(wrong.causes[0]?.field, 'spec.replicas')
  const nowhere = configMap('a', {}, 'no-such-namespace')
  assert.match(
    (await refusal(cluster.dryRunApply(request(nowhere), {}), 'not-found')).message,
    /namespaces "no-such-namespace"/,
  )
  const none = { apiVersion: 'none.example/v1', kind: 'None', metadata: { name: 'a' } }
  assert.match(
    (await refusal(cluster.apply(request(none), {}), 'not-found')).message,
    /no kind None in none.example\/v1/,
  )
})

test('who may not is told the verb, the resource and the namespace', { skip }, async (t) => {
  const viewer = await connected(t, plane, { context: 'viewer' })
  const error = await refusal(viewer.apply(request(configMap('a', {})), {}), 'forbidden')
  assert.deepEqual(error.target, { verb: 'patch', group: '', resource: 'configmaps', namespace: 'default', name: 'a' })
  assert.match(error.message, /User "viewer" cannot patch resource "configmaps"/)
  const nobody = await connected(t, plane, { context: 'nobody' })
  const view = await nobody.observe({ kinds: [configMaps], namespaces: new Set(['default']) }, {})
  assert.deepEqual(
    view.failures.map(({ gvk, reason }) => [gvk.kind, reason]),
    [['ConfigMap', 'forbidden']],
  )
  assert.match(view.failures[0]?.message ?? '', /cannot list resource "configmaps"/)
  // The epoch of who may see little is less sharp, not an error.
  assert.ok((await nobody.describe({})).epoch !== '')
  const editor = await connected(t, plane, { context: 'editor', watch: true })
  const many = new Set(Array.from({ length: 12 }, (_, index) => (index === 0 ? 'default' : `n${index}`)))
  const partly = await editor.observe({ kinds: [configMaps], namespaces: many }, {})
  assert.equal(partly.failures.length, 11)
  assert.ok(
    partly.ofKind(configMaps).length > 0 || partly.failures.every(({ message }) => !message.includes('"default"')),
  )
})

test('the epoch stays while objects change, and moves with definitions, webhooks and limits', { skip }, async (t) => {
  const watching = await connected(t, plane, { watch: true })
  const epochs: string[] = []
  // Both ways of asking see the same.
  const look = async (): Promise<string> => {
    const fresh = await connected(t, plane)
    const { epoch } = await fresh.describe({})
    epochs.push(epoch)
    await eventually('the watched epoch follows', async () => (await watching.describe({})).epoch === epoch)
    return epoch
  }
  const first = await look()
  await watching.apply(request(configMap('epoch', { v: '1' })), {})
  assert.equal(await look(), first)
  const limits = [{ type: 'Container', default: { cpu: '1' } }]
  const changes: readonly KubeObject[] = [
    { apiVersion: 'v1', kind: 'LimitRange', metadata: { name: 'l', namespace: 'default' }, spec: { limits } },
    { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'MutatingWebhookConfiguration', metadata: { name: 'w' } },
  ]
  for (const change of changes)
    await look()
      .then(() => watching.apply(request(change), {}))
      .then(look)
  assert.equal(new Set(epochs).size, 1 + changes.length)
  await kubectl(['delete', 'limitrange', 'l'], plane)
  await kubectl(['delete', 'mutatingwebhookconfiguration', 'w'], plane)
  assert.equal(await look(), first)
})

test('a custom kind is usable as soon as it is established, with the type of its schema', { skip }, async (t) => {
  const cluster = await connected(t, plane, { watch: true })
  const before = (await cluster.describe({})).epoch
  const widgets = { group: 'shop.example', version: 'v1', kind: 'Widget' }
  const scope = { kinds: [widgets], namespaces: new Set(['default']) }
  assert.equal((await cluster.observe(scope, {})).failures[0]?.reason, 'not-found')
  await cluster.apply(request(definition()), {})
  await eventually('a schema', async () => (await cluster.kind(widgets, {}))?.schema !== undefined)
  const parts = (await cluster.kind(widgets, {}))?.schema?.map?.fields.get('spec')?.schema.map?.fields.get('parts')
  assert.equal(parts?.schema.list?.relationship, 'associative')
  assert.notEqual((await cluster.describe({})).epoch, before)
  const widget = { apiVersion: 'shop.example/v1', kind: 'Widget', metadata: { name: 'w', namespace: 'default' } }
  const spec = { parts: ['a'], size: 9_007_199_254_740_993n }
  await eventually('an apply', async () => {
    try {
      return (await cluster.apply(request({ ...widget, spec }), {})).uid !== ''
    } catch (error) {
      if (ClusterError.is(error, 'not-found')) return false
      throw error
    }
  })
  const view = await cluster.observe(scope, {})
  assert.deepEqual(view.ofKind(widgets)[0]?.object['spec'], spec)
  await kubectl(['delete', 'crd', 'widgets.shop.example'], plane)
  await eventually('gone', async () => (await cluster.observe(scope, {})).ofKind(widgets).length === 0)
  await eventually('not served', async () => (await cluster.observe(scope, {})).failures[0]?.reason === 'not-found')
})

test('warnings of the server are told', { skip }, async (t) => {
  const cluster = await connected(t, plane)
  const warnings: string[] = []
  cluster.onWarning(({ text }) => warnings.push(text))
  const selector = { 'kubernetes.io/arch': 'amd64', 'beta.kubernetes.io/arch': 'amd64' }
  const spec = { containers: [{ name: 'c', image: 'i' }], nodeSelector: selector }
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace: 'default' }, spec }
  await cluster.dryRunApply(request(pod), {})
  assert.ok(
    warnings.some((text) => text.includes('beta.kubernetes.io/arch')),
    String(warnings),
  )
})

function namesOf(list: readonly LiveObject[]): readonly string[] {
  return list.map(({ object }) => object.metadata.name).sort()
}

test('dependants are found by their owner', { skip }, async (t) => {
  const cluster = await connected(t, plane, { watch: true })
  const owner = await cluster.apply(request(configMap('owner', {})), {})
  const scope = { kinds: [configMaps], namespaces: new Set(['default']) }
  assert.deepEqual((await cluster.observe(scope, {})).childrenOf(owner.uid), [])
  const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: owner.uid }
  for (const name of ['child-1', 'child-2']) {
    const child = configMap(name, {})
    await cluster.apply(request({ ...child, metadata: { ...child.metadata, ownerReferences: [reference] } }), {})
  }
  assert.deepEqual(namesOf((await cluster.observe(scope, {})).childrenOf(owner.uid)), ['child-1', 'child-2'])
  await kubectl(
    ['patch', 'configmap', 'child-1', '--type=json', '-p', '[{"op":"remove","path":"/metadata/ownerReferences"}]'],
    plane,
  )
  await eventually('one left', async () => (await cluster.observe(scope, {})).childrenOf(owner.uid).length === 1)
})

test('a cancel ends a request and is no failure', { skip }, async (t) => {
  const cluster = await connected(t, plane)
  const cancel = new AbortController()
  const work = cluster.apply(request(configMap('cancelled', {})), { signal: cancel.signal })
  cancel.abort()
  await assert.rejects(work, isCancelled)
})
