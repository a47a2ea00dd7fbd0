import assert from 'node:assert/strict'
import test from 'node:test'
import { ClusterWorld } from '../../shared/rehearsal/cluster-world.ts'
import { RehearsalError } from '../../shared/rehearsal/rehearsal-error.ts'
import { rehearse } from '../../shared/session/rehearse.ts'
import { startControlPlane } from '../support/control-plane.ts'
import { corporaMissing } from '../support/corpora.ts'
import { corpusFiles, openStage } from '../support/rehearsal-scenario.ts'
import { edited } from '../support/rehearsal-scenarios-corpora.ts'
import { configMap, hook, job } from '../support/sync-objects.ts'
import { missingTools } from '../support/tools/find.ts'

test('a rehearsal on another cluster with real controllers', async (t) => {
  const skip = missingTools('etcd', 'kube-apiserver', 'kube-controller-manager') || corporaMissing
  if (skip) return t.skip(skip)
  const [real, place] = await Promise.all([
    startControlPlane({ controllerManager: true }),
    startControlPlane({ controllerManager: true }),
  ])
  t.after(async () => Promise.all([real.stop(), place.stop()]))
  const server = { kubeconfig: real.kubeconfigPath, context: 'admin', url: real.url, token: real.token }
  const stage = await openStage(t, server, { name: 'moved' })
  const base = await corpusFiles('argocd-example-apps/guestbook')
  await stage.commit({ ...base, 'more.json': more(configMap('settings', { a: '1' })) })
  const application = await stage.application()
  await stage.session.sync(application, { request: { prune: true, dryRun: false } })
  const changed = edited('guestbook-ui-deployment.yaml', ':v5', ':v6')(base)
  await stage.commit({ ...changed, 'more.json': more(job('migrate', hook('PreSync'))) })
  const request = { prune: true, dryRun: false }
  const on = { context: 'admin', kubeconfig: place.kubeconfigPath }

  await t.test('does there what the sync would do, and leaves nothing', async () => {
    const { rehearsal, dispose } = await rehearse(stage.session, application, {
      request,
      place: async (recording) => ClusterWorld.open(on, recording, { keep: false }),
    })
    // Before anything can fail: a world that is left follows its cluster for ever.
    await dispose()
    assert.equal(rehearsal.passed, true, rehearsal.failures.join('; '))
    const told = rehearsal.steps.map(({ id, result }) => `${id.kind} ${id.name} ${result.kind}`)
    assert.deepEqual(told, [
      'Job migrate hook-succeeded',
      'ConfigMap settings pruned',
      'Deployment guestbook-ui changed',
    ])
    assert.deepEqual(rehearsal.unknowns, [])
    assert.deepEqual(
      rehearsal.effects.map(({ kind }) => kind),
      ['pods-restarted'],
    )
    for (const name of ['moved', 'plumbline']) {
      const { status } = await place.client.request(`/api/v1/namespaces/${name}`)
      assert.equal(status, 404, name)
    }
  })

  await t.test('refuses a cluster where the namespace is somebody else’s, and touches nothing', async () => {
    await place.client.request('/api/v1/namespaces', { method: 'POST', body: { metadata: { name: 'moved' } } })
    const rehearsing = rehearse(stage.session, application, {
      request,
      place: async (recording) => ClusterWorld.open(on, recording, { keep: false }),
    })
    await assert.rejects(
      rehearsing,
      (error) => RehearsalError.is(error, 'occupied') && /no rehearsal made it/.test(error.message),
    )
    assert.equal((await place.client.request('/api/v1/namespaces/moved')).status, 200)
  })

  await t.test('refuses the cluster that the sync is meant for', async () => {
    const rehearsing = rehearse(stage.session, application, {
      request,
      place: async (recording) =>
        ClusterWorld.open({ context: 'admin', kubeconfig: real.kubeconfigPath }, recording, { keep: false }),
    })
    await assert.rejects(rehearsing, (error) => RehearsalError.is(error, 'place'))
    assert.equal((await real.client.request('/api/v1/namespaces/moved')).status, 200)
  })
})

function more(...items: readonly object[]): string {
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items })
}
