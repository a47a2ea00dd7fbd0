import type { JsonObject } from './object.ts'

const apiVersion = 'rbac.authorization.k8s.io/v1'
const labels = { 'kubernetes.io/bootstrapping': 'rbac-defaults' }
const annotations = { 'rbac.authorization.kubernetes.io/autoupdate': 'true' }

const read = ['get', 'list', 'watch']
const write = ['create', 'delete', 'deletecollection', 'patch', 'update']

interface Rule {
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly verbs: readonly string[]
}

function rule(group: string, resources: readonly string[], verbs: readonly string[]): Rule {
  return { apiGroups: [group], resources, verbs }
}

const coreReadable = [
  'configmaps',
  'endpoints',
  'events',
  'limitranges',
  'namespaces',
  'namespaces/status',
  'persistentvolumeclaims',
  'persistentvolumeclaims/status',
  'pods',
  'pods/log',
  'pods/status',
  'replicationcontrollers',
  'replicationcontrollers/scale',
  'replicationcontrollers/status',
  'resourcequotas',
  'resourcequotas/status',
  'serviceaccounts',
  'services',
  'services/status',
  'bindings',
  'limitranges',
]
const coreWritable = [
  'configmaps',
  'endpoints',
  'events',
  'persistentvolumeclaims',
  'pods',
  'pods/attach',
  'pods/exec',
  'pods/portforward',
  'pods/proxy',
  'replicationcontrollers',
  'replicationcontrollers/scale',
  'secrets',
  'serviceaccounts',
  'services',
  'services/proxy',
]
const appsReadable = [
  'controllerrevisions',
  'daemonsets',
  'daemonsets/status',
  'deployments',
  'deployments/scale',
  'deployments/status',
  'replicasets',
  'replicasets/scale',
  'replicasets/status',
  'statefulsets',
  'statefulsets/scale',
  'statefulsets/status',
]
const appsWritable = [
  'daemonsets',
  'deployments',
  'deployments/rollback',
  'deployments/scale',
  'replicasets',
  'replicasets/scale',
  'statefulsets',
  'statefulsets/scale',
]
const batch = ['cronjobs', 'jobs']
const networking = ['ingresses', 'networkpolicies']

function viewRules(): Rule[] {
  return [
    rule('', coreReadable, read),
    rule('discovery.k8s.io', ['endpointslices'], read),
    rule('apps', appsReadable, read),
    rule('autoscaling', ['horizontalpodautoscalers', 'horizontalpodautoscalers/status'], read),
    rule('batch', [...batch, 'cronjobs/status', 'jobs/status'], read),
    rule('policy', ['poddisruptionbudgets', 'poddisruptionbudgets/status'], read),
    rule('networking.k8s.io', [...networking, 'ingresses/status'], read),
  ]
}

function editRules(): Rule[] {
  return [
    ...viewRules(),
    rule('', ['pods/attach', 'pods/exec', 'pods/portforward', 'pods/proxy', 'secrets', 'services/proxy'], read),
    rule('', ['serviceaccounts'], ['impersonate']),
    rule('', coreWritable, write),
    rule('', ['pods/eviction', 'serviceaccounts/token'], ['create']),
    rule('apps', appsWritable, write),
    rule('autoscaling', ['horizontalpodautoscalers'], write),
    rule('batch', batch, write),
    rule('policy', ['poddisruptionbudgets'], write),
    rule('networking.k8s.io', networking, write),
    rule('coordination.k8s.io', ['leases'], [...read, ...write]),
  ]
}

function adminRules(): Rule[] {
  return [
    ...editRules(),
    rule('authorization.k8s.io', ['localsubjectaccessreviews'], ['create']),
    rule('rbac.authorization.k8s.io', ['rolebindings', 'roles'], [...read, ...write]),
  ]
}

function clusterRole(name: string, rules: readonly object[]): JsonObject {
  return { apiVersion, kind: 'ClusterRole', metadata: { name, labels, annotations }, rules }
}

function clusterRoleBinding(name: string, groups: readonly string[], role = name): JsonObject {
  const subjects = groups.map((group) => ({ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: group }))
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role }
  return { apiVersion, kind: 'ClusterRoleBinding', metadata: { name, labels, annotations }, subjects, roleRef }
}

/** The roles that people bind to, and those that let everybody discover the API (bootstrappolicy/policy.go). */
export function bootstrapRoles(): JsonObject[] {
  const discovery = [
    '/api',
    '/api/*',
    '/apis',
    '/apis/*',
    '/healthz',
    '/livez',
    '/openapi',
    '/openapi/*',
    '/readyz',
    '/version',
    '/version/',
  ]
  const publicInfo = ['/healthz', '/livez', '/readyz', '/version', '/version/']
  return [
    clusterRole('cluster-admin', [
      { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
      { nonResourceURLs: ['*'], verbs: ['*'] },
    ]),
    clusterRole('admin', adminRules()),
    clusterRole('edit', editRules()),
    clusterRole('view', viewRules()),
    clusterRole('system:discovery', [{ nonResourceURLs: discovery, verbs: ['get'] }]),
    clusterRole('system:public-info-viewer', [{ nonResourceURLs: publicInfo, verbs: ['get'] }]),
    clusterRole('system:basic-user', [
      {
        apiGroups: ['authorization.k8s.io'],
        resources: ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'],
        verbs: ['create'],
      },
      { apiGroups: ['authentication.k8s.io'], resources: ['selfsubjectreviews'], verbs: ['create'] },
    ]),
    clusterRoleBinding('cluster-admin', ['system:masters']),
    clusterRoleBinding('system:discovery', ['system:authenticated']),
    clusterRoleBinding('system:basic-user', ['system:authenticated']),
    clusterRoleBinding('system:public-info-viewer', ['system:authenticated', 'system:unauthenticated']),
  ]
}
