import { realClock } from './clock.ts'
import type { Clock } from './clock.ts'
import { Definitions } from './crd/definitions.ts'
import { StatusError, forbidden, internalError } from './errors.ts'
import type { ApiRequest, ApiResponse, UserInfo } from './endpoints/api-types.ts'
import { textResponse } from './endpoints/api-types.ts'
import { TokenAuthenticator, adminUser } from './endpoints/authenticate.ts'
import { builtInTypes } from './endpoints/built-in-types.ts'
import { discoveryResponse, isBuiltInGroup } from './endpoints/discovery.ts'
import { dispatch, notFoundPath, verbOf } from './endpoints/dispatch.ts'
import { negotiate } from './endpoints/negotiate.ts'
import { OpenApi } from './endpoints/openapi.ts'
import { confirmApproval, confirmNoEscalation } from './endpoints/escalation.ts'
import { authorizeByRoles } from './endpoints/rbac.ts'
import { decodePath, parseQuery } from './endpoints/query.ts'
import { ResourceRegistry } from './endpoints/registry.ts'
import { parseTarget } from './endpoints/request-info.ts'
import type { ResourceTarget } from './endpoints/request-info.ts'
import { encoded, resourceTransforms } from './endpoints/respond.ts'
import type {
  AccessAttributes,
  AccessDecision,
  AdmissionRequest,
  ResourceRequest,
  ServerContext,
} from './endpoints/server-context.ts'
import { admit, admitValid } from './admission/admit.ts'
import { MemoryStore } from './storage/memory-store.ts'

export interface ApiServerOptions {
  readonly store?: MemoryStore
  readonly clock?: Clock
  /** Bearer tokens and who holds them. */
  readonly tokens?: Readonly<Record<string, UserInfo>>
  /** Ask the stored roles and bindings who may do what; otherwise everybody who is known may do everything. */
  readonly rbac?: boolean
  /** Pods run as service accounts, which something must make (the controllers do). */
  readonly serviceAccounts?: boolean
  /** Told of errors that no client caused. */
  readonly onError?: (error: unknown) => void
}

/** The API server without sockets: one function from request to answer, over a store in memory. */
export class ApiServer {
  readonly store: MemoryStore
  readonly clock: Clock
  readonly registry: ResourceRegistry
  /** What the stored CustomResourceDefinitions add to the registry. */
  readonly definitions: Definitions
  readonly #openApi: OpenApi
  readonly #context: ServerContext
  readonly #tokens: TokenAuthenticator
  readonly #rbac: boolean
  readonly #onError: (error: unknown) => void

  constructor(options: ApiServerOptions = {}) {
    this.store = options.store ?? new MemoryStore()
    this.clock = options.clock ?? realClock
    this.#rbac = options.rbac ?? false
    this.#onError = options.onError ?? (() => undefined)
    this.#tokens = new TokenAuthenticator(options.tokens ?? {}, () => this.clock.now())
    this.registry = new ResourceRegistry(builtInTypes())
    this.#openApi = new OpenApi(this.registry)
    this.definitions = new Definitions({ store: this.store, registry: this.registry, clock: this.clock })
    this.#context = {
      store: this.store,
      registry: this.registry,
      clock: this.clock,
      admit: (admission) => {
        admit(pluginRequest(admission))
        if (this.#rbac) confirmNoEscalation(this.#context, admission)
      },
      admitValid: (admission) => {
        admitValid(pluginRequest(admission))
        confirmApproval(this.#context, admission)
      },
      serviceAccounts: options.serviceAccounts ?? false,
      podLog: (pod) => pod.metadata.annotations?.['simulator.plumbline.dev/log'] ?? '',
      issueToken: (account, expiresMs) => this.#tokens.issue(account, expiresMs),
      authorize: (user, attributes) => this.#authorize(user, attributes),
    }
  }

  /** Answers one request. Never throws: what goes wrong becomes a Status. */
  handle(request: ApiRequest): ApiResponse {
    try {
      return this.#route(request)
    } catch (error) {
      if (StatusError.is(error)) return errorResponse(error)
      this.#onError(error)
      return errorResponse(internalError(error instanceof Error ? error.message : 'unknown error'))
    }
  }

  #route(request: ApiRequest): ApiResponse {
    const mark = request.path.indexOf('?')
    const pathname = decodePath(mark < 0 ? request.path : request.path.slice(0, mark))
    if (pathname === undefined) return textResponse(400, '400 Bad Request')
    const query = parseQuery(mark < 0 ? '' : request.path.slice(mark + 1))
    const target = parseTarget(pathname)
    if (target.kind === 'incomplete') return textResponse(500, incompleteText(pathname))
    const open = target.kind === 'path' ? publicResponse(pathname) : undefined
    if (open !== undefined) return open
    const user = this.#tokens.authenticate(request)
    if (target.kind === 'resource') {
      const type = this.registry.find(target.group, target.version, target.resource)
      if (type !== undefined) return this.#answer(request, target, query, user)
    }
    this.#allowPath(user, request.method, pathname)
    const document = this.#openApi.respond(pathname, request) ?? discoveryResponse(this.registry, pathname, request)
    if (document !== undefined) return document
    if (isBuiltInGroup(pathname) && !pathname.startsWith('//')) throw notFoundPath()
    return textResponse(404, '404 page not found\n')
  }

