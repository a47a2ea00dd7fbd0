import type { Cluster } from '../kube/cluster.ts'
import { ClusterError } from '../kube/cluster-error.ts'
import { parseJson, stringifyJson, valueAt } from '../model/json.ts'
import { groupKindKey } from '../model/kubernetes.ts'
import type { Plan } from '../model/plan.ts'
import type { Cancellable } from '../model/ports.ts'
import type { RehearsedEffect } from '../model/rehearsal.ts'

type Access = {
  readonly verb: string
  readonly group: string
  readonly resource: string
  readonly namespace: string
}

/**
 * What whoever syncs may not do on the real cluster, asked of the cluster itself (SelfSubjectAccessReview): a question that
 * changes nothing.
 */
export async function lackingPermissions(
  cluster: Cluster,
  plan: Plan,
  resources: ReadonlyMap<string, { readonly resource: string; readonly namespaced: boolean }>,
  options: Cancellable,
): Promise<readonly RehearsedEffect[]> {
  const wanted = new Map<string, Access>()
  for (const { id, action, readiness, manner } of plan.steps) {
    const known = resources.get(groupKindKey(id))
    if (known === undefined || action === 'none' || readiness.kind === 'refused') continue
    const verbs =
      action === 'prune'
        ? ['delete']
        : manner.method === 'recreate'
          ? ['delete', 'create', 'patch']
          : [action === 'create' ? 'create' : 'patch', 'patch']
    for (const verb of verbs) {
      const access = {
        verb,
        group: id.group,
        resource: known.resource,
        namespace: known.namespaced ? id.namespace : '',
      }
      wanted.set(Object.values(access).join('|'), access)
    }
  }
  const answers = await Promise.all([...wanted.values()].map(async (access) => isLacking(cluster, access, options)))
  return [...wanted.values()]
    .filter((_, index) => answers[index] === true)
    .map((access) => ({ kind: 'permission-lacking', ...access }))
}

async function isLacking(cluster: Cluster, access: Access, options: Cancellable): Promise<boolean> {
  const body = stringifyJson({
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    spec: { resourceAttributes: access },
  })
  try {
    const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'
    const answer = parseJson(await cluster.send({ method: 'POST', path, body }, options))
    return valueAt(answer, ['status', 'allowed']) === false
  } catch (error) {
    // A server that does not answer the question forbids nothing by that.
    if (ClusterError.is(error)) return false
    throw error
  }
}
