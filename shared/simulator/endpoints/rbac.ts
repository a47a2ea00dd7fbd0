import { isObject } from '../object.ts'
import type { JsonObject, KubeObject } from '../object.ts'
import type { Store } from '../storage/store.ts'
import type { UserInfo } from './api-types.ts'
import type { AccessAttributes, AccessDecision } from './server-context.ts'

/** Roles by which somebody may do something, and what could not be found out. */
export interface Rights {
  readonly grants: readonly Grant[]
  readonly problems: readonly string[]
}

interface Grant {
  readonly rule: JsonObject
  /** For the reason: `ClusterRoleBinding "x" of ClusterRole "y" to User "z"`. */
  readonly source: string
}

const group = 'rbac.authorization.k8s.io'

/** Decides by the stored roles and bindings, as plugin/pkg/auth/authorizer/rbac does. `system:masters` may do everything. */
export function authorizeByRoles(store: Store, user: UserInfo, attributes: AccessAttributes): AccessDecision {
  if (isSuperuser(user)) return { allowed: true, reason: '' }
  const { grants, problems } = rightsOf(store, user, attributes.namespace)
  for (const { rule, source } of grants) {
    if (ruleAllows(rule, attributes)) return { allowed: true, reason: `RBAC: allowed by ${source}` }
  }
  return { allowed: false, reason: problems.length === 0 ? '' : `RBAC: ${aggregate(problems)}` }
}

export function isSuperuser(user: UserInfo): boolean {
  return user.groups.includes('system:masters')
}

/** What SelfSubjectRulesReview answers. */
export function rulesFor(server: { readonly store: Store }, user: UserInfo, namespace: string): JsonObject {
  const { grants, problems } = rightsOf(server.store, user, namespace)
  const resourceRules: JsonObject[] = []
  const nonResourceRules: JsonObject[] = []
  if (isSuperuser(user)) {
    resourceRules.push({ verbs: ['*'], apiGroups: ['*'], resources: ['*'] })
    nonResourceRules.push({ verbs: ['*'], nonResourceURLs: ['*'] })
  }
  for (const { rule } of grants) {
    const { verbs, apiGroups, resources, resourceNames, nonResourceURLs } = rule
    if (Array.isArray(resources) && resources.length > 0) {
      resourceRules.push({ verbs, apiGroups, resources, ...(resourceNames === undefined ? {} : { resourceNames }) })
    }
    if (Array.isArray(nonResourceURLs) && nonResourceURLs.length > 0) nonResourceRules.push({ verbs, nonResourceURLs })
  }
  const evaluationError = problems.length === 0 ? {} : { evaluationError: aggregate(problems) }
  return { resourceRules, nonResourceRules, incomplete: false, ...evaluationError }
}

/** Several errors as Go's aggregate of them reads: each once. */
export function aggregate(problems: readonly string[]): string {
  const all = [...new Set(problems)]
  return all.length === 1 ? (all[0] ?? '') : `[${all.join(', ')}]`
}

function* bindingsOf(
  store: Store,
  namespace: string,
): Iterable<{ readonly binding: KubeObject; readonly kind: string }> {
  for (const binding of store.list({ group, resource: 'clusterrolebindings' }))
    yield { binding, kind: 'ClusterRoleBinding' }
  if (namespace === '') return
  for (const binding of store.list({ group, resource: 'rolebindings' }, namespace))
    yield { binding, kind: 'RoleBinding' }
}

/** Everything that the bindings give a user in a namespace; the empty one is the whole cluster. */
export function rightsOf(store: Store, user: UserInfo, namespace: string): Rights {
  const grants: Grant[] = []
  const problems: string[] = []
  for (const { binding, kind } of bindingsOf(store, namespace)) {
    const home = kind === 'RoleBinding' ? namespace : ''
    const subject = list(binding['subjects']).find((candidate) => names(candidate, user, home))
    if (subject === undefined) continue
    const reference = isObject(binding['roleRef']) ? binding['roleRef'] : {}
    const rules = referencedRules(store, reference, home)
    if (typeof rules === 'string') {
      problems.push(rules)
      continue
    }
    const name = home === '' ? binding.metadata.name : `${binding.metadata.name}/${home}`
    const source = `${kind} "${name}" of ${text(reference['kind'])} "${text(reference['name'])}" to ${described(subject, home)}`
    for (const rule of rules) grants.push({ rule, source })
  }
  return { grants, problems }
}

/** The rules of the role that a binding names, or why there are none. */
export function referencedRules(
  store: Store,
  reference: JsonObject,
  namespace: string,
): readonly JsonObject[] | string {
  const name = text(reference['name'])
  const cluster = reference['kind'] === 'ClusterRole'
  const resource = cluster ? 'clusterroles' : 'roles'
  const role = store.get({ group, resource }, cluster ? '' : namespace, name)
  return role === undefined ? `${cluster ? 'clusterrole' : 'role'}.${group} "${name}" not found` : list(role['rules'])
}

function described(subject: JsonObject, namespace: string): string {
  const name = text(subject['name'])
  const home = subject['kind'] === 'ServiceAccount' ? `/${text(subject['namespace']) || namespace}` : ''
  return `${text(subject['kind'])} "${name}${home}"`
}

function names(subject: JsonObject, user: UserInfo, namespace: string): boolean {
  const name = text(subject['name'])
  switch (subject['kind']) {
    case 'User':
      return name === user.name
    case 'Group':
      return user.groups.includes(name)
    case 'ServiceAccount':
      return `system:serviceaccount:${text(subject['namespace']) || namespace}:${name}` === user.name
    default:
      return false
  }
}

function ruleAllows(rule: JsonObject, attributes: AccessAttributes): boolean {
  if (!has(rule['verbs'], attributes.verb)) return false
  if (attributes.path !== undefined) {
    return strings(rule['nonResourceURLs']).some((pattern) => pathMatches(pattern, attributes.path ?? ''))
  }
  if (!has(rule['apiGroups'], attributes.group)) return false
  const resource =
    attributes.subresource === '' ? attributes.resource : `${attributes.resource}/${attributes.subresource}`
  const resources = strings(rule['resources'])
  const matches =
    resources.includes('*') ||
    resources.includes(resource) ||
    (attributes.subresource !== '' && resources.includes(`*/${attributes.subresource}`))
  if (!matches) return false
  const allowed = strings(rule['resourceNames'])
  return allowed.length === 0 || allowed.includes(attributes.name)
}

function pathMatches(pattern: string, path: string): boolean {
  return pattern === '*' || pattern === path || (pattern.endsWith('*') && path.startsWith(pattern.slice(0, -1)))
}

function has(values: unknown, wanted: string): boolean {
  const all = strings(values)
  return all.includes('*') || all.includes(wanted)
}

export function strings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(text) : []
}

function list(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
