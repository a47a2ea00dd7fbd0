import { forbidden, notFound, StatusError } from '../errors.ts'
import { goQuote } from '../kinds/field-error.ts'
import { isObject, sameJson, textAt } from '../object.ts'
import type { JsonObject, KubeObject } from '../object.ts'
import type { Store } from '../storage/store.ts'
import type { UserInfo } from './api-types.ts'
import { aggregate, isSuperuser, referencedRules, rightsOf, strings } from './rbac.ts'
import type { AccessAttributes, AdmissionRequest, ServerContext } from './server-context.ts'

const group = 'rbac.authorization.k8s.io'
const everything: readonly JsonObject[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
]

type Server = Pick<ServerContext, 'store' | 'authorize'>

/**
 * Nobody may grant by a role or a binding what they may not do themselves, unless they may `escalate` or `bind`
 * (`pkg/registry/rbac/.../policybased`). @throws StatusError 403
 */
export function confirmNoEscalation(
  server: Server,
  { type, user, namespace, name, next, live }: AdmissionRequest,
): void {
  if (type.group !== group || next === undefined || isSuperuser(user) || onlyHousekeeping(next, live)) return
  const asked = { group, version: '*', subresource: '', namespace }
  if (type.resource === 'roles' || type.resource === 'clusterroles') {
    const escalate = { ...asked, verb: 'escalate', resource: type.resource, name }
    if (!server.authorize(user, escalate).allowed) confirmRole(server, user, escalate, next, live)
  } else if (type.resource === 'rolebindings' || type.resource === 'clusterrolebindings') {
    const reference = isObject(next['roleRef']) ? next['roleRef'] : {}
    const resource = reference['kind'] === 'ClusterRole' ? 'clusterroles' : 'roles'
    const bind = { ...asked, verb: 'bind', resource, name: textAt(reference, 'name') }
    if (!server.authorize(user, bind).allowed) confirmBinding(server, user, type.resource, bind, reference, next)
  }
}

/** Who approves a request must be allowed to for its signer (CertificateApproval). @throws StatusError 403 */
export function confirmApproval(server: Server, { type, subresource, user, name, live }: AdmissionRequest): void {
  if (type.resource !== 'certificatesigningrequests' || subresource !== 'approval' || live === undefined) return
  const signer = textAt(live, 'spec', 'signerName')
  const asked = {
    verb: 'approve',
    group: type.group,
    version: '*',
    resource: 'signers',
    subresource: '',
    namespace: '',
  }
  const names = [signer, `${signer.split('/')[0] ?? ''}/*`]
  if (names.some((one) => server.authorize(user, { ...asked, name: one }).allowed)) return
  const problem = `user not permitted to approve requests with signerName ${goQuote(signer)}`
  throw forbidden({ group: type.group, name: type.resource }, name, problem)
}

/** What the garbage collector changes is nobody's grant. */
function onlyHousekeeping(next: KubeObject, live: KubeObject | undefined): boolean {
  if (live === undefined) return false
  const { ownerReferences: _o, finalizers: _f, managedFields: _m, ...rest } = next.metadata
  const { ownerReferences: _lo, finalizers: _lf, managedFields: _lm, ...liveRest } = live.metadata
  return sameJson({ ...next, metadata: rest }, { ...live, metadata: liveRest })
}

function confirmRole(
  { store }: Server,
  user: UserInfo,
  { resource, namespace }: AccessAttributes,
  next: KubeObject,
  live: KubeObject | undefined,
): void {
  const role = { group, name: resource }
  const name = next.metadata.name ?? ''
  const missing = missingRights(store, user, namespace, rulesIn(next))
  if (missing !== undefined) throw forbidden(role, name, missing)
  if (!gathers(next) && !gathers(live)) return
  if (missingRights(store, user, namespace, everything) === undefined) return
  throw forbidden(role, name, 'must have cluster-admin privileges to use the aggregationRule')
}

function confirmBinding(
  { store }: Server,
  user: UserInfo,
  resource: string,
  { namespace, name }: AccessAttributes,
  reference: JsonObject,
  next: KubeObject,
): void {
  if (reference['kind'] !== 'ClusterRole' && reference['kind'] !== 'Role') {
    const problem = `unsupported role reference kind: ${goQuote(textAt(reference, 'kind'))}`
    throw new StatusError(500, '', problem)
  }
  const rules = referencedRules(store, reference, namespace)
  // Told of as if the binding itself were not there.
  if (typeof rules === 'string') throw notFound({ group, name: resource }, name)
  const missing = missingRights(store, user, namespace, rules)
  if (missing !== undefined) throw forbidden({ group, name: resource }, next.metadata.name ?? '', missing)
}