  #answer(request: ApiRequest, target: ResourceTarget, query: URLSearchParams, user: UserInfo): ApiResponse {
    const type = this.registry.find(target.group, target.version, target.resource)
    if (type === undefined) throw notFoundPath()
    const verb = verbOf(request.method, target, query)
    const { group, version, resource, subresource, namespace, name } = target
    const home = resource === 'namespaces' && group === '' ? name : namespace
    const attributes = { verb, group, version, resource, subresource, namespace: home, name }
    const { allowed, reason } = this.#authorize(user, attributes)
    if (!allowed) throw denied(user, attributes, reason)
    const route = { custom: type.custom, streams: name === '' }
    // A version of a custom resource is told to be old whatever the answer.
    const warnings = type.custom && type.deprecation !== undefined ? [type.deprecation] : []
    let wanted = plainly.wanted
    try {
      wanted = negotiate(request.headers?.['accept'], resourceTransforms, route)
      const rr = { request, target, type, query, user, wanted, warnings }
      return dispatch(this.#context, rr, verb, (token) => this.#tokens.lookup(token))
    } catch (error) {
      if (!StatusError.is(error)) throw error
      // A form that no client may ask for is refused by what the route leads to, a format by the route.
      if (error.code === 406 && !type.custom && type.deprecation !== undefined && !error.message.startsWith('406: '))
        warnings.push(type.deprecation)
      return errorResponse(error, { wanted, warnings })
    }
  }

  #authorize(user: UserInfo, attributes: AccessAttributes): AccessDecision {
    if (!this.#rbac) return { allowed: true, reason: '' }
    return authorizeByRoles(this.store, user, attributes)
  }

  #allowPath(user: UserInfo, method: string, path: string): void {
    const verb = method === 'GET' || method === 'HEAD' ? 'get' : method.toLowerCase()
    const none = { group: '', version: '', resource: '', subresource: '', namespace: '', name: '' }
    // What discovery needs is open to everyone who is known (system:discovery).
    if (verb === 'get' && /^\/(?:api|apis|openapi|version)(?:\/|$)/u.test(path)) return
    if (this.#authorize(user, { verb, ...none, path }).allowed) return
    throw new StatusError(403, 'Forbidden', `forbidden: User "${user.name}" cannot ${verb} path "${path}"`, {
      details: {},
    })
  }
}

function pluginRequest({ type, ...rest }: AdmissionRequest): Parameters<typeof admit>[0] {
  const { operation, subresource, namespace, name, next, live, context } = rest
  return { operation, group: type.group, resource: type.resource, subresource, namespace, name, next, live, context }
}

/** What a client may see without proving who it is. */
function publicResponse(pathname: string): ApiResponse | undefined {
  return /^\/(?:healthz|livez|readyz)(?:\/(?:ping|log|etcd))?$/u.test(pathname) ? textResponse(200, 'ok') : undefined
}

function incompleteText(path: string): string {
  const problem = `unable to determine kind and namespace from url, ${path}`
  return `Internal Server Error: "${path}": failed to create RequestInfo: ${problem}\n`
}

/** In the words of kube-apiserver (`responsewriters.ForbiddenStatusError`). */
function denied(
  user: UserInfo,
  { verb, group, resource, subresource, namespace, name }: AccessAttributes,
  reason: string,
): StatusError {
  const what = subresource === '' ? resource : `${resource}/${subresource}`
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace "${namespace}"`
  const text = `User "${user.name}" cannot ${verb} resource "${what}" in API group "${group}" ${where}`
  return forbidden({ group, name: resource }, name, reason === '' ? text : `${text}: ${reason}`)
}

const plainly: Pick<ResourceRequest, 'wanted' | 'warnings'> = {
  wanted: { format: 'json', pretty: false },
  warnings: [],
}

function errorResponse(error: StatusError, { wanted, warnings } = plainly): ApiResponse {
  const retry = error.details?.retryAfterSeconds
  const answer = encoded({ wanted, warnings }, error.code, error.toStatus())
  return retry === undefined ? answer : { ...answer, headers: { ...answer.headers, 'retry-after': String(retry) } }
}

/** Who the server's own parts act as. */
export const systemUser: UserInfo = { name: 'system:apiserver', groups: ['system:masters'] }

export { adminUser }
export type { ApiRequest, ApiResponse }
