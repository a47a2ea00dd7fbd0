import assert from 'node:assert/strict'
import test from 'node:test'
import { rehearse } from '../../shared/session/rehearse.ts'
import { isWrite } from '../support/control-plane-audit.ts'
import { startControlPlane } from '../support/control-plane.ts'
import { corporaMissing } from '../support/corpora.ts'
import { corpusFiles, openStage } from '../support/rehearsal-scenario.ts'
import { edited } from '../support/rehearsal-scenarios-corpora.ts'
import { configMap, hook, job } from '../support/sync-objects.ts'
import { missingTools } from '../support/tools/find.ts'

const DEPLOYMENT = 'guestbook-ui-deployment.yaml'

test('the audit log of the real cluster shows no write during a rehearsal', async (t) => {
  const skip = missingTools('etcd', 'kube-apiserver', 'kube-controller-manager') || corporaMissing
  if (skip) return t.skip(skip)
  const plane = await startControlPlane({ controllerManager: true, audit: true })
  t.after(() => plane.stop())
  const server = { kubeconfig: plane.kubeconfigPath, context: 'admin', url: plane.url, token: plane.token }
  const name = 'quiet'
  const stage = await openStage(t, server, { name })
  const files = await corpusFiles('argocd-example-apps/guestbook')
  const items = [job('migrate', hook('PreSync')), configMap('old')]
  await stage.commit({ ...files, 'more.json': JSON.stringify({ apiVersion: 'v1', kind: 'List', items }) })
  const application = await stage.application()
  // A new application, an update with hooks and a prune.
  const first = await ofOurs(plane, rehearsed)
  await stage.session.sync(application, { request: { prune: true, dryRun: false } })
  await stage.commit(edited(DEPLOYMENT, ':v5', ':v6')(files))
  const second = await ofOurs(plane, rehearsed)
  assert.ok(first.length > 10 && second.length > 10, 'a rehearsal reads the cluster')
  assert.deepEqual([...first, ...second].filter(isWrite), [])

  async function rehearsed(): Promise<void> {
    const { rehearsal, dispose } = await rehearse(stage.session, application, {
      request: { prune: true, dryRun: false },
    })
    await dispose()
    assert.equal(rehearsal.passed, true, rehearsal.failures.join('; '))
  }
})

/** What Plumbline asked the server while something went on; its controllers work all the time. */
async function ofOurs(
  plane: Awaited<ReturnType<typeof startControlPlane>>,
  work: () => Promise<void>,
): Promise<Awaited<ReturnType<typeof plane.audit>>> {
  const before = (await plane.audit()).length
  await work()
  return (await plane.audit()).slice(before).filter(({ userAgent }) => userAgent === 'plumbline')
}
