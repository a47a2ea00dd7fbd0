import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import type { ApplicationSnapshot } from '../../shared/model/status.ts'
import { treeRows } from '../../shared/view/tree-rows.ts'
import { openLab, type Lab } from '../support/sync-lab.ts'
import { configMap, deployment, hook, job } from '../support/sync-objects.ts'
import { syncServers } from '../support/sync-servers.ts'

for (const server of syncServers) {
  test(`what projects, applications and argocd-cm say on ${server.name}`, async (t) => {
    const skip = await server.missing()
    if (skip !== undefined) return t.skip(skip)
    const running = await server.start(t)
    await neighbours(t, running)
    await retries(t, running)
    await settings(t, running)
    await children(t, running)
  })
}

type Running = Parameters<typeof openLab>[1]

async function neighbours(t: TestContext, server: Running): Promise<void> {
  await t.test(
    'orphans in the namespace are shown and counted, but for those that the project leaves out',
    async (t) => {
      const lab = await openLab(t, server, 'orphans')
      await lab.commit([configMap('a'), job('pre', hook('PreSync'))], { project: 'team' })
      await projectOf(lab, {})
      await lab.sync()
      const before = (await lab.look()).snapshot
      assert.equal(before.orphans, undefined)
      for (const name of ['stray', 'left-alone'])
        await lab.http.send('POST', `/api/v1/namespaces/${lab.name}/configmaps`, configMap(name))
      await lab.http.send('POST', `/apis/apps/v1/namespaces/${lab.name}/deployments`, scaledDown('web'))
      await projectOf(lab, { orphanedResources: { ignore: [{ kind: 'ConfigMap', name: 'left-*' }] } })
      const all = await until(async () => {
        const names = orphansIn((await lab.look()).snapshot)
        return names.some((name) => name.startsWith('ReplicaSet/')) ? names : undefined
      })
      assert.deepEqual(all.slice(0, 2), ['ConfigMap/stray', 'Deployment/web'])
      assert.deepEqual(warningsIn((await lab.look()).snapshot), [`Application has ${all.length} orphaned resources`])
      await projectOf(lab, { orphanedResources: { warn: false } })
      const { snapshot } = await lab.look()
      assert.deepEqual(warningsIn(snapshot), [])
      assert.ok(orphansIn(snapshot).includes('ConfigMap/left-alone'))
      await projectOf(lab, { orphanedResources: {}, namespaceResourceBlacklist: [{ group: 'apps', kind: '*' }] })
      assert.deepEqual(orphansIn((await lab.look()).snapshot), ['ConfigMap/left-alone', 'ConfigMap/stray'])
    },
  )

  await t.test('a resource that two applications have is told of by both that want it', async (t) => {
    const one = await openLab(t, server, 'shared')
    await one.commit([configMap('mine', { v: '1' })])
    await one.sync()
    const two = await openLab(t, server, 'sharer')
    const destination = { server: 'https://kubernetes.default.svc', namespace: one.name }
    await two.commit([configMap('mine', { v: '2' })], { destination })
    const words = `ConfigMap/mine is part of applications ${two.name} and ${one.name}`
    assert.deepEqual(sharedIn((await two.look()).snapshot), [words])
    assert.equal((await two.sync()).outcome?.phase, 'Succeeded')
    assert.deepEqual(sharedIn((await two.look()).snapshot), [])
    assert.deepEqual(sharedIn((await one.look()).snapshot), [
      `ConfigMap/mine is part of applications ${one.name} and ${two.name}`,
    ])
  })

  await t.test('what syncs have left of hooks is in the tree, marked as hooks', async (t) => {
    const lab = await openLab(t, server, 'tree')
    await lab.commit([configMap('a'), job('pre', hook('PreSync'))])
    await lab.sync()
    const { snapshot } = await lab.look()
    const { tree, resources } = snapshot
    const [managed, left, below] = treeRows(snapshot).map(({ id, depth, detail }) => [id.kind, depth, detail])
    assert.deepEqual(managed?.slice(0, 2), ['ConfigMap', 0])
    assert.deepEqual(left, ['Job', 0, 'hook · 1/1'])
    assert.deepEqual(below?.slice(0, 2), ['Pod', 1])
    assert.deepEqual(
      tree.filter((node) => node.hook === true).map(({ id }) => id.name),
      ['pre'],
    )
    assert.deepEqual(
      resources.map(({ id }) => id.name),
      ['a'],
    )
    await lab.commit([configMap('a')])
    assert.deepEqual(
      (await lab.look()).snapshot.tree.filter((node) => node.hook === true).map(({ id }) => id.name),
      ['pre'],
    )
  })
}

async function retries(t: TestContext, server: Running): Promise<void> {
  for (const refresh of [false, true]) {
    const takes = refresh ? 'the newest commit' : 'the commit that the sync began with'
    await t.test(`a retry takes ${takes}, with refresh ${refresh}`, async (t) => {
      const lab = await openLab(t, server, 'retry')
      const first = await lab.commit([job('pre', hook('PreSync'), 'fail'), configMap('a', { v: '1' })])
      let second = ''
      let moving: Promise<void> | undefined
      const backoff = { duration: '3s', factor: 1, maxDuration: '3s' }
      const { outcome } = await lab.sync({ retry: { limit: 1, backoff, refresh } }, (event) => {
        if (event.kind === 'retrying')
          moving ??= lab
            .commit([job('pre', hook('PreSync')), configMap('a', { v: '2' })])
            .then((sha) => void (second = sha))
      })
      await moving
      assert.equal(outcome?.phase, refresh ? 'Succeeded' : 'Failed', outcome?.message)
      assert.equal(outcome.revision, refresh ? second : first)
    })
  }
}

