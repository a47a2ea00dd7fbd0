import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import test, { type TestContext } from 'node:test'
import { openLab, type Lab } from '../support/sync-lab.ts'
import { configMap } from '../support/sync-objects.ts'
import { syncServers } from '../support/sync-servers.ts'

// No Argo CD runs here: a double answers as its controller does, by `operation` and `status.operationState`.

for (const server of syncServers) {
  test(`where Argo CD looks after an application, it is asked to sync it, on ${server.name}`, async (t) => {
    const skip = await server.missing()
    if (skip !== undefined) return t.skip(skip)
    await handedOver(t, await server.start(t))
  })
}

async function handedOver(t: TestContext, server: Parameters<typeof openLab>[1]): Promise<void> {
  const first = await openLab(t, server, 'argo')
  await first.http.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition)
  await first.http.send('POST', '/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'argocd' },
  })

  await t.test('nothing is applied beside it, and what it did is told', async () => {
    const sha = await first.commit([configMap('a')])
    await bring(first, { reconciledAt: '2026-11-20T00:00:00Z' })
    const double = answerAsArgoCd(first, sha)
    const { outcome } = await first.sync({ prune: true, force: true })
    assert.deepEqual(await double, {
      initiatedBy: { username: 'tester' },
      sync: { prune: true, revision: 'HEAD', syncStrategy: { hook: { force: true } } },
    })
    assert.equal(outcome?.phase, 'Succeeded')
    assert.equal(outcome.message, 'Argo CD: successfully synced')
    assert.deepEqual(
      outcome.steps.map(({ id, result, message }) => [id.name, result, message]),
      [['a', 'Synced', 'configmap/a created']],
    )
    assert.equal(await first.http.send('GET', `/api/v1/namespaces/${first.name}`), undefined)
  })

  await t.test('a selective sync names its resources; a sync that is under way there is not disturbed', async (t) => {
    const lab = await openLab(t, server, 'argo-busy')
    const sha = await lab.commit([configMap('a'), configMap('b')])
    await bring(lab, { reconciledAt: '2026-11-20T00:00:00Z' })
    const double = answerAsArgoCd(lab, sha)
    await lab.sync({ only: ({ name }) => name === 'b' })
    const { sync } = (await double) as { readonly sync: { readonly resources: readonly object[] } }
    assert.deepEqual(sync.resources, [{ group: '', kind: 'ConfigMap', namespace: lab.name, name: 'b' }])
    await lab.http.send('PATCH', placeOf(lab), { operation: { sync: {} } }, 'application/merge-patch+json')
    const { outcome } = await lab.sync()
    assert.equal(outcome?.message, 'Argo CD is syncing it already')
  })

  await t.test('an Application that no controller looks at is synced from here', async (t) => {
    const lab = await openLab(t, server, 'argo-none')
    await lab.commit([configMap('a')])
    await bring(lab, undefined)
    const { outcome } = await lab.sync()
    assert.equal(outcome?.phase, 'Succeeded', outcome?.message)
    assert.ok(await lab.http.send('GET', `/api/v1/namespaces/${lab.name}/configmaps/a`))
  })
}

/** The Application as it is on the cluster, with what a controller says of it. */
async function bring(lab: Lab, status: object | undefined): Promise<void> {
  const object = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: lab.name, namespace: 'argocd' },
    spec: { project: 'default' },
    ...(status === undefined ? {} : { status }),
  }
  const place = placeOf(lab)
  const end = Date.now() + 20_000
  // A definition takes a moment to be served.
  while ((await lab.http.send('POST', place.slice(0, place.lastIndexOf('/')), object)) === undefined) {
    if (Date.now() > end) throw new Error('Applications are not served')
    await setTimeout(100)
  }
}

/** @returns the operation that was asked for */
async function answerAsArgoCd(lab: Lab, revision: string): Promise<unknown> {
  for (;;) {
    const { operation } = (await lab.http.send('GET', placeOf(lab))) as { readonly operation?: unknown }
    if (operation === undefined) {
      await setTimeout(100)
      continue
    }
    const startedAt = new Date().toISOString()
    const say = async (change: object): Promise<unknown> =>
      lab.http.send('PATCH', placeOf(lab), change, 'application/merge-patch+json')
    await say({ operation: null, status: { operationState: { phase: 'Running', message: 'waiting', startedAt } } })
    await setTimeout(1500)
    const made = { kind: 'ConfigMap', name: 'a', namespace: lab.name, group: '', version: 'v1', status: 'Synced' }
    const resources = [{ ...made, message: 'configmap/a created' }]
    const ended = { phase: 'Succeeded', message: 'successfully synced', finishedAt: new Date().toISOString() }
    await say({ status: { operationState: { ...ended, syncResult: { revision, resources } } } })
    return operation
  }
}

function placeOf(lab: Lab): string {
  return `/apis/argoproj.io/v1alpha1/namespaces/argocd/applications/${lab.name}`
}

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'applications.argoproj.io' },
  spec: {
    group: 'argoproj.io',
    scope: 'Namespaced',
    names: { kind: 'Application', plural: 'applications', singular: 'application', listKind: 'ApplicationList' },
    versions: [
      {
        name: 'v1alpha1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
}
