import type { Clock } from '../clock.ts'
import { rfc3339 } from '../clock.ts'
import type { StrategyContext } from '../kinds/strategy.ts'
import type { KubeObject } from '../object.ts'
import type { Store } from '../storage/store.ts'
import type { ApiRequest, UserInfo } from './api-types.ts'
import type { Wanted } from './negotiate.ts'
import type { ResourceRegistry } from './registry.ts'
import type { ResourceTarget } from './request-info.ts'
import type { ResourceType } from './resource-type.ts'

/** One write as admission sees it. `next` may be changed. */
export interface AdmissionRequest {
  readonly operation: 'create' | 'update' | 'delete'
  readonly type: ResourceType
  readonly subresource: string
  readonly namespace: string
  readonly name: string
  readonly next: KubeObject | undefined
  readonly live: KubeObject | undefined
  readonly user: UserInfo
  readonly context: StrategyContext
}

/** Throws StatusError to refuse. */
export type Admission = (request: AdmissionRequest) => void

/** What every endpoint works with. */
export interface ServerContext {
  readonly store: Store
  readonly registry: ResourceRegistry
  readonly clock: Clock
  /** Changes what is about to be stored, before the kind prepares and checks it. */
  readonly admit: Admission
  /** The last word, after the kind's own checks. */
  readonly admitValid: Admission
  /** Whether pods run as service accounts, as they do where controllers make the accounts. */
  readonly serviceAccounts: boolean
  /** What a pod's simulated container printed. */
  readonly podLog: (pod: KubeObject, container: string, query: URLSearchParams) => string
  /** A bearer token that this server takes as the service account until `expiresMs`. */
  readonly issueToken: (account: KubeObject, expiresMs: number) => string
  readonly authorize: (user: UserInfo, attributes: AccessAttributes) => AccessDecision
}

/** What someone wants to do, as authorization sees it. */
export interface AccessAttributes {
  readonly verb: string
  readonly group: string
  readonly version: string
  readonly resource: string
  readonly subresource: string
  readonly namespace: string
  readonly name: string
  /** Set for paths that are no resources. */
  readonly path?: string
}

export interface AccessDecision {
  readonly allowed: boolean
  readonly reason: string
}

/** A request for a served resource, read as far as its path, query and headers go. */
export interface ResourceRequest {
  readonly request: ApiRequest
  readonly target: ResourceTarget
  readonly type: ResourceType
  readonly query: URLSearchParams
  readonly user: UserInfo
  readonly wanted: Wanted
  /** Texts for Warning headers, gathered on the way. */
  readonly warnings: string[]
}

export function strategyContext(server: ServerContext, user: UserInfo, dryRun: boolean): StrategyContext {
  return {
    now: rfc3339(server.clock.now()),
    dryRun,
    user: user.name,
    groups: user.groups,
    ...(user.uid === undefined ? {} : { userUid: user.uid }),
    serviceAccounts: server.serviceAccounts,
    uid: () => crypto.randomUUID(),
    random: (below) => Math.floor(Math.random() * below),
    lookup(resource, namespace, name) {
      return server.store.get(resourceKeyOf(resource), namespace, name)
    },
    list(resource, namespace) {
      return server.store.list(resourceKeyOf(resource), namespace)
    },
  }
}

/** `deployments.apps` to its parts; a name without a dot is of the core group. */
function resourceKeyOf(name: string): { readonly group: string; readonly resource: string } {
  const dot = name.indexOf('.')
  return dot < 0 ? { group: '', resource: name } : { group: name.slice(dot + 1), resource: name.slice(0, dot) }
}
