import type { AccessRule } from '../../model/agent-install.ts'

/** A rule as RBAC writes it (`rbac.authorization.k8s.io/v1`). */
export type PolicyRule = {
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly verbs: readonly string[]
  readonly resourceNames?: readonly string[]
}

const VERBS = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'bind', 'escalate', '*']

/** The rules of each namespace, the empty one for the cluster: each right once, in an order that input's order does not change. */
export function rulesByNamespace(rules: readonly AccessRule[]): ReadonlyMap<string, readonly PolicyRule[]> {
  const byNamespace = Map.groupBy(rules, ({ namespace }) => namespace)
  const names = [...byNamespace.keys()].sort(byText)
  return new Map(names.map((name) => [name, policyRules(byNamespace.get(name) ?? [])]))
}

function policyRules(rules: readonly AccessRule[]): readonly PolicyRule[] {
  // First all verbs of one resource, then all resources of one group with the same verbs.
  const byResource = Map.groupBy(rules, ({ group, resource, names }) =>
    JSON.stringify([group, resource, names ?? null]),
  )
  const whole = [...byResource.values()].flatMap((same) => {
    const [first] = same
    return first === undefined ? [] : [{ ...first, verbs: sortedVerbs(same.flatMap(({ verbs }) => verbs)) }]
  })
  const alike = Map.groupBy(whole, ({ group, verbs, names }) => JSON.stringify([group, verbs, names ?? null]))
  return [...alike]
    .sort(([a], [b]) => byText(a, b))
    .flatMap(([, same]) => {
      const [first] = same
      if (first === undefined) return []
      const resources = [...new Set(same.map(({ resource }) => resource))].sort(byText)
      const names = first.names === undefined ? {} : { resourceNames: [...first.names].sort(byText) }
      return [{ apiGroups: [first.group], resources, verbs: first.verbs, ...names }]
    })
}

function sortedVerbs(verbs: readonly string[]): readonly string[] {
  return [...new Set(verbs)].sort((a, b) => VERBS.indexOf(a) - VERBS.indexOf(b))
}

/** What every agent needs in the namespace of the store: its records, its Lease, and to see that the namespace is there. */
export function storeRules(namespace: string): readonly AccessRule[] {
  return [
    { namespace, group: '', resource: 'configmaps', verbs: ['get', 'list', 'create', 'patch', 'delete'] },
    { namespace, group: 'coordination.k8s.io', resource: 'leases', verbs: ['create'] },
    { namespace, group: 'coordination.k8s.io', resource: 'leases', verbs: ['get', 'patch'], names: ['agent'] },
    { namespace, group: '', resource: 'namespaces', verbs: ['get'], names: [namespace] },
  ]
}

/** What tells an agent that the server's mind about unchanged objects may have changed. Names and versions only are asked for. */
export const EPOCH_RULES: readonly AccessRule[] = [
  // Argo CD's settings, where it is installed; by its name, since its namespace need not be there.
  { namespace: '', group: '', resource: 'configmaps', verbs: ['get'], names: ['argocd-cm'] },
  { namespace: '', group: '', resource: 'limitranges', verbs: ['list', 'watch'] },
  { namespace: '', group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions', verbs: ['list', 'watch'] },
  ...[
    'mutatingadmissionpolicies',
    'mutatingadmissionpolicybindings',
    'mutatingwebhookconfigurations',
    'validatingadmissionpolicies',
    'validatingadmissionpolicybindings',
    'validatingwebhookconfigurations',
  ].map((resource) => ({ namespace: '', group: 'admissionregistration.k8s.io', resource, verbs: ['list', 'watch'] })),
]

/** Every right in a namespace, or in the whole cluster. */
export function everythingIn(namespace: string): AccessRule {
  return { namespace, group: '*', resource: '*', verbs: ['*'] }
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
