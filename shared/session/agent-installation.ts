import {
  AGENT_LABELS,
  AGENT_NAME,
  AGENT_NAMESPACE,
  AGENT_SELECTOR,
  agentManifests,
} from '../clusters/agent/agent-manifests.ts'
import { ClustersError } from '../clusters/clusters-error.ts'
import { ClusterError } from '../kube/cluster-error.ts'
import type { Cluster } from '../kube/cluster.ts'
import type { AgentInstallOptions, AgentReport, AgentStatus } from '../model/agent-install.ts'
import { isArray, isObject, parseJson, stringifyJson, type Json, type JsonObject } from '../model/json.ts'
import { resourceKey, idOf, type KubeObject } from '../model/kubernetes.ts'
import type { Cancellable } from '../model/ports.ts'
import { ROLE_LABEL } from '../store/read-records.ts'
import { REPORT_LABEL, readReport } from './agent-report.ts'

/** Another one than a sync's, so that what installs an agent and what the agent does are told apart. */
const FIELD_MANAGER = 'plumbline-install'

/** Collections in which an installation leaves something, by path; the namespaced ones are looked at in all namespaces. */
const COLLECTIONS = {
  Deployment: '/apis/apps/v1/deployments',
  ConfigMap: '/api/v1/configmaps',
  ServiceAccount: '/api/v1/serviceaccounts',
  RoleBinding: '/apis/rbac.authorization.k8s.io/v1/rolebindings',
  Role: '/apis/rbac.authorization.k8s.io/v1/roles',
  ClusterRoleBinding: '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
  ClusterRole: '/apis/rbac.authorization.k8s.io/v1/clusterroles',
} as const
type Collection = keyof typeof COLLECTIONS

const PLURALS: Readonly<Record<string, string>> = {
  Namespace: '/api/v1/namespaces',
  ...COLLECTIONS,
}

/** Applies what the agent is made of, and takes away roles of an earlier installation that it no longer needs. @returns what was applied */
export async function installAgent(
  cluster: Cluster,
  options: AgentInstallOptions,
  cancel: Cancellable,
): Promise<readonly string[]> {
  const objects = agentManifests(options)
  if (options.access.kind === 'namespaces') await needNamespaces(cluster, options.access.namespaces, cancel)
  for (const object of objects) await applyObject(cluster, object, cancel)
  const wanted = new Set(objects.map((object) => resourceKey(idOf(object))))
  const scope = options.access.kind === 'namespaces' ? options.access.namespaces : undefined
  for (const collection of ['RoleBinding', 'Role', 'ClusterRoleBinding', 'ClusterRole'] as const) {
    for (const object of await listOurs(cluster, collection, scope, cancel)) {
      if (!wanted.has(resourceKey(idOf(object)))) await deleteObject(cluster, object, cancel)
    }
  }
  return objects.map(nameOf)
}

/**
 * Deletes all that an installation made; with `keepRecords` the namespace stays, with what Plumbline knows of the applications
 * there. @returns what was deleted
 */
export async function uninstallAgent(
  cluster: Cluster,
  {
    keepRecords,
    namespaces,
    ...cancel
  }: Cancellable & { readonly keepRecords: boolean; readonly namespaces?: readonly string[] | undefined },
): Promise<readonly string[]> {
  const deleted: string[] = []
  for (const collection of Object.keys(COLLECTIONS) as Collection[]) {
    for (const object of await listOurs(cluster, collection, namespaces, cancel)) {
      await deleteObject(cluster, object, cancel)
      deleted.push(nameOf(object))
    }
  }
  deleted.push(...(await dropLease(cluster, cancel)), ...(await dropMaps(cluster, REPORT_LABEL, cancel)))
  if (!keepRecords) deleted.push(...(await dropNamespace(cluster, cancel)))
  return deleted
}

