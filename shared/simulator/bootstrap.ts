import type { ApiServer } from './api-server.ts'
import { systemUser } from './api-server.ts'
import { bootstrapRoles } from './bootstrap-roles.ts'
import type { JsonObject } from './object.ts'

function namespace(name: string): JsonObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
}

function priorityClass(name: string, value: number, description: string): JsonObject {
  return { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name }, value, description }
}

const kubernetesService: JsonObject = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'kubernetes', namespace: 'default', labels: { component: 'apiserver', provider: 'kubernetes' } },
  spec: {
    type: 'ClusterIP',
    clusterIP: '10.0.0.1',
    ports: [{ name: 'https', protocol: 'TCP', port: 443, targetPort: 6443 }],
  },
}

/** Creates what every cluster has from the start, where it is not there yet. */
export function bootstrap(apiServer: ApiServer): void {
  for (const name of ['default', 'kube-system', 'kube-public', 'kube-node-lease']) {
    ensure(apiServer, '/api/v1/namespaces', namespace(name))
  }
  ensure(apiServer, '/api/v1/namespaces/default/services', kubernetesService)
  const classes = '/apis/scheduling.k8s.io/v1/priorityclasses'
  ensure(
    apiServer,
    classes,
    priorityClass(
      'system-node-critical',
      2_000_001_000,
      'Used for system critical pods that must not be moved from their current node.',
    ),
  )
  ensure(
    apiServer,
    classes,
    priorityClass(
      'system-cluster-critical',
      2_000_000_000,
      'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
    ),
  )
  for (const role of bootstrapRoles()) {
    const plural = `${String(role['kind']).toLowerCase()}s`
    ensure(apiServer, `/apis/rbac.authorization.k8s.io/v1/${plural}`, role)
  }
}

function ensure(apiServer: ApiServer, path: string, object: JsonObject): void {
  const answer = apiServer.handle({
    method: 'POST',
    path: `${path}?fieldManager=kube-apiserver`,
    headers: { 'content-type': 'application/json' },
    body: object,
    user: systemUser,
  })
  if (answer.status >= 300 && answer.status !== 409) {
    const problem = answer.kind === 'json' ? JSON.stringify(answer.body) : answer.kind
    throw new Error(`cannot create ${path}: ${problem}`)
  }
}
