import { canonicalJson } from '../model/json.ts'
import { resourceKey, type GroupVersionKind, type KubeObject } from '../model/kubernetes.ts'
import type { LiveView } from '../model/ports.ts'
import type { Desired, DesiredState } from './desired.ts'
import { applicationOption } from './options.ts'
import type { PassContext } from './pass-context.ts'

const NAMESPACE: GroupVersionKind = { group: '', version: 'v1', kind: 'Namespace' }

/**
 * Adds the destination's namespace where the application asks for it (CreateNamespace=true), Git does not have it and the
 * cluster does not either. It is made to sync into; it is not the application's, and never pruned with it.
 */
export async function withNamespace(pass: PassContext, state: DesiredState, live: LiveView): Promise<DesiredState> {
  const { application, cancel } = pass
  const { cluster, digest } = pass.ports
  const name = application.destination.namespace
  if (name === '' || pass.request.teardown === true || applicationOption(application, 'CreateNamespace') !== 'true')
    return state
  const id = { group: '', kind: 'Namespace', namespace: '', name }
  if (state.objects.has(resourceKey(id)) || live.get(id) !== undefined) return state
  if ((await cluster.read(NAMESPACE, id, cancel)) !== undefined) return state
  const { managedNamespaceMetadata } = application.syncPolicy
  const object: KubeObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name, ...managedNamespaceMetadata } }
  const desired: Desired = {
    id,
    key: resourceKey(id),
    gvk: NAMESPACE,
    kind: await cluster.kind(NAMESPACE, cancel),
    object,
    digest: digest(canonicalJson(object)),
    manifest: { id, object },
    support: true,
  }
  return { ...state, objects: new Map([[resourceKey(id), desired], ...state.objects]) }
}
