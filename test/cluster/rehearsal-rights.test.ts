import assert from 'node:assert/strict'
import test from 'node:test'
import { rehearse } from '../../shared/session/rehearse.ts'
import { startControlPlane } from '../support/control-plane.ts'
import { openStage } from '../support/rehearsal-scenario.ts'
import { configMap } from '../support/sync-objects.ts'
import { missingTools } from '../support/tools/find.ts'

const role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata: { name: 'reader' }, rules: [] }

test('rehearsed with the rights of somebody who may not do all of it', async (t) => {
  const skip = missingTools('etcd', 'kube-apiserver', 'kube-controller-manager')
  if (skip) return t.skip(skip)
  const plane = await startControlPlane({ controllerManager: true })
  t.after(() => plane.stop())
  const destination = { server: 'https://kubernetes.default.svc', namespace: 'default' }
  const spec = { destination, syncPolicy: { syncOptions: [] } }
  // The store's namespace is made by whoever administers the cluster.
  await plane.client.request('/api/v1/namespaces', { method: 'POST', body: { metadata: { name: 'plumbline' } } })
  const binding = {
    metadata: { name: 'store' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'edit' },
    subjects: [{ kind: 'Group', name: 'plumbline:editors', apiGroup: 'rbac.authorization.k8s.io' }],
  }
  const bindings = '/apis/rbac.authorization.k8s.io/v1/namespaces/plumbline/rolebindings'
  await plane.client.request(bindings, { method: 'POST', body: binding })
  const server = { kubeconfig: plane.kubeconfigPath, context: 'editor', url: plane.url, token: plane.tokens.editor }
  const stage = await openStage(t, server, { name: 'rights', spec })
  await stage.commit({
    'all.json': JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [configMap('plain'), role] }),
  })
  const application = await stage.application()
  const { rehearsal, dispose } = await rehearse(stage.session, application, {
    request: { prune: false, dryRun: false },
  })
  await dispose()
  const lacking = rehearsal.effects.flatMap((effect) =>
    effect.kind === 'permission-lacking' ? [`${effect.verb} ${effect.resource} in ${effect.namespace}`] : [],
  )
  assert.equal(rehearsal.passed, false)
  await t.test('what the role does not allow is told, and nothing else', () => {
    assert.ok(!lacking.some((text) => text.includes('configmaps')), lacking.join('; '))
    const refused = rehearsal.steps.flatMap(({ id, result }) =>
      'reason' in result ? [`${id.kind}: ${result.reason}`] : [],
    )
    assert.match([...lacking, ...refused].join('\n'), /roles/)
  })
  await t.test('what could not be read is named', () => {
    const gaps = rehearsal.unknowns.flatMap((one) => (one.kind === 'not-read' ? [one.what] : []))
    assert.ok(gaps.includes('nodes'), gaps.join('; '))
  })
})
