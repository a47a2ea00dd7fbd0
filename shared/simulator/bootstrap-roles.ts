import policy from './bootstrap-policy-v1.36.json' with { type: 'json' }
import type { JsonObject } from './object.ts'

const group = 'rbac.authorization.k8s.io'
const apiVersion = `${group}/v1`
const bootstrapping = { 'kubernetes.io/bootstrapping': 'rbac-defaults' }
const annotations = { 'rbac.authorization.kubernetes.io/autoupdate': 'true' }

interface Policy {
  readonly name: string
  readonly labels?: Readonly<Record<string, string>>
  readonly aggregationRule?: { readonly clusterRoleSelectors: readonly { readonly matchLabels: object }[] }
  readonly rules?: readonly JsonObject[]
}

const policies: readonly Policy[] = policy.roles

/**
 * The roles that people bind to, and those that let everybody discover the API, as kube-apiserver v1.36.2 makes them; those that
 * gather others hold already what a cluster's controllers gather.
 */
export function bootstrapRoles(): JsonObject[] {
  return [...policies.map(clusterRole), ...policy.bindings.map(clusterRoleBinding)]
}

function clusterRole(one: Policy): JsonObject {
  const { name, labels, aggregationRule } = one
  const metadata = { name, labels: { ...bootstrapping, ...labels }, annotations }
  const rules = rulesOf(one)
  return { apiVersion, kind: 'ClusterRole', metadata, ...(aggregationRule && { aggregationRule }), rules }
}

/** Own rules, or those of all roles with the label that is gathered, in the order of their names, each once. */
function rulesOf({ name, aggregationRule, rules = [] }: Policy): readonly JsonObject[] {
  const wanted = aggregationRule?.clusterRoleSelectors.flatMap(({ matchLabels }) => Object.keys(matchLabels)) ?? []
  if (wanted.length === 0) return rules
  const parts = policies.filter((other) => other.name !== name && wanted.some((key) => other.labels?.[key] === 'true'))
  const gathered = new Map(parts.flatMap(rulesOf).map((rule) => [JSON.stringify(rule), rule]))
  return [...gathered.values()]
}

function clusterRoleBinding({
  name,
  groups,
}: {
  readonly name: string
  readonly groups: readonly string[]
}): JsonObject {
  const subjects = groups.map((member) => ({ apiGroup: group, kind: 'Group', name: member }))
  const roleRef = { apiGroup: group, kind: 'ClusterRole', name }
  return {
    apiVersion,
    kind: 'ClusterRoleBinding',
    metadata: { name, labels: bootstrapping, annotations },
    subjects,
    roleRef,
  }
}
