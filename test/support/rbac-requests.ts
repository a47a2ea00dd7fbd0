import type { Step } from './differential-step.ts'

const rbac = '/apis/rbac.authorization.k8s.io/v1'
const roles = `${rbac}/namespaces/{{ns}}/roles`
const bindings = `${rbac}/namespaces/{{ns}}/rolebindings`
const maps = '/api/v1/namespaces/{{ns}}/configmaps'
const deployments = '/apis/apps/v1/namespaces/{{ns}}/deployments'
const reviews = '/apis/authorization.k8s.io/v1'
const apiGroup = 'rbac.authorization.k8s.io'
const limited = { kind: 'ServiceAccount', name: 'limited', namespace: '{{ns}}' }

const role = (name: string, rules: readonly object[], kind = 'Role'): object => ({
  apiVersion: `${apiGroup}/v1`,
  kind,
  metadata: { name },
  rules,
})
const binding = (name: string, kind: string, to: string, bound = 'RoleBinding'): object => ({
  apiVersion: `${apiGroup}/v1`,
  kind: bound,
  metadata: { name },
  roleRef: { apiGroup, kind, name: to },
  subjects: [limited],
})
const rule = (group: string, resources: readonly string[], verbs: readonly string[], more: object = {}): object => ({
  apiGroups: [group],
  resources,
  verbs,
  ...more,
})
const step = (method: string, path: string, body?: object, type?: string): Step => ({
  method,
  path,
  ...(body === undefined ? {} : { body: body as NonNullable<Step['body']> }),
  ...(type === undefined ? {} : { type }),
})
const create = (path: string, body: object): Step => step('POST', path, body)
const get = (path: string): Step => step('GET', path)

/** What the administrator lays out: one account with a few rights, one of its bindings leading nowhere. */
export const rbacSetup: readonly Step[] = [
  create('/api/v1/namespaces/{{ns}}/serviceaccounts', { metadata: { name: 'limited' } }),
  create(maps, { metadata: { name: 'there' }, data: { a: '1' } }),
  create(
    roles,
    role('limited', [
      rule('', ['configmaps'], ['get', 'list', 'create', 'patch']),
      rule('', ['pods/log'], ['get']),
      rule('', ['secrets'], ['get'], { resourceNames: ['mine'] }),
      rule('apps', ['deployments', 'deployments/scale'], ['get', 'update']),
      rule(apiGroup, ['roles', 'rolebindings'], ['get', 'create', 'update', 'patch']),
      rule(apiGroup, ['roles'], ['bind'], { resourceNames: ['may-be-bound'] }),
    ]),
  ),
  create(roles, role('may-be-bound', [rule('', ['secrets'], ['*'])])),
  create(roles, role('may-not-be-bound', [rule('', ['secrets'], ['get', 'list'])])),
  create(bindings, binding('limited', 'Role', 'limited')),
]

