import assert from 'node:assert/strict'
import test from 'node:test'
import { agentManifests } from '../../../shared/clusters/agent/agent-manifests.ts'
import { rulesByNamespace } from '../../../shared/clusters/agent/agent-roles.ts'
import { ClustersError } from '../../../shared/clusters/clusters-error.ts'
import type { AccessRule, AgentInstallOptions } from '../../../shared/model/agent-install.ts'

const RULES: readonly AccessRule[] = [
  { namespace: 'shop', group: 'apps', resource: 'deployments', verbs: ['watch', 'list'] },
  { namespace: 'shop', group: 'apps', resource: 'deployments', verbs: ['patch', 'list'] },
  { namespace: 'shop', group: 'apps', resource: 'statefulsets', verbs: ['list', 'watch', 'patch'] },
  { namespace: 'shop', group: '', resource: 'secrets', verbs: ['get'], names: ['b', 'a'] },
  { namespace: '', group: '', resource: 'namespaces', verbs: ['list'] },
]

const OPTIONS: AgentInstallOptions = {
  image: 'plumbline-agent:1',
  pullPolicy: 'IfNotPresent',
  replicas: 2,
  applications: { kind: 'files', files: { 'apps/a.yaml': 'a', 'b/a.yaml': 'b' } },
  missingNamespaces: ['shop'],
  access: { kind: 'least', rules: RULES },
}

const names = (options: AgentInstallOptions): readonly string[] =>
  agentManifests(options).map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`)

test('rules are one each, in an order that does not depend on the order of needs', () => {
  const rules = rulesByNamespace(RULES)
  assert.deepEqual([...rules.keys()], ['', 'shop'])
  assert.deepEqual(rules.get('shop'), [
    { apiGroups: [''], resources: ['secrets'], verbs: ['get'], resourceNames: ['a', 'b'] },
    { apiGroups: ['apps'], resources: ['deployments', 'statefulsets'], verbs: ['list', 'watch', 'patch'] },
  ])
  assert.deepEqual([...rulesByNamespace([...RULES].reverse())], [...rules])
})

test('an installation is a namespace, an account, its roles, its configuration and a Deployment', () => {
  assert.deepEqual(names(OPTIONS), [
    'Namespace /plumbline',
    'Namespace /shop',
    'ServiceAccount plumbline/plumbline-agent',
    'ClusterRole /plumbline-agent',
    'ClusterRoleBinding /plumbline-agent',
    'Role plumbline/plumbline-agent',
    'RoleBinding plumbline/plumbline-agent',
    'Role shop/plumbline-agent',
    'RoleBinding shop/plumbline-agent',
    'ConfigMap plumbline/plumbline-agent',
    'Deployment plumbline/plumbline-agent',
  ])
})

test('an agent for namespaces has nothing that belongs to the cluster, and is refused what lies beyond', () => {
  const inside = RULES.filter(({ namespace }) => namespace === 'shop')
  const scoped = { ...OPTIONS, access: { kind: 'namespaces', namespaces: ['shop'], rules: inside } } as const
  assert.ok(!names(scoped).some((name) => name.includes(' /')), names(scoped).join())
  const beyond = { ...OPTIONS, access: { kind: 'namespaces', namespaces: ['shop'], rules: RULES } } as const
  assert.throws(
    () => agentManifests(beyond),
    (error) =>
      ClustersError.is(error, 'unsupported') && /need more than the namespaces shop: namespaces/.test(error.message),
  )
})

function wild(options: AgentInstallOptions): boolean {
  return JSON.stringify(agentManifests(options)).includes('"*"')
}

test('no right is a wildcard unless all of the cluster was asked for', () => {
  assert.equal(wild(OPTIONS), false)
  assert.equal(wild({ ...OPTIONS, access: { kind: 'everything' } }), true)
})

test('the pod runs as nobody, writes nowhere but in its own folder, and may gain nothing', () => {
  const deployment = JSON.stringify(agentManifests(OPTIONS).at(-1))
  for (const word of [
    '"runAsNonRoot":true',
    '"readOnlyRootFilesystem":true',
    '"allowPrivilegeEscalation":false',
    '"drop":["ALL"]',
    '"type":"RuntimeDefault"',
    '"replicas":2',
  ]) {
    assert.ok(deployment.includes(word), word)
  }
  assert.ok(!/hostPath|hostNetwork|privileged":true/.test(deployment))
})

test('files of one name do not hide each other, and other files are another agent', () => {
  const [config, deployment] = agentManifests(OPTIONS).slice(-2)
  assert.deepEqual(config?.['data'], { '0000-a.yaml': 'a', '0001-a.yaml': 'b' })
  const other = agentManifests({ ...OPTIONS, applications: { kind: 'files', files: { 'a.yaml': 'c' } } }).at(-1)
  assert.notDeepEqual(deployment, other)
})

test('more files than a ConfigMap holds are refused with the way out', () => {
  const files = { 'a.yaml': 'x'.repeat(1_000_001) }
  assert.throws(
    () => agentManifests({ ...OPTIONS, applications: { kind: 'files', files } }),
    (error) => ClustersError.is(error, 'unsupported') && error.next.includes('--repo'),
  )
})