async function settings(t: TestContext, server: Running): Promise<void> {
  await t.test('argocd-cm on the cluster counts where the workspace has none', async (t) => {
    const script = 'return { status = "Degraded", message = "on the cluster", aggregateAs = "Suspended" }'
    const data = { 'resource.customizations.health.ConfigMap': script }
    const first = await openLab(t, server, 'settings')
    await first.http.send('POST', '/api/v1/namespaces', named('Namespace', 'argocd'))
    await first.http.send('POST', '/api/v1/namespaces/argocd/configmaps', { ...named('ConfigMap', 'argocd-cm'), data })
    await first.commit([configMap('a')])
    const { snapshot } = await first.sync()
    assert.deepEqual(snapshot.resources[0]?.health, { status: 'Degraded', message: 'on the cluster' })
    assert.equal(snapshot.health.status, 'Suspended', 'it counts as its script says')
    const second = await openLab(t, server, 'settings-own')
    const own = { ...named('ConfigMap', 'argocd-cm'), data: { 'timeout.reconciliation': '60s' } }
    await second.scaffold.write({ 'argocd-cm.yaml': JSON.stringify(own) })
    await second.commit([configMap('a')])
    assert.equal((await second.sync()).snapshot.resources[0]?.health, undefined)
    await first.http.send('DELETE', '/api/v1/namespaces/argocd/configmaps/argocd-cm')
  })
}

/** Argo CD's own script for applications (`docs/operator-manual/health.md`). */
const OF_APPLICATIONS = `
hs = { status = "Progressing", message = "" }
if obj.status ~= nil and obj.status.health ~= nil then
  hs.status = obj.status.health.status
end
return hs`

async function children(t: TestContext, server: Running): Promise<void> {
  await t.test('an application of applications is as healthy as they are, where their health is known', async (t) => {
    const lab = await openLab(t, server, 'parent')
    const data = { 'resource.customizations.health.argoproj.io_Application': OF_APPLICATIONS }
    await lab.scaffold.write({ 'argocd-cm.yaml': JSON.stringify({ ...named('ConfigMap', 'argocd-cm'), data }) })
    const metadata = { name: 'child' }
    const spec = { source: { repoURL: '.', path: 'x' }, destination: {} }
    const child = { apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', metadata, spec }
    await lab.commit([applicationDefinition, child])
    const first = await lab.sync()
    assert.equal(first.outcome?.phase, 'Succeeded', first.outcome?.message)
    assert.equal(first.snapshot.health.status, 'Progressing')
    const place = `/apis/argoproj.io/v1alpha1/namespaces/${lab.name}/applications/child?fieldManager=argocd`
    const health = async (status: string): Promise<string> => {
      await lab.http.send('PATCH', place, { status: { health: { status } } }, 'application/merge-patch+json')
      return (await lab.look()).snapshot.health.status
    }
    assert.equal(await health('Degraded'), 'Degraded')
    for (const known of ['Healthy', 'Unknown', 'Missing']) assert.equal(await health(known), 'Healthy', known)
  })

  await t.test('what an object counts as is said by its annotation; its own health stays', async (t) => {
    const lab = await openLab(t, server, 'counts')
    const counts = { 'argocd.argoproj.io/health-aggregate-overrides': 'Suspended=Healthy, Healthy=Degraded' }
    const paused = deployment('web', counts) as { readonly spec: object }
    await lab.commit([{ ...paused, spec: { ...paused.spec, paused: true } }])
    const { resources, health } = (await lab.sync()).snapshot
    assert.equal(resources[0]?.health?.status, 'Suspended')
    assert.equal(health.status, 'Healthy')
    await lab.commit([configMap('a', {}, { 'argocd.argoproj.io/health-aggregate-overrides': 'Well=Healthy' })])
    const told = (await lab.look()).snapshot.conditions.map(({ message }) => message)
    assert.match(told.join(), /"Well=Healthy" is no mapping/)
  })
}

const applicationDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'applications.argoproj.io', annotations: { 'api-approved.kubernetes.io': 'unapproved' } },
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

function named(kind: string, name: string): object {
  return { apiVersion: 'v1', kind, metadata: { name } }
}

/** Without pods, so that nothing of it moves any more. */
function scaledDown(name: string): object {
  const whole = deployment(name) as { readonly spec: object }
  return { ...whole, spec: { ...whole.spec, replicas: 0 } }
}

async function projectOf(lab: Lab, spec: object): Promise<void> {
  const open = {
    sourceRepos: ['*'],
    destinations: [{ server: '*', namespace: '*' }],
    clusterResourceWhitelist: [{ group: '*', kind: '*' }],
  }
  const object = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name: 'team' },
    spec: { ...open, ...spec },
  }
  await lab.scaffold.write({ 'project.yaml': JSON.stringify(object) })
  // A look may use what was found a moment ago.
  await lab.session.applications()
}

function orphansIn({ orphans }: ApplicationSnapshot): readonly string[] {
  return (orphans ?? []).map(({ id }) => `${id.kind}/${id.name}`).sort()
}

function warningsIn({ conditions }: ApplicationSnapshot): readonly string[] {
  return conditions.filter(({ type }) => type === 'OrphanedResourceWarning').map(({ message }) => message)
}

function sharedIn({ conditions }: ApplicationSnapshot): readonly string[] {
  return conditions.filter(({ type }) => type === 'SharedResourceWarning').map(({ message }) => message)
}

async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  const end = Date.now() + 20_000
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    if (Date.now() > end) throw new Error('it did not come')
  }
}
