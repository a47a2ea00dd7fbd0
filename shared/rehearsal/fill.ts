import type { Cluster } from '../kube/cluster.ts'
import { ClusterError } from '../kube/cluster-error.ts'
import { collectionPath, objectPath } from '../kube/resource-path.ts'
import { isCancelled } from '../base/abort.ts'
import { isArray, isObject, parseJson, valueAt, type Json, type JsonObject } from '../model/json.ts'
import {
  apiVersionOf,
  groupKindKey,
  gvkOf,
  idOf,
  isKubeObject,
  resourceKey,
  type GroupVersionKind,
  type KubeObject,
  type ResourceId,
} from '../model/kubernetes.ts'
import type { Cancellable, KindFacts } from '../model/ports.ts'
import { STORE_NAMESPACE } from '../store/cluster-store.ts'
import { ROLE_LABEL } from '../store/read-records.ts'
import { CLUSTER_KINDS, HELD_KINDS, listAt, NAMESPACE_KINDS, referencesOf } from './fill-scope.ts'
import type { Placeholders } from './placeholders.ts'
import type { Gap } from './recording.ts'

/** What a rehearsal of one application has to see. */
export type FillScope = {
  /** Kinds of what is wanted, of its hooks, and of what was applied before. */
  readonly kinds: readonly GroupVersionKind[]
  readonly namespaces: ReadonlySet<string>
  /** What is wanted, for what its pods refer to. */
  readonly wanted: readonly { readonly id: ResourceId; readonly object: KubeObject }[]
  /** What the sync deletes: what goes with it has to be seen too. */
  readonly doomed: readonly ResourceId[]
}

export type Filled = { readonly objects: readonly KubeObject[]; readonly gaps: readonly Gap[] }

/** What Argo CD is told of health and of what to ignore. */
const SETTINGS = {
  gvk: { group: '', version: 'v1', kind: 'ConfigMap' },
  id: { group: '', kind: 'ConfigMap', namespace: 'argocd', name: 'argocd-cm' },
}
const PAGE = 500
/** A ReplicaSet's Deployment, and its owner's owner: longer chains are rare. */
const MOST_OWNERS = 4

/**
 * Reads what a sync touches, depends on and owns; nothing is written, and no Secret's value is kept. What may not be read, or
 * is gone when it is, is a gap.
 * @throws ClusterError where the server does not answer
 */
export async function readCluster(
  cluster: Cluster,
  scope: FillScope,
  placeholders: Placeholders,
  options: Cancellable,
): Promise<Filled> {
  const fill = new Fill(cluster, placeholders, options)
  const own = scope.kinds.filter(({ kind }) => kind !== 'CustomResourceDefinition')
  const kinds = distinct([...CLUSTER_KINDS, ...own, ...NAMESPACE_KINDS])
  await Promise.all([
    ...kinds.map(async (gvk) => fill.list(gvk, scope.namespaces)),
    ...scope.kinds.map(async (gvk) => fill.definition(gvk)),
    ...scope.doomed.map(async (id) => fill.doomed(id)),
    fill.records(),
    fill.one(SETTINGS.gvk, SETTINGS.id),
  ])
  await fill.counted()
  await Promise.all([
    ...scope.wanted.map(async ({ id, object }) => fill.wanted(id, object)),
    ...[...fill.objects.values()].flatMap((object) =>
      referencesOf(object, object.metadata.namespace ?? '').map(async ({ gvk, id }) => fill.one(gvk, id)),
    ),
  ])
  for (let round = 0; round < MOST_OWNERS && (await fill.owners()); round++);
  return { objects: [...fill.objects.values()], gaps: fill.gaps }
}

class Fill {
  readonly objects = new Map<string, KubeObject>()
  readonly gaps: Gap[] = []
  readonly #cluster: Cluster
  readonly #placeholders: Placeholders
  readonly #options: Cancellable
  readonly #asked = new Set<string>()

  constructor(cluster: Cluster, placeholders: Placeholders, options: Cancellable) {
    this.#cluster = cluster
    this.#placeholders = placeholders
    this.#options = options
  }

  async list(gvk: GroupVersionKind, namespaces: ReadonlySet<string>): Promise<void> {
    const facts = await this.#kind(gvk)
    if (facts === undefined) return
    const places = facts.namespaced ? [...namespaces] : ['']
    await Promise.all(
      places.map(async (namespace) => {
        const what = `${facts.resource}${namespace === '' ? '' : ` in ${namespace}`}`
        await this.#reading(what, async () => this.#pages(facts, collectionPath(servedOf(facts), namespace)))
      }),
    )
  }

  /** The definition of a custom kind, which is named after it. */
  async definition(gvk: GroupVersionKind): Promise<void> {
    if (!gvk.group.includes('.') || gvk.group.endsWith('.k8s.io')) return
    const facts = await this.#kind(gvk)
    if (facts !== undefined) await this.#definitionNamed(`${facts.resource}.${gvk.group}`)
  }

  /** A wanted object's definition, and what its pods refer to. */
  async wanted(id: ResourceId, object: KubeObject): Promise<void> {
    if (id.kind === 'CustomResourceDefinition') await this.#definitionNamed(id.name)
    await Promise.all(referencesOf(object, id.namespace).map(async (one) => this.one(one.gvk, one.id)))
  }

