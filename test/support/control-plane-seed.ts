import type { JsonClient, JsonRequest } from './control-plane-client.ts'

/** The one node of a control plane with controllers. */
export const NODE_NAME = 'plumbline-node'

const RBAC = '/apis/rbac.authorization.k8s.io/v1'

/**
 * Gives `editor` and `viewer` their roles. Without controllers `edit` and `view` stay empty, since their rules are
 * aggregated by one; the roles that they are aggregated from are whole from the start.
 */
export async function bindUsers(client: JsonClient): Promise<void> {
  const editors = `${RBAC}/namespaces/default/rolebindings`
  await Promise.all([
    bindRole(client, `${RBAC}/clusterrolebindings`, 'ClusterRoleBinding', 'viewers', 'view'),
    bindRole(client, editors, 'RoleBinding', 'editors', 'view'),
    bindRole(client, editors, 'RoleBinding', 'editors', 'edit'),
  ])
}

async function bindRole(
  client: JsonClient,
  path: string,
  kind: string,
  group: 'viewers' | 'editors',
  role: 'view' | 'edit',
): Promise<void> {
  await write(client, path, {
    body: {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind,
      metadata: { name: `plumbline-${group}-${role}` },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: `system:aggregate-to-${role}` },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: `plumbline:${group}` }],
    },
  })
}

/** True once the server's authorizer has seen the bindings of `bindUsers`; undefined before. */
export async function usersAreBound(client: JsonClient): Promise<true | undefined> {
  const allowed = await Promise.all([
    isAllowed(client, 'viewers', 'list'),
    isAllowed(client, 'editors', 'list'),
    isAllowed(client, 'editors', 'patch'),
  ])
  return allowed.every(Boolean) ? true : undefined
}

async function isAllowed(client: JsonClient, group: 'viewers' | 'editors', verb: string): Promise<boolean> {
  const resourceAttributes = { namespace: 'default', verb, resource: 'configmaps' }
  const answer = await client.request('/apis/authorization.k8s.io/v1/subjectaccessreviews', {
    method: 'POST',
    body: {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SubjectAccessReview',
      spec: { user: 'anybody', groups: [`plumbline:${group}`], resourceAttributes },
    },
  })
  const review = answer.body as { readonly status?: { readonly allowed?: boolean } }
  return review.status?.allowed === true
}

/** Registers a node that is ready and stays so. */
export async function createNode(client: JsonClient): Promise<void> {
  const labels = { 'kubernetes.io/hostname': NODE_NAME, 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'amd64' }
  await write(client, '/api/v1/nodes', {
    body: { apiVersion: 'v1', kind: 'Node', metadata: { name: NODE_NAME, labels } },
  })
  const room = { cpu: '64', memory: '256Gi', pods: '5000', 'ephemeral-storage': '1Ti' }
  const ready = { type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'a simulated node' }
  await write(client, `/api/v1/nodes/${NODE_NAME}/status`, {
    method: 'PATCH',
    type: 'application/strategic-merge-patch+json',
    body: { status: { capacity: room, allocatable: room, conditions: [ready] } },
  })
  // Admission gives every new node a not-ready taint, which only the node lifecycle controller would take away.
  await write(client, `/api/v1/nodes/${NODE_NAME}`, {
    method: 'PATCH',
    type: 'application/merge-patch+json',
    body: { spec: { taints: null } },
  })
}

async function write(client: JsonClient, path: string, request: JsonRequest): Promise<void> {
  const answer = await client.request(path, { method: 'POST', ...request })
  if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
}