const rulesIn = (role: KubeObject): readonly JsonObject[] =>
  Array.isArray(role['rules']) ? role['rules'].filter(isObject) : []

function gathers(role: KubeObject | undefined): boolean {
  const rule = role?.['aggregationRule']
  return isObject(rule) && Array.isArray(rule['clusterRoleSelectors']) && rule['clusterRoleSelectors'].length > 0
}

/** Why the user may not grant the rules; undefined where the user has them all. */
function missingRights(
  store: Store,
  user: UserInfo,
  namespace: string,
  rules: readonly JsonObject[],
): string | undefined {
  const { grants, problems } = rightsOf(store, user, namespace)
  const missing = rules.flatMap(broken).filter((part) => !grants.some(({ rule }) => covers(rule, part)))
  if (missing.length === 0) return undefined
  const groups = user.groups.map(goQuote).join(' ')
  const lines = [...new Set(compacted(missing).map(described))].sort()
  const who = `user ${goQuote(user.name)} (groups=[${groups}])`
  const unresolved = problems.length === 0 ? '' : `; resolution errors: ${aggregate(problems)}`
  return `${who} is attempting to grant RBAC permissions not currently held:\n${lines.join('\n')}${unresolved}`
}

/** One verb on one thing. */
interface Part {
  readonly group?: string
  readonly resource?: string
  readonly name?: string
  readonly url?: string
  readonly verbs: readonly string[]
}

function broken(rule: JsonObject): Part[] {
  const verbs = strings(rule['verbs'])
  const names = strings(rule['resourceNames'])
  const parts = strings(rule['apiGroups']).flatMap((apiGroup) =>
    strings(rule['resources']).flatMap((resource) =>
      verbs.flatMap((verb): Part[] => {
        const part = { group: apiGroup, resource, verbs: [verb] }
        return names.length === 0 ? [part] : names.map((name) => ({ ...part, name }))
      }),
    ),
  )
  const paths = strings(rule['nonResourceURLs']).flatMap((url) => verbs.map((verb) => ({ url, verbs: [verb] })))
  return [...parts, ...paths]
}

function covers(owner: JsonObject, { group: apiGroup, resource, name, url, verbs }: Part): boolean {
  const holds = (key: string, wanted: string | undefined): boolean =>
    wanted === undefined || strings(owner[key]).includes(wanted) || strings(owner[key]).includes('*')
  const names = strings(owner['resourceNames'])
  return (
    holds('verbs', verbs[0]) &&
    holds('apiGroups', apiGroup) &&
    (holds('resources', resource) || holds('resources', subresourceOfAll(resource))) &&
    (names.length === 0 || (name !== undefined && names.includes(name))) &&
    (url === undefined || strings(owner['nonResourceURLs']).some((pattern) => coversPath(pattern, url)))
  )
}

function subresourceOfAll(resource: string | undefined): string | undefined {
  const slash = resource?.indexOf('/') ?? -1
  return slash < 0 ? resource : `*${resource?.slice(slash)}`
}

function coversPath(pattern: string, path: string): boolean {
  return pattern === path || (pattern.endsWith('*') && path.startsWith(pattern.replace(/\*+$/u, '')))
}

/** Verbs on the same thing in one line. */
function compacted(parts: readonly Part[]): readonly Part[] {
  const lines = new Map<string, Part>()
  for (const part of parts) {
    const key = part.url === undefined ? JSON.stringify([part.group, part.resource, part.name]) : JSON.stringify(part)
    const known = lines.get(key)
    lines.set(key, known === undefined ? part : { ...known, verbs: [...known.verbs, ...part.verbs] })
  }
  return [...lines.values()]
}

function described({ group: apiGroup, resource, name, url, verbs }: Part): string {
  const fields = [
    ...shown('APIGroups', [apiGroup]),
    ...shown('Resources', [resource]),
    ...shown('NonResourceURLs', [url]),
    ...shown('ResourceNames', [name]),
    ...shown('Verbs', verbs),
  ]
  return `{${fields.join(', ')}}`
}

function shown(label: string, values: readonly (string | undefined)[]): readonly string[] {
  const given = values.filter((value) => value !== undefined)
  return given.length === 0 ? [] : [`${label}:[${given.map(goQuote).join(' ')}]`]
}