/** What is installed, who leads, and what each agent last said of itself. */
export async function agentStatus(cluster: Cluster, cancel: Cancellable): Promise<AgentStatus> {
  const base = `/apis/apps/v1/namespaces/${AGENT_NAMESPACE}/deployments/${AGENT_NAME}`
  const [deployment, lease, reports] = await Promise.all([
    get(cluster, base, cancel),
    get(cluster, `/apis/coordination.k8s.io/v1/namespaces/${AGENT_NAMESPACE}/leases/agent`, cancel),
    get(
      cluster,
      `/api/v1/namespaces/${AGENT_NAMESPACE}/configmaps?labelSelector=${encodeURIComponent(REPORT_LABEL)}`,
      cancel,
    ),
  ])
  const spec = field(deployment, 'spec')
  const status = field(deployment, 'status')
  const holder = field(lease, 'spec')
  const leader = text(holder?.['holderIdentity'])
  return {
    installed: deployment !== undefined,
    image: imageOf(spec),
    wanted: numberOf(spec?.['replicas']),
    ready: numberOf(status?.['readyReplicas']),
    leader,
    renewedAt: leader === '' ? '' : text(holder?.['renewTime']),
    agents: itemsOf(reports)
      .map(readReport)
      .filter((report): report is AgentReport => report !== undefined),
    problems: deployment === undefined ? [] : await problemsOf(cluster, status, cancel),
  }
}

async function applyObject(cluster: Cluster, object: KubeObject, cancel: Cancellable): Promise<void> {
  const path = `${pathOf(object)}?fieldManager=${FIELD_MANAGER}&force=true`
  const contentType = 'application/apply-patch+yaml'
  await cluster.send({ method: 'PATCH', path, body: stringifyJson(object), contentType }, cancel)
}

