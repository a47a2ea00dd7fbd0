import { idOf, resourceKey, type GroupVersionKind, type ResourceId } from '../model/kubernetes.ts'
import type { LiveObject } from '../model/live.ts'
import type { LiveView } from '../model/ports.ts'
import type { OrphanedResources } from '../model/project.ts'
import type { Condition, TreeNode } from '../model/status.ts'
import { globFits } from './glob.ts'
import type { PassContext } from './pass-context.ts'
import { resourceViolation } from './project/violations.ts'
import { trackingOf } from './tracking.ts'
import { treeOf } from './tree.ts'

/**
 * Kinds that controllers keep for themselves, `group/Kind`; Argo CD leaves them out of its cache
 * (`resource.exclusions` as it installs it).
 */
const NOBODYS = [
  '/Event',
  'events.k8s.io/*',
  'metrics.k8s.io/*',
  '/Endpoints',
  'discovery.k8s.io/EndpointSlice',
  'coordination.k8s.io/Lease',
  'authentication.k8s.io/*',
  'authorization.k8s.io/*',
  'certificates.k8s.io/*',
  'cert-manager.io/CertificateRequest',
  'cilium.io/Cilium*',
  'kyverno.io/*Report',
  'reports.kyverno.io/*',
  'wgpolicyk8s.io/*',
]

/** Kinds to look at for orphans: all that a namespace may hold, where the project asks for them. */
export async function orphanKinds({
  project,
  ports,
  request,
  cancel,
}: PassContext): Promise<readonly GroupVersionKind[]> {
  if (project?.orphanedResources === undefined || request.teardown === true) return []
  const all = await ports.cluster.listable(cancel)
  return all.filter(({ group, kind }) => !NOBODYS.some((glob) => globFits(glob, `${group}/${kind}`)))
}

/**
 * What is in the destination's namespace, has no owner and no application, and what descends from it (Argo CD
 * `docs/user-guide/orphaned-resources.md`). Undefined where the project does not ask for it.
 * @param managed keys of the application's own objects
 */
export async function orphansOf(
  pass: PassContext,
  live: LiveView,
  managed: ReadonlyMap<string, LiveObject>,
): Promise<readonly TreeNode[] | undefined> {
  const { application, project } = pass
  const { namespace } = application.destination
  if (project?.orphanedResources === undefined || namespace === '') return undefined
  const { orphanedResources } = project
  const permitted = (id: ResourceId): boolean => resourceViolation(application, project, id) === undefined
  const roots: LiveObject[] = []
  for (const kind of await orphanKinds(pass)) {
    for (const one of live.ofKind(kind)) {
      const { metadata } = one.object
      if (metadata.namespace !== namespace || (metadata.ownerReferences ?? []).length > 0) continue
      const id = idOf(one.object)
      if (managed.has(resourceKey(id)) || trackingOf(one.object, id) !== undefined) continue
      if (!isExcepted(id, orphanedResources) && permitted(id)) roots.push(one)
    }
  }
  return treeOf(roots, live, pass).filter(({ id }) => permitted(id))
}

/** What every namespace has, and what the project's own rules leave out. */
function isExcepted({ group, kind, namespace, name }: ResourceId, { ignore }: OrphanedResources): boolean {
  if (group === '' && kind === 'Service' && namespace === 'default' && name === 'kubernetes') return true
  if (group === '' && kind === 'ServiceAccount' && name === 'default') return true
  if (group === '' && kind === 'ConfigMap' && name === 'kube-root-ca.crt') return true
  return ignore.some((rule) => {
    const fits = globFits(rule.group, group) && (rule.kind === '' || globFits(rule.kind, kind))
    return fits && (rule.name === undefined || rule.name === '' || globFits(rule.name, name))
  })
}

/** Argo CD's condition, in its words. */
export function orphanCondition(
  { project }: PassContext,
  orphans: readonly TreeNode[] | undefined,
): Pick<Condition, 'type' | 'message'> | undefined {
  if (orphans === undefined || orphans.length === 0 || project?.orphanedResources?.warn !== true) return undefined
  return { type: 'OrphanedResourceWarning', message: `Application has ${orphans.length} orphaned resources` }
}
