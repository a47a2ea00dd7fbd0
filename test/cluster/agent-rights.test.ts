import assert from 'node:assert/strict'
import test from 'node:test'
import {
  AGENT_USER,
  adminSession,
  agentKubeconfig,
  askedBy,
  auditedPlane,
  mayAgent,
  servedResources,
  sessionAs,
} from '../support/agent-lab.ts'
import { install, shop, syncs } from '../support/agent-shop.ts'
import { corpora, corporaMissing, corpusRepository } from '../support/corpora.ts'
import { missingTools } from '../support/tools/find.ts'

const skip = missingTools('kube-apiserver', 'etcd')

const VERBS = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection']
/** Allowed for what is not a sync: the Lease of an agent that runs, and the records of an application that is deleted. */
const UNASKED = new Set(['create coordination.k8s.io/leases plumbline', 'delete /configmaps plumbline'])

/** Who may list a kind everywhere may list it in each namespace. */
function isPartOf(call: string, used: ReadonlySet<string>): boolean {
  return used.has(call.split(' ').slice(0, 2).join(' '))
}

/** Everybody may ask what they themselves may do. */
const SELF_REVIEWS = new Set(['authorization.k8s.io', 'authentication.k8s.io'])

test(
  'with its own token every call of a sync passes, and of all others none does but those that keep a kind in order',
  { skip },
  async (t) => {
    const plane = await auditedPlane(t)
    const scaffold = await shop(t)
    const admin = await adminSession(t, plane, scaffold.folder)
    const rules = await install(admin, plane)
    const agent = await sessionAs(t, scaffold.folder, await agentKubeconfig(t, plane), 'agent', true)

    await syncs(agent, plane, scaffold)
    // A watch is written down when it ends.
    await agent.dispose()

    const asked = await askedBy(plane, AGENT_USER)
    const refused = [...asked].filter(([, statuses]) => statuses.has(403) || statuses.has(401)).map(([call]) => call)
    assert.deepEqual(refused, [])

    const resources = (await servedResources(plane.client)).filter(({ group }) => !SELF_REVIEWS.has(group))
    const namespaces = ['shop', 'plumbline', 'default', 'kube-system', 'argocd', '']
    const tried: string[] = []
    const allowed = new Set<string>()
    for (const { group, resource, namespaced } of resources) {
      const calls = VERBS.flatMap((verb) =>
        (namespaced ? namespaces : ['']).map((namespace) => ({ verb, group, resource, namespace })),
      )
      const answers = await Promise.all(calls.map(async (call) => mayAgent(plane.client, call)))
      for (const [index, call] of calls.entries()) {
        const name = `${call.verb} ${group}/${resource} ${call.namespace}`.trim()
        tried.push(name)
        if (answers[index] === true) allowed.add(name)
      }
    }
    const used = new Set(asked.keys())
    const unused = [...allowed].filter((call) => !used.has(call) && !isPartOf(call, used))
    // What no sync of this test came to ask: the way back of each kind that was not gone, and the Lease of an agent that runs.
    const kinds = new Set(rules.map(({ group, resource, namespace }) => `${group}/${resource} ${namespace}`.trim()))
    for (const call of unused) {
      const [verb = '', ...rest] = call.split(' ')
      const kept = ['get', 'create', 'patch', 'delete'].includes(verb) && kinds.has(rest.join(' '))
      assert.ok(kept || UNASKED.has(call), `${call} is allowed, and no sync asks it`)
    }
    for (const call of allowed) assert.ok(!/^(update|deletecollection) /.test(call), call)
    t.diagnostic(
      `${tried.length} rights asked of the server's authorizer: ${allowed.size} allowed, ${tried.length - allowed.size} forbidden; ${used.size} kinds of calls made by the syncs, 0 refused; ${unused.length} allowed and not asked for this time`,
    )
  },
)