/** What the account then asks for. */
export const rbacRequests: readonly Step[] = [
  get(maps),
  get(`${maps}/there`),
  get(`${maps}?watch=true&timeoutSeconds=1`),
  create(`${maps}?dryRun=All`, { metadata: { name: 'new' } }),
  step('DELETE', `${maps}/there`),
  step('DELETE', maps),
  step('PUT', `${maps}/there`, { metadata: { name: 'there' } }),
  step(
    'PATCH',
    `${maps}/applied?fieldManager=m&dryRun=All`,
    { apiVersion: 'v1', kind: 'ConfigMap' },
    'application/apply-patch+yaml',
  ),
  get('/api/v1/configmaps'),
  get('/api/v1/namespaces/kube-system/configmaps'),
  get('/api/v1/namespaces'),
  get('/api/v1/namespaces/{{ns}}'),
  create('/api/v1/namespaces', { metadata: { name: 'other' } }),
  get('/api/v1/nodes'),
  get('/api/v1/namespaces/{{ns}}/secrets/mine'),
  get('/api/v1/namespaces/{{ns}}/secrets/other'),
  get('/api/v1/namespaces/{{ns}}/secrets'),
  get('/api/v1/namespaces/{{ns}}/pods/p'),
  get('/api/v1/namespaces/{{ns}}/pods/p/log'),
  get(`${deployments}/d`),
  get(`${deployments}/d/scale`),
  get(`${deployments}/d/status`),
  step('PATCH', `${deployments}/d/scale`, { spec: { replicas: 1 } }, 'application/merge-patch+json'),
  get('/apis'),
  get('/version'),
  get('/metrics'),
  get('/nowhere'),
  create(`${roles}?dryRun=All`, role('own', [rule('', ['configmaps'], ['get', 'list'])])),
  create(roles, role('more', [rule('', ['configmaps', 'pods'], ['get', 'delete', 'list'])])),
  create(roles, role('named', [rule('', ['secrets'], ['get', 'list'], { resourceNames: ['mine', 'x'] })])),
  create(roles, role('paths', [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }])),
  create(roles, role('log', [rule('', ['pods/log'], ['get']), rule('apps', ['*/scale'], ['get'])])),
  step('PATCH', `${roles}/limited`, { rules: [rule('*', ['*'], ['*'])] }, 'application/merge-patch+json'),
  step('PATCH', `${roles}/limited`, { metadata: { labels: { a: 'b' } } }, 'application/merge-patch+json'),
  create(`${rbac}/clusterroles`, role('{{ns}}-all', [rule('', ['pods'], ['get'])], 'ClusterRole')),
  create(`${bindings}?dryRun=All`, binding('same', 'Role', 'limited')),
  create(`${bindings}?dryRun=All`, binding('allowed', 'Role', 'may-be-bound')),
  create(bindings, binding('refused', 'Role', 'may-not-be-bound')),
  create(bindings, binding('nowhere', 'Role', 'none-such')),
  create(bindings, binding('admin', 'ClusterRole', 'cluster-admin')),
  create(bindings, binding('odd', 'Odd', 'x')),
  create(`${rbac}/clusterrolebindings`, binding('{{ns}}-b', 'ClusterRole', 'view', 'ClusterRoleBinding')),
  ...[
    { namespace: '{{ns}}', verb: 'get', resource: 'configmaps' },
    { namespace: '{{ns}}', verb: 'delete', resource: 'configmaps' },
    { namespace: '{{ns}}', verb: 'get', resource: 'secrets', name: 'mine' },
    { namespace: '{{ns}}', verb: 'get', resource: 'secrets' },
    { namespace: '{{ns}}', verb: 'update', group: 'apps', resource: 'deployments', subresource: 'scale' },
    { verb: 'list', resource: 'configmaps' },
  ].map((resourceAttributes) => create(`${reviews}/selfsubjectaccessreviews`, { spec: { resourceAttributes } })),
  create(`${reviews}/selfsubjectaccessreviews`, { spec: { nonResourceAttributes: { path: '/apis', verb: 'get' } } }),
  create(`${reviews}/selfsubjectaccessreviews`, { spec: {} }),
  create(`${reviews}/selfsubjectrulesreviews`, { spec: { namespace: '{{ns}}' } }),
  create(`${reviews}/selfsubjectrulesreviews`, { spec: {} }),
  create(`${reviews}/subjectaccessreviews`, {
    spec: { user: 'x', resourceAttributes: { verb: 'get', resource: 'pods' } },
  }),
]

/** A binding to a role that is not there, after which every refusal tells of it. */
export const rbacDangling: readonly Step[] = [create(bindings, binding('dangling', 'Role', 'gone'))]
export const rbacDanglingRequests: readonly Step[] = [
  get('/api/v1/namespaces/{{ns}}/pods'),
  get('/api/v1/nodes'),
  create(`${reviews}/selfsubjectaccessreviews`, {
    spec: { resourceAttributes: { namespace: '{{ns}}', verb: 'get', resource: 'pods' } },
  }),
  create(`${reviews}/selfsubjectrulesreviews`, { spec: { namespace: '{{ns}}' } }),
]