async function deleteObject(cluster: Cluster, object: KubeObject, cancel: Cancellable): Promise<void> {
  const body = stringifyJson({ kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Foreground' })
  try {
    await cluster.send({ method: 'DELETE', path: pathOf(object), body }, cancel)
  } catch (error) {
    if (!ClusterError.is(error, 'not-found')) throw error
  }
}

/** Ours of a kind; where the whole cluster may not be listed, of the namespaces that are named. */
async function listOurs(
  cluster: Cluster,
  kind: Collection,
  namespaces: readonly string[] | undefined,
  cancel: Cancellable,
): Promise<readonly KubeObject[]> {
  const query = `?labelSelector=${encodeURIComponent(AGENT_SELECTOR)}`
  const clusterWide = kind.startsWith('Cluster')
  if (namespaces === undefined || clusterWide) {
    try {
      return itemsOf(await get(cluster, `${COLLECTIONS[kind]}${query}`, cancel)).map((item) => withKind(item, kind))
    } catch (error) {
      // Who is kept to namespaces has nothing beyond them either.
      if (!ClusterError.is(error, 'forbidden')) throw error
      if (clusterWide) return []
    }
  }
  const found: KubeObject[] = []
  for (const namespace of new Set([AGENT_NAMESPACE, ...(namespaces ?? [])])) {
    const path = COLLECTIONS[kind].replace(/\/([a-z]+)$/, `/namespaces/${namespace}/$1`)
    found.push(...itemsOf(await get(cluster, `${path}${query}`, cancel)).map((item) => withKind(item, kind)))
  }
  return found
}

async function dropLease(cluster: Cluster, cancel: Cancellable): Promise<readonly string[]> {
  const path = `/apis/coordination.k8s.io/v1/namespaces/${AGENT_NAMESPACE}/leases/agent`
  if ((await get(cluster, path, cancel)) === undefined) return []
  await cluster.send({ method: 'DELETE', path }, cancel)
  return ['Lease plumbline/agent']
}

/** The namespace where an installation made it; in one that somebody else made, what Plumbline wrote there. */
async function dropNamespace(cluster: Cluster, cancel: Cancellable): Promise<readonly string[]> {
  const path = `/api/v1/namespaces/${AGENT_NAMESPACE}`
  const found = await get(cluster, path, cancel)
  if (found === undefined) return []
  const labels = field(field(found, 'metadata'), 'labels') ?? {}
  if (Object.entries(AGENT_LABELS).every(([key, value]) => labels[key] === value)) {
    await cluster.send({ method: 'DELETE', path }, cancel)
    return [`Namespace ${AGENT_NAMESPACE}`]
  }
  return dropMaps(cluster, ROLE_LABEL, cancel)
}

async function dropMaps(cluster: Cluster, label: string, cancel: Cancellable): Promise<readonly string[]> {
  const maps = `/api/v1/namespaces/${AGENT_NAMESPACE}/configmaps`
  const list = itemsOf(await get(cluster, `${maps}?labelSelector=${encodeURIComponent(label)}`, cancel))
  for (const item of list)
    await cluster.send({ method: 'DELETE', path: `${maps}/${encodeURIComponent(nameIn(item))}` }, cancel)
  return list.map((item) => `ConfigMap ${AGENT_NAMESPACE}/${nameIn(item)}`)
}

async function needNamespaces(cluster: Cluster, namespaces: readonly string[], cancel: Cancellable): Promise<void> {
  for (const name of [AGENT_NAMESPACE, ...namespaces]) {
    if ((await get(cluster, `/api/v1/namespaces/${name}`, cancel)) !== undefined) continue
    const next = `kubectl create namespace ${name}: an agent without cluster scope cannot make it`
    throw new ClustersError('not-found', `there is no namespace ${name}`, next)
  }
}

/** Why pods of it do not run: the Deployment's own conditions, and what its containers wait for. */
async function problemsOf(
  cluster: Cluster,
  status: JsonObject | undefined,
  cancel: Cancellable,
): Promise<readonly string[]> {
  const conditions = isArray(status?.['conditions']) ? status['conditions'].filter(isObject) : []
  const failing = conditions.filter((one) => text(one['type']) === 'ReplicaFailure' || text(one['status']) === 'False')
  const pods = `/api/v1/namespaces/${AGENT_NAMESPACE}/pods?labelSelector=${encodeURIComponent(AGENT_SELECTOR)}`
  const waiting = itemsOf(await get(cluster, pods, cancel)).flatMap((pod) => {
    const containers = field(pod, 'status')?.['containerStatuses']
    return (isArray(containers) ? containers.filter(isObject) : []).flatMap((container) => {
      const state = field(field(container, 'state'), 'waiting')
      return state === undefined ? [] : [`${nameIn(pod)}: ${text(state['reason'])} ${text(state['message'])}`.trim()]
    })
  })
  return [...failing.map((one) => `${text(one['reason'])}: ${text(one['message'])}`), ...waiting]
}

async function get(cluster: Cluster, path: string, cancel: Cancellable): Promise<Json | undefined> {
  try {
    return parseJson(await cluster.send({ method: 'GET', path }, cancel))
  } catch (error) {
    if (ClusterError.is(error, 'not-found')) return undefined
    throw error
  }
}

function pathOf(object: KubeObject): string {
  const collection = PLURALS[object.kind] ?? ''
  const { name, namespace } = object.metadata
  const plural = namespace === undefined ? collection : collection.replace(/\/([a-z]+)$/, `/namespaces/${namespace}/$1`)
  return `${plural}/${encodeURIComponent(name)}`
}

/** Items of a list carry no kind of their own. */
function withKind(item: JsonObject, kind: string): KubeObject {
  const path = COLLECTIONS[kind as Collection]
  const apiVersion = path.startsWith('/api/') ? 'v1' : (/^\/apis\/([^/]+\/[^/]+)\//.exec(path)?.[1] ?? '')
  return { ...item, apiVersion, kind } as unknown as KubeObject
}

function nameOf(object: KubeObject): string {
  const { name, namespace } = object.metadata
  return `${object.kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`
}

function imageOf(spec: JsonObject | undefined): string {
  const containers = field(field(spec, 'template'), 'spec')?.['containers']
  const [first] = isArray(containers) ? containers.filter(isObject) : []
  return text(first?.['image'])
}

function itemsOf(list: Json | undefined): readonly JsonObject[] {
  const items = isObject(list) ? list['items'] : undefined
  return isArray(items) ? items.filter(isObject) : []
}

function nameIn(object: JsonObject): string {
  return text(field(object, 'metadata')?.['name'])
}

function field(value: Json | undefined, key: string): JsonObject | undefined {
  const found = isObject(value) ? value[key] : undefined
  return isObject(found) ? found : undefined
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}

function numberOf(value: Json | undefined): number {
  return typeof value === 'number' ? value : 0
}
