import { descendantsOf } from '../core/tree.ts'
import type { Desired, DesiredState } from '../core/desired.ts'
import { kindsToObserve, namespacesToObserve } from '../core/pair.ts'
import { supportKinds } from '../core/support.ts'
import type { Cluster } from '../kube/cluster.ts'
import type { AccessRule } from '../model/agent-install.ts'
import type { Application } from '../model/application.ts'
import { isArray, isObject, type Json } from '../model/json.ts'
import { parseApiVersion, type GroupKind, type GroupVersionKind, type KubeObject } from '../model/kubernetes.ts'
import type { Cancellable, Inventory } from '../model/ports.ts'
import type { Session } from '../session.ts'

export type NeededAccess = {
  readonly rules: readonly AccessRule[]
  /** Applications whose needs could not be found out, with why. */
  readonly unknown: readonly string[]
  /** Namespaces of the rules that are not there yet. */
  readonly missingNamespaces: readonly string[]
}

const READ = ['list', 'watch']
/** A server-side apply of what is not there yet needs both `patch` and `create`, and the server is told the name of both. */
const WRITE = ['get', 'create', 'patch', 'delete']
const RBAC = 'rbac.authorization.k8s.io'
/** Beyond so many namespaces a kind is read in all of them at once (`kube/observe-once.ts`). */
const FEW_NAMESPACES = 8

type Served = { readonly resource: string; readonly namespaced: boolean }

/** Everything that syncs of these applications ask of the server, and nothing else: found out by rendering them. */
export async function neededAccess(
  session: Session,
  applications: readonly Application[],
  options: Cancellable,
): Promise<NeededAccess> {
  const rules: AccessRule[] = []
  const unknown: string[] = []
  for (const application of applications) {
    const pass = await session.look(application, options)
    if (pass.desired === undefined) {
      const { failure, conditions } = pass.snapshot
      unknown.push(`${application.name}: ${conditions[0]?.message ?? failure?.message ?? 'it could not be rendered'}`)
      continue
    }
    const store = await session.store(application)
    const inventory = await store.inventory(application.name, options)
    const cluster = await session.clusterOf(application)
    rules.push(...(await rulesOf({ application, desired: pass.desired, inventory, cluster }, options)))
  }
  const named = [...new Set(rules.map(({ namespace }) => namespace))]
    .filter((namespace) => namespace !== '')
    .sort(byText)
  const cluster = await session.cluster()
  const there = await Promise.all(
    named.map(async (name) => cluster.read(NAMESPACE, { group: '', kind: 'Namespace', namespace: '', name }, options)),
  )
  return { rules, unknown, missingNamespaces: named.filter((_, index) => there[index] === undefined) }
}

const NAMESPACE: GroupVersionKind = { group: '', version: 'v1', kind: 'Namespace' }

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

type Needs = {
  readonly application: Application
  readonly desired: DesiredState
  readonly inventory: Inventory
  readonly cluster: Cluster
}

async function rulesOf(needs: Needs, options: Cancellable): Promise<readonly AccessRule[]> {
  const { application, desired, inventory } = needs
  // Kinds whose definition comes with the sync itself are looked at once it is there.
  const later = [...desired.objects.values()].flatMap(({ gvk, kind }) => (kind === undefined ? [gvk] : []))
  const kinds = [...kindsToObserve(desired, inventory), ...later]
  const namespaces = [...namespacesToObserve(application, desired, inventory)].filter((name) => name !== '')
  const everywhere = namespaces.length > FEW_NAMESPACES ? [''] : namespaces
  const rules: AccessRule[] = []
  for (const gvk of [...kinds, ...descendantsOf(kinds), ...supportKinds(application)]) {
    const served = await servedAs(gvk, needs, options)
    if (served === undefined) continue
    const places = served.namespaced ? everywhere : ['']
    for (const namespace of places) rules.push({ namespace, group: gvk.group, resource: served.resource, verbs: READ })
  }
  const own = [...desired.objects.values()].filter(({ support }) => !support)
  for (const { id } of [...own, ...inventory.values()]) {
    const served = await servedAs({ ...id, version: '' }, needs, options)
    if (served === undefined) continue
    const common = { group: id.group, resource: served.resource, verbs: WRITE }
    // In a namespace of its own an application may get another object of a kind any day; in the cluster's own room, each is named.
    rules.push(
      served.namespaced ? { ...common, namespace: id.namespace } : { ...common, namespace: '', names: [id.name] },
    )
  }
  return [...rules, ...namespaceRules(application), ...[...desired.objects.values()].flatMap(grantsOf)]
}

/** The namespace that CreateNamespace makes: a server-side apply of it names it, so that RBAC can too. */
function namespaceRules(application: Application): readonly AccessRule[] {
  if (supportKinds(application).length === 0) return []
  const names = [application.destination.namespace]
  return [{ namespace: '', group: '', resource: 'namespaces', verbs: ['get', 'create', 'patch'], names }]
}

/**
 * Who brings roles from Git gives rights that they need not have themselves: `escalate` and `bind`, of exactly those roles
 * (kubernetes.io, "Privilege escalation prevention and bootstrapping").
 */
function grantsOf({ id, object }: Desired): readonly AccessRule[] {
  if (id.group !== RBAC) return []
  switch (id.kind) {
    case 'Role':
    case 'ClusterRole': {
      const resource = id.kind === 'Role' ? 'roles' : 'clusterroles'
      return [{ namespace: id.namespace, group: RBAC, resource, verbs: ['escalate'], names: [id.name] }]
    }
    case 'RoleBinding':
    case 'ClusterRoleBinding': {
      const ref = roleRefOf(object)
      return ref === undefined ? [] : [{ namespace: id.namespace, group: RBAC, ...ref, verbs: ['bind'] }]
    }
    default:
      return []
  }
}

function roleRefOf(object: KubeObject): { readonly resource: string; readonly names: readonly string[] } | undefined {
  const ref = object['roleRef']
  if (!isObject(ref) || typeof ref['name'] !== 'string') return undefined
  return { resource: ref['kind'] === 'ClusterRole' ? 'clusterroles' : 'roles', names: [ref['name']] }
}

/** A kind as the server serves it, or as a definition among the application's own objects says. */
async function servedAs(
  gvk: GroupVersionKind,
  { cluster, desired }: Needs,
  options: Cancellable,
): Promise<Served | undefined> {
  const known = await cluster.preferredKind(gvk, options)
  if (known !== undefined) return { resource: known.resource, namespaced: known.namespaced }
  for (const { object } of desired.objects.values()) {
    const defined = definitionOf(object, gvk)
    if (defined !== undefined) return defined
  }
  return undefined
}

function definitionOf(object: KubeObject, { group, kind }: GroupKind): Served | undefined {
  if (object.kind !== 'CustomResourceDefinition' || parseApiVersion(object.apiVersion).group !== 'apiextensions.k8s.io')
    return undefined
  const spec: Json | undefined = object['spec']
  if (!isObject(spec) || spec['group'] !== group) return undefined
  const names = spec['names']
  if (!isObject(names) || isArray(names) || names['kind'] !== kind || typeof names['plural'] !== 'string')
    return undefined
  return { resource: names['plural'], namespaced: spec['scope'] === 'Namespaced' }
}