  /** A namespace takes along what is in it, a definition all objects of its kind. */
  async doomed(id: ResourceId): Promise<void> {
    if (id.group === '' && id.kind === 'Namespace') {
      const held = [...NAMESPACE_KINDS, ...HELD_KINDS].map(async (gvk) => this.list(gvk, new Set([id.name])))
      await Promise.all(held)
    }
    if (id.kind !== 'CustomResourceDefinition') return
    await this.#definitionNamed(id.name)
    const gvk = definedBy(this.objects.get(resourceKey(id)))
    const facts = gvk === undefined ? undefined : await this.#kind(gvk)
    if (facts === undefined) return
    await this.#reading(facts.resource, async () => this.#pages(facts, collectionPath(servedOf(facts), '')))
  }

  /** What a quota counts has to be there to be counted. */
  async counted(): Promise<void> {
    const quotas = [...this.objects.values()].filter(({ kind }) => kind === 'ResourceQuota')
    const namespaces = new Set(quotas.map(({ metadata }) => metadata.namespace ?? ''))
    await Promise.all(HELD_KINDS.map(async (gvk) => this.list(gvk, namespaces)))
  }

  async records(): Promise<void> {
    const facts = await this.#kind({ group: '', version: 'v1', kind: 'ConfigMap' })
    if (facts === undefined) return
    const path = `${collectionPath(servedOf(facts), STORE_NAMESPACE)}?labelSelector=${encodeURIComponent(ROLE_LABEL)}`
    await this.#reading('what earlier syncs have recorded', async () => this.#pages(facts, path))
  }

  async one(gvk: GroupVersionKind, id: ResourceId): Promise<void> {
    const key = resourceKey(id)
    if (this.objects.has(key) || this.#asked.has(key)) return
    this.#asked.add(key)
    const facts = await this.#kind(gvk)
    if (facts === undefined || (facts.namespaced && id.namespace === '')) return
    await this.#reading(`${id.kind} ${id.name}`, async () => {
      const found = parseJson(await this.#cluster.raw(objectPath(servedOf(facts), id), this.#options))
      if (isKubeObject(found)) this.#keep(found)
    })
  }

  /** Owners of what is there: without them it would count as left behind. @returns whether any was found */
  async owners(): Promise<boolean> {
    const before = this.objects.size
    const uids = new Set([...this.objects.values()].map(({ metadata }) => metadata.uid))
    const missing = [...this.objects.values()].flatMap((object) =>
      (object.metadata.ownerReferences ?? [])
        .filter(({ uid }) => !uids.has(uid))
        .map(async (owner) => {
          const gvk = gvkOf(owner)
          const facts = await this.#kind(gvk)
          const namespace = facts?.namespaced === true ? (object.metadata.namespace ?? '') : ''
          await this.definition(gvk)
          await this.one(gvk, { group: gvk.group, kind: gvk.kind, namespace, name: owner.name })
        }),
    )
    await Promise.all(missing)
    return this.objects.size > before
  }

  async #definitionNamed(name: string): Promise<void> {
    const kind = 'CustomResourceDefinition'
    const group = 'apiextensions.k8s.io'
    await this.one({ group, version: 'v1', kind }, { group, kind, namespace: '', name })
  }

  async #pages(facts: KindFacts, path: string): Promise<void> {
    const apiVersion = apiVersionOf(facts.gvk)
    let next = ''
    do {
      const query = `${path.includes('?') ? '&' : '?'}limit=${PAGE}${next === '' ? '' : `&continue=${encodeURIComponent(next)}`}`
      const page = parseJson(await this.#cluster.raw(path + query, this.#options))
      for (const item of itemsOf(page))
        this.#keep({ ...item, apiVersion, kind: facts.gvk.kind } as unknown as KubeObject)
      next = continueOf(page)
    } while (next !== '')
  }

  #keep(object: KubeObject): void {
    this.objects.set(resourceKey(idOf(object)), this.#placeholders.of(object))
  }

  async #kind(gvk: GroupVersionKind): Promise<KindFacts | undefined> {
    return this.#cluster.kind(gvk, this.#options)
  }

  /** What is not there is no gap; what may not be seen is. */
  async #reading(what: string, read: () => Promise<void>): Promise<void> {
    try {
      await read()
    } catch (error) {
      if (isCancelled(error) || !ClusterError.is(error)) throw error
      if (error.reason === 'not-found') return
      if (error.reason !== 'forbidden' && error.reason !== 'gone') throw error
      this.gaps.push({ what, reason: error.message })
    }
  }
}

/** The kind that a definition brings, in a version that is served. */
function definedBy(definition: KubeObject | undefined): GroupVersionKind | undefined {
  const group = valueAt(definition, ['spec', 'group'])
  const kind = valueAt(definition, ['spec', 'names', 'kind'])
  const version = listAt(valueAt(definition, ['spec']), 'versions').find((one) => valueAt(one, ['served']) === true)
  const name = valueAt(version, ['name'])
  return typeof group === 'string' && typeof kind === 'string' && typeof name === 'string'
    ? { group, version: name, kind }
    : undefined
}

function servedOf({ gvk, resource, namespaced, verbs }: KindFacts): Parameters<typeof collectionPath>[0] {
  return { ...gvk, resource, namespaced, verbs }
}

function distinct(kinds: readonly GroupVersionKind[]): readonly GroupVersionKind[] {
  const found = new Map<string, GroupVersionKind>()
  for (const gvk of kinds) if (!found.has(groupKindKey(gvk))) found.set(groupKindKey(gvk), gvk)
  return [...found.values()]
}

function itemsOf(list: Json): readonly JsonObject[] {
  const items = isObject(list) ? list['items'] : undefined
  return isArray(items) ? items.filter(isObject) : []
}

function continueOf(list: Json): string {
  const metadata = isObject(list) ? list['metadata'] : undefined
  const token = isObject(metadata) ? metadata['continue'] : undefined
  return typeof token === 'string' ? token : ''
}
