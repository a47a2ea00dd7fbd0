import assert from 'node:assert/strict'
import test from 'node:test'
import { runAgent } from '../../shared/agent/agent-run.ts'
import { ClustersError } from '../../shared/clusters/clusters-error.ts'
import type { AgentInstallOptions } from '../../shared/model/agent-install.ts'
import { agentStatus, installAgent, uninstallAgent } from '../../shared/session/agent-installation.ts'
import {
  AGENT_USER,
  adminSession,
  agentKubeconfig,
  askedBy,
  auditedPlane,
  INSTALL,
  mayAgent,
  sessionAs,
} from '../support/agent-lab.ts'
import { access, eventually, everythingThatIs, install, rightsAreThere, shop, stays } from '../support/agent-shop.ts'
import { missingTools } from '../support/tools/find.ts'

const skip = missingTools('kube-apiserver', 'etcd')
const skipControllers = missingTools('kube-apiserver', 'etcd', 'kube-controller-manager')

test('an agent for namespaces has no right on the cluster, and says what is beyond its reach', { skip }, async (t) => {
  const plane = await auditedPlane(t)
  const scaffold = await shop(t, { syncPolicy: {} })
  const admin = await adminSession(t, plane, scaffold.folder)
  const cluster = await admin.cluster()
  const { rules } = await access(admin)
  const scoped = (namespaces: readonly string[]): AgentInstallOptions => ({
    ...INSTALL,
    access: { kind: 'namespaces', namespaces, rules },
  })
  await assert.rejects(
    installAgent(cluster, scoped(['shop']), {}),
    (error) => ClustersError.is(error, 'not-found') && error.next.includes('kubectl create namespace plumbline'),
  )
  for (const name of ['plumbline', 'shop']) {
    await plane.client.request('/api/v1/namespaces', {
      method: 'POST',
      body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name } },
    })
  }
  await assert.rejects(
    installAgent(cluster, scoped(['default']), {}),
    (error) => ClustersError.is(error, 'unsupported') && / in shop/.test(error.message),
  )
  const applied = await installAgent(cluster, scoped(['shop']), {})
  assert.ok(!applied.some((name) => /Cluster|^Namespace/.test(name)), applied.join(', '))
  await rightsAreThere(plane, 'shop')
  const agent = await sessionAs(t, scaffold.folder, await agentKubeconfig(t, plane), 'agent', false)
  const [application] = (await agent.applications()).applications
  assert.ok(application !== undefined)
  const pass = await agent.sync(application, { request: { prune: true, dryRun: false } })
  assert.equal(pass.outcome?.phase, 'Succeeded', pass.outcome?.message)
  assert.equal(pass.snapshot.sync, 'Synced')
  assert.equal(await mayAgent(plane.client, { verb: 'list', group: '', resource: 'namespaces', namespace: '' }), false)
  // What it asks of the cluster beyond them it can do without.
  const refused = [...(await askedBy(plane, AGENT_USER))]
    .filter(([, statuses]) => statuses.has(403))
    .map(([call]) => call)
  for (const call of refused)
    assert.match(
      call,
      /^list (admissionregistration\.k8s\.io|apiextensions\.k8s\.io|\/limitranges)|^get \/configmaps argocd$/,
    )
})

test(
  'installed twice it is the same, needs that went away take their roles along, and an uninstallation leaves nothing',
  { skip: skipControllers },
  async (t) => {
    const plane = await auditedPlane(t, true)
    const scaffold = await shop(t)
    const admin = await adminSession(t, plane, scaffold.folder)
    const cluster = await admin.cluster()
    const before = await everythingThatIs(plane)
    await install(admin, plane)
    const once = await everythingThatIs(plane)
    await install(admin, plane)
    assert.deepEqual([...(await everythingThatIs(plane))].filter(stays), [...once].filter(stays))
    await installAgent(cluster, { ...INSTALL, access: { kind: 'least', rules: [] } }, {})
    assert.ok(![...(await everythingThatIs(plane))].some((name) => /roles shop\/plumbline-agent/.test(name)))
    assert.deepEqual((await agentStatus(cluster, {})).installed, true)

    const deleted = await uninstallAgent(cluster, { keepRecords: false })
    assert.ok(
      deleted.includes('Namespace plumbline') && deleted.includes('ClusterRole plumbline-agent'),
      deleted.join(', '),
    )
    await eventually(async () => {
      const left = [...(await everythingThatIs(plane))].filter((name) => !before.has(name) && stays(name))
      // The application's own namespace, which its roles needed, is not the agent's.
      assert.deepEqual(left, ['configmaps shop/kube-root-ca.crt', 'namespaces shop', 'serviceaccounts shop/default'])
    })
    assert.deepEqual(await uninstallAgent(cluster, { keepRecords: false }), [])
    assert.equal((await agentStatus(cluster, {})).installed, false)
  },
)

test(
  'the agent that runs syncs what is automated, heals drift, tells how it is, and gives the lease back',
  { skip },
  async (t) => {
    const plane = await auditedPlane(t)
    const automated = { automated: { prune: true, selfHeal: true }, syncOptions: ['CreateNamespace=true'] }
    const scaffold = await shop(t, { syncPolicy: automated })
    const admin = await adminSession(t, plane, scaffold.folder)
    const cluster = await admin.cluster()
    await install(admin, plane)
    const kubeconfig = await agentKubeconfig(t, plane)
    const lines: string[] = []
    const start = (name: string): { readonly ended: Promise<void>; readonly stop: AbortController } => {
      const stop = new AbortController()
      const options = {
        folder: scaffold.folder,
        context: '',
        kubeconfig,
        version: '1.2.3',
        name,
        onLine: (line: string) => lines.push(`${name}: ${line}`),
      }
      return { ended: runAgent({ ...options, signal: stop.signal }), stop }
    }
    const one = start('one')
    t.after(() => one.stop.abort())
    const map = '/api/v1/namespaces/shop/configmaps/settings'
    await eventually(async () => assert.equal((await plane.client.request(map)).status, 200))
    await plane.client.request(map, {
      method: 'PATCH',
      type: 'application/merge-patch+json',
      body: { data: { colour: 'red' } },
    })
    await eventually(async () => {
      const { body } = await plane.client.request(map)
      assert.equal((body as { data: Record<string, string> }).data['colour'], 'blue')
    })
    await eventually(async () => {
      const status = await agentStatus(cluster, {})
      assert.deepEqual(
        status.agents.map(({ name, version }) => [name, version]),
        [['one', '1.2.3']],
      )
      assert.deepEqual(
        status.agents[0]?.applications.map(({ name, sync }) => [name, sync]),
        [['shop', 'Synced']],
      )
      assert.notEqual(status.leader, '')
      assert.notEqual(status.agents[0]?.lastPass, '')
    })
    one.stop.abort()
    await one.ended
    const after = await agentStatus(cluster, {})
    assert.deepEqual([after.leader, after.agents], ['', []])
    const refused = [...(await askedBy(plane, AGENT_USER))]
      .filter(([, statuses]) => statuses.has(403))
      .map(([call]) => call)
    assert.deepEqual(refused, [], lines.join('\n'))
  },
)