test('what would make more of it is refused by the server, call by call', { skip }, async (t) => {
  const plane = await auditedPlane(t)
  const scaffold = await shop(t)
  const admin = await adminSession(t, plane, scaffold.folder)
  await install(admin, plane)
  const kubeconfig = await agentKubeconfig(t, plane)
  const agent = await (await sessionAs(t, scaffold.folder, kubeconfig, 'agent', false)).cluster()
  const rbac = '/apis/rbac.authorization.k8s.io/v1'
  const everything = { rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }] }
  const toAdmin = {
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ kind: 'ServiceAccount', name: 'plumbline-agent', namespace: 'plumbline' }],
  }
  const apply = 'application/apply-patch+yaml'
  const tries: readonly (readonly [string, string, string?, string?])[] = [
    ['GET', '/api/v1/secrets'],
    ['GET', '/api/v1/namespaces/shop/secrets'],
    ['GET', '/api/v1/namespaces/kube-system/secrets'],
    ['GET', '/api/v1/namespaces/plumbline/secrets'],
    ['GET', '/api/v1/nodes'],
    ['GET', '/api/v1/namespaces/default/configmaps'],
    ['GET', '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication'],
    ['GET', '/apis/apps/v1/deployments'],
    ['GET', '/api/v1/pods'],
    ['GET', `${rbac}/clusterroles`],
    ['GET', '/logs/'],
    ['GET', '/metrics'],
    ['POST', '/api/v1/namespaces', object('v1', 'Namespace', 'mine')],
    [
      'POST',
      '/api/v1/namespaces/shop/pods',
      object('v1', 'Pod', 'p', { spec: { containers: [{ name: 'c', image: 'i' }] } }),
    ],
    ['POST', '/api/v1/namespaces/shop/secrets', object('v1', 'Secret', 's')],
    ['POST', '/api/v1/namespaces/default/configmaps', object('v1', 'ConfigMap', 'c')],
    [
      'POST',
      '/api/v1/namespaces/plumbline/serviceaccounts/plumbline-agent/token',
      '{"apiVersion":"authentication.k8s.io/v1","kind":"TokenRequest","spec":{}}',
    ],
    ['POST', '/api/v1/namespaces/shop/pods/p/exec?command=sh&stdin=true'],
    [
      'POST',
      '/apis/authorization.k8s.io/v1/subjectaccessreviews',
      '{"apiVersion":"authorization.k8s.io/v1","kind":"SubjectAccessReview","spec":{"user":"a"}}',
    ],
    [
      'POST',
      '/apis/certificates.k8s.io/v1/certificatesigningrequests',
      object('certificates.k8s.io/v1', 'CertificateSigningRequest', 'c'),
    ],
    [
      'POST',
      `${rbac}/clusterrolebindings`,
      object('rbac.authorization.k8s.io/v1', 'ClusterRoleBinding', 'me', toAdmin),
    ],
    [
      'POST',
      `${rbac}/namespaces/shop/rolebindings`,
      object('rbac.authorization.k8s.io/v1', 'RoleBinding', 'me', toAdmin),
    ],
    [
      'PATCH',
      `${rbac}/namespaces/shop/roles/plumbline-agent`,
      JSON.stringify(everything),
      'application/merge-patch+json',
    ],
    ['PATCH', `${rbac}/clusterroles/plumbline-agent`, JSON.stringify(everything), 'application/merge-patch+json'],
    [
      'PATCH',
      `${rbac}/clusterroles/mine?fieldManager=x`,
      object('rbac.authorization.k8s.io/v1', 'ClusterRole', 'mine', everything),
      apply,
    ],
    ['PATCH', '/api/v1/namespaces/other?fieldManager=x', object('v1', 'Namespace', 'other'), apply],
    ['PATCH', '/api/v1/namespaces/kube-system', '{"metadata":{"labels":{"a":"b"}}}', 'application/merge-patch+json'],
    [
      'PATCH',
      '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/kube-controller-manager',
      '{"spec":{"holderIdentity":"me"}}',
      'application/merge-patch+json',
    ],
    [
      'PATCH',
      '/apis/apps/v1/namespaces/plumbline/deployments/plumbline-agent',
      '{"spec":{"replicas":9}}',
      'application/merge-patch+json',
    ],
    ['DELETE', '/api/v1/namespaces/shop'],
    ['DELETE', '/api/v1/namespaces/plumbline'],
    ['DELETE', '/api/v1/namespaces/shop/configmaps'],
    ['DELETE', '/api/v1/namespaces/plumbline/configmaps'],
    ['DELETE', '/apis/apps/v1/namespaces/plumbline/deployments/plumbline-agent'],
  ]
  for (const [method, path, body, contentType] of tries) {
    const request = {
      method: method as 'GET',
      path,
      ...(body === undefined ? {} : { body }),
      ...(contentType === undefined ? {} : { contentType }),
    }
    await assert.rejects(agent.send(request, {}), { reason: 'forbidden' }, `${method} ${path}`)
  }
  t.diagnostic(`${tries.length} calls tried with the agent's token, ${tries.length} forbidden`)
})

test(
  'kube-prometheus, with its definitions and roles, syncs with rights for exactly that',
  { skip: skip || corporaMissing },
  async (t) => {
    const plane = await auditedPlane(t)
    const corpus = corpora.find(({ name }) => name === 'kube-prometheus')
    assert.ok(corpus !== undefined)
    const repository = await corpusRepository(corpus)
    t.after(() => repository.dispose())
    const admin = await adminSession(t, plane, repository.scaffold.folder)
    await install(admin, plane)
    const agent = await sessionAs(t, repository.scaffold.folder, await agentKubeconfig(t, plane), 'agent', false)
    const [application] = (await agent.applications()).applications
    assert.ok(application !== undefined)
    const pass = await agent.sync(application, { request: { prune: true, dryRun: false } })
    assert.equal(pass.outcome?.phase, 'Succeeded')
    const again = await agent.sync(application, { request: { prune: true, dryRun: false } })
    assert.deepEqual(
      again.snapshot.conditions.map(({ message }) => message),
      [],
    )
    assert.equal(again.snapshot.sync, 'Synced')
    const asked = await askedBy(plane, AGENT_USER)
    assert.deepEqual(
      [...asked].filter(([, statuses]) => statuses.has(403)).map(([call]) => call),
      [],
    )
    assert.equal(
      await mayAgent(plane.client, {
        verb: 'escalate',
        group: 'rbac.authorization.k8s.io',
        resource: 'clusterroles',
        namespace: '',
        name: 'cluster-admin',
      }),
      false,
    )
    t.diagnostic(`${pass.outcome?.steps.length} steps, ${asked.size} kinds of calls, 0 refused`)
  },
)

function object(apiVersion: string, kind: string, name: string, rest: object = {}): string {
  return JSON.stringify({ apiVersion, kind, metadata: { name }, ...rest })
}
