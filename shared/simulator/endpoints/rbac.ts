import { isObject } from '../object.ts'
import type { JsonObject, KubeObject } from '../object.ts'
import type { Store } from '../storage/store.ts'
import type { UserInfo } from './api-types.ts'
import type { AccessAttributes, AccessDecision } from './server-context.ts'

interface Grant {
  readonly rule: JsonObject
  /** For the reason: `ClusterRoleBinding "x" of ClusterRole "y" to User "z"`. */
  readonly source: string
}

const group = 'rbac.authorization.k8s.io'

/** Decides by the stored roles and bindings, as plugin/pkg/auth/authorizer/rbac does. `system:masters` may do everything. */
export function authorizeByRoles(store: Store, user: UserInfo, attributes: AccessAttributes): AccessDecision {
  if (user.groups.includes('system:masters')) return { allowed: true, reason: '' }
  for (const { rule, source } of grantsOf(store, user, attributes.namespace)) {
    if (ruleAllows(rule, attributes)) return { allowed: true, reason: `RBAC: allowed by ${source}` }
  }
  return { allowed: false, reason: '' }
}

/** What SelfSubjectRulesReview answers. */
export function rulesFor(server: { readonly store: Store }, user: UserInfo, namespace: string): JsonObject {
  const everything = user.groups.includes('system:masters')
  const rules = everything ? [] : grantsOf(server.store, user, namespace).map(({ rule }) => rule)
  const resourceRules: JsonObject[] = everything ? [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }] : []
  const nonResourceRules: JsonObject[] = everything ? [{ verbs: ['*'], nonResourceURLs: ['*'] }] : []
  for (const { verbs, apiGroups, resources, resourceNames, nonResourceURLs } of rules) {
    if (Array.isArray(resources) && resources.length > 0) {
      resourceRules.push({ verbs, apiGroups, resources, ...(resourceNames === undefined ? {} : { resourceNames }) })
    }
    if (Array.isArray(nonResourceURLs) && nonResourceURLs.length > 0) nonResourceRules.push({ verbs, nonResourceURLs })
  }
  return { resourceRules, nonResourceRules }
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

function grantsOf(store: Store, user: UserInfo, namespace: string): Grant[] {
  const grants: Grant[] = []
  for (const { binding, kind } of bindingsOf(store, namespace)) {
    const subject = list(binding['subjects']).find((candidate) => names(candidate, user, namespace))
    if (subject === undefined) continue
    const reference = isObject(binding['roleRef']) ? binding['roleRef'] : {}
    const clusterRole = reference['kind'] === 'ClusterRole'
    const role = clusterRole
      ? store.get({ group, resource: 'clusterroles' }, '', text(reference['name']))
      : store.get({ group, resource: 'roles' }, namespace, text(reference['name']))
    const home = kind === 'RoleBinding' ? `/${namespace}` : ''
    const source = `${kind} "${binding.metadata.name ?? ''}${home}" of ${text(reference['kind'])} "${text(reference['name'])}" to ${text(subject['kind'])} "${text(subject['name'])}"`
    for (const rule of list(role?.['rules'])) grants.push({ rule, source })
  }
  return grants
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

function strings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(text) : []
}

function list(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
