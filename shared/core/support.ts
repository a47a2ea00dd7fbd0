import type { Application } from '../model/application.ts'
import { canonicalJson } from '../model/json.ts'
import { resourceKey, type GroupVersionKind, type KubeObject, type ResourceId } from '../model/kubernetes.ts'
import type { LiveView } from '../model/ports.ts'
import type { Desired, DesiredState } from './desired.ts'
import { applicationOption } from './options.ts'
import { isGoing } from './pair.ts'
import type { PassContext } from './pass-context.ts'

const NAMESPACE: GroupVersionKind = { group: '', version: 'v1', kind: 'Namespace' }

/**
 * Adds the destination's namespace where the application asks for it (CreateNamespace=true) and Git does not have it: to make
 * it where it is missing, and to keep managedNamespaceMetadata on it. It is made to sync into; it is not the application's,
 * and never pruned with it.
 */
export async function withNamespace(pass: PassContext, state: DesiredState, live: LiveView): Promise<DesiredState> {
  const { application, cancel } = pass
  const { cluster } = pass.ports
  const name = application.destination.namespace
  if (name === '' || pass.request.teardown === true || applicationOption(application, 'CreateNamespace') !== 'true')
    return state
  const id = { group: '', kind: 'Namespace', namespace: '', name }
  if (state.objects.has(resourceKey(id))) return state
  const { managedNamespaceMetadata } = application.syncPolicy
  if (managedNamespaceMetadata === undefined) {
    const there = live.get(id) ?? (await cluster.read(NAMESPACE, id, cancel))
    if (there !== undefined && !isGoing(there)) return state
  }
  const known = wholes.get(state)
  if (known?.metadata === managedNamespaceMetadata && known?.name === name) return known.whole
  const desired = await namespaceOf(pass, id)
  const whole = { ...state, objects: new Map([[desired.key, desired], ...state.objects]) }
  wholes.set(state, { whole, name, metadata: managedNamespaceMetadata })
  return whole
}

/** The same state gives the same whole, so that an unchanged pass is seen to be one. */
const wholes = new WeakMap<
  DesiredState,
  { readonly whole: DesiredState; readonly name: string; readonly metadata: unknown }
>()

/** The kinds that `withNamespace` has to see besides those of the manifests. */
export function supportKinds(application: Application): readonly GroupVersionKind[] {
  const wanted = applicationOption(application, 'CreateNamespace') === 'true'
  return application.destination.namespace !== '' && wanted ? [NAMESPACE] : []
}

async function namespaceOf({ application, ports, cancel }: PassContext, id: ResourceId): Promise<Desired> {
  const { managedNamespaceMetadata } = application.syncPolicy
  const metadata = { name: id.name, ...managedNamespaceMetadata }
  const object: KubeObject = { apiVersion: 'v1', kind: 'Namespace', metadata }
  return {
    id,
    key: resourceKey(id),
    gvk: NAMESPACE,
    kind: await ports.cluster.kind(NAMESPACE, cancel),
    object,
    digest: ports.digest(canonicalJson(object)),
    manifest: { id, object },
    support: true,
  }
}
