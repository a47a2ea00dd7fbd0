import { CancelledError } from '../base/abort.ts'
import { abortable } from '../base/abort.ts'
import { parseJson } from '../model/json.ts'
import type { Json } from '../model/json.ts'
import type { GroupKind, GroupVersionKind } from '../model/kubernetes.ts'
import type { Cancellable } from '../model/ports.ts'
import type { Answer } from './answer-error.ts'
import { ClusterError } from './cluster-error.ts'
import { parseAggregated, parseCoreVersions, parseGroupList, parseResourceList } from './discovery-parse.ts'
import type { ServedVersion } from './discovery-parse.ts'
import { groupVersionPath } from './resource-path.ts'
import type { ServedResource } from './resource-path.ts'
import type { Transport } from './transport.ts'

/** Everything that a server serves. */
export type Catalogue = {
  readonly versions: readonly ServedVersion[]
  readonly byKind: ReadonlyMap<string, ServedResource>
  /** In the group's order of preference. */
  readonly byGroupKind: ReadonlyMap<string, readonly ServedResource[]>
}

const aggregated = ['v2', 'v2beta1']
  .map((version) => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`)
  .concat('application/json')
  .join(',')

/** A kind that is not known is asked for again, but not more often than this. */
const refreshPauseMs = 250

/** What the server serves: asked once, and again when somebody wants a kind that is not known. */
export class Discovery {
  private readonly transport: Transport
  private readonly answers = new Map<string, { readonly etag: string; readonly versions: readonly ServedVersion[] }>()
  private catalogue: Promise<Catalogue> | undefined
  private askedAt = 0

  constructor(transport: Transport) {
    this.transport = transport
  }

  /** @throws ClusterError */
  async all({ signal }: Cancellable): Promise<Catalogue> {
    this.catalogue ??= this.ask()
    return abortable(this.catalogue, { signal })
  }

  /**
   * Undefined where the server has no such kind.
   * @throws ClusterError `server-error` where the group's own server does not answer, so that nobody can know
   */
  async kind(gvk: GroupVersionKind, options: Cancellable): Promise<ServedResource | undefined> {
    const key = kindKey(gvk)
    const known = (await this.all(options)).byKind.get(key)
    if (known !== undefined) return known
    const fresh = await this.refreshed(options)
    return fresh.byKind.get(key) ?? unknown(fresh, gvk.group, gvk.version)
  }

  async preferred(kind: GroupKind, options: Cancellable): Promise<ServedResource | undefined> {
    const key = groupKind(kind)
    const known = (await this.all(options)).byGroupKind.get(key)?.[0]
    if (known !== undefined) return known
    const fresh = await this.refreshed(options)
    return fresh.byGroupKind.get(key)?.[0] ?? unknown(fresh, kind.group)
  }

  /** Forgets; the next question asks the server. */
  invalidate(): void {
    this.catalogue = undefined
  }

  private async refreshed(options: Cancellable): Promise<Catalogue> {
    if (Date.now() - this.askedAt >= refreshPauseMs) this.invalidate()
    return this.all(options)
  }

  private ask(): Promise<Catalogue> {
    const asking = this.fetch().then((versions) => {
      this.askedAt = Date.now()
      return catalogueOf(versions)
    })
    // A failure is not remembered.
    asking.catch(() => {
      if (this.catalogue === asking) this.catalogue = undefined
    })
    return asking
  }

  private async fetch(): Promise<readonly ServedVersion[]> {
    const [core, groups] = await Promise.all([this.root('/api'), this.root('/apis')])
    return [...core, ...groups]
  }

  private async root(path: '/api' | '/apis'): Promise<readonly ServedVersion[]> {
    const before = this.answers.get(path)
    const answer = await this.get(path, aggregated, before?.etag)
    if (answer.status === 304 && before !== undefined) return before.versions
    const type = answer.headers['content-type']
    if (typeof type === 'string' && type.includes('as=APIGroupDiscoveryList')) {
      const versions = parseAggregated(document(answer, path))
      const { etag } = answer.headers
      if (typeof etag === 'string') this.answers.set(path, { etag, versions })
      return versions
    }
    return this.plain(path, document(answer, path))
  }

  /** One question for each version, for servers that do not aggregate; one that fails hides itself alone. */
  private async plain(path: '/api' | '/apis', root: Json): Promise<readonly ServedVersion[]> {
    const versions = path === '/api' ? parseCoreVersions(root) : parseGroupList(root)
    return Promise.all(
      versions.map(async ({ group, version }) => {
        const place = groupVersionPath(group, version)
        try {
          const answer = await this.get(place, 'application/json', undefined)
          return { group, version, resources: parseResourceList(document(answer, place), group, version), stale: false }
        } catch (error) {
          if (error instanceof CancelledError) throw error
          return { group, version, resources: [], stale: true }
        }
      }),
    )
  }

  private get(path: string, accept: string, ifNoneMatch: string | undefined): Promise<Answer> {
    const target = { verb: `discover ${path}` }
    // Shared by all who wait, so no single caller's signal ends it.
    return this.transport.send({ method: 'GET', path, accept, ifNoneMatch, target, repeatable: true }, {})
  }
}

function catalogueOf(versions: readonly ServedVersion[]): Catalogue {
  const byKind = new Map<string, ServedResource>()
  const byGroupKind = new Map<string, ServedResource[]>()
  for (const served of versions.flatMap((version) => version.resources)) {
    const key = kindKey(served)
    const other = byKind.get(key)
    // Two resources may answer with one kind (an alias for reading); the one that can be listed is the kind's own.
    if (other !== undefined && (other.verbs.includes('list') || !served.verbs.includes('list'))) continue
    byKind.set(key, served)
  }
  for (const served of byKind.values()) {
    const key = groupKind(served)
    const list = byGroupKind.get(key)
    if (list === undefined) byGroupKind.set(key, [served])
    else list.push(served)
  }
  return { versions, byKind, byGroupKind }
}

/** @throws ClusterError where the absence proves nothing */
function unknown(catalogue: Catalogue, group: string, version?: string): undefined {
  const silent = catalogue.versions.find(
    (served) => served.stale && served.group === group && (version === undefined || served.version === version),
  )
  if (silent === undefined) return undefined
  const name = `${group === '' ? '' : `${group}/`}${silent.version}`
  throw new ClusterError('server-error', `the server behind the API ${name} does not answer (see its APIService)`)
}

function document(answer: Answer, path: string): Json {
  try {
    return parseJson(answer.text)
  } catch (error) {
    const message = `the server's answer to ${path} is not JSON: is it a Kubernetes API server?`
    throw new ClusterError('bad-answer', message, { cause: error, status: answer.status })
  }
}

function kindKey(gvk: GroupVersionKind): string {
  return `${gvk.group}|${gvk.version}|${gvk.kind}`
}

function groupKind(kind: GroupKind): string {
  return `${kind.group}|${kind.kind}`
}
