import { selectorMatches } from '../kinds/checks.ts'
import type { Json } from '../kinds/json.ts'
import { objectAt, objectsAt } from '../kinds/json.ts'
import { sameJson } from '../object.ts'
import type { Controller, Setting } from './controller.ts'
import { stableJson } from './pod-template.ts'
import { clusterRoles } from './resources.ts'

/** Cluster roles that are made of others, chosen by label. */
export function roleAggregation({ host, queue }: Setting): Controller {
  const name = 'roles'
  return {
    name,
    watches: [[clusterRoles, () => queue.add(name, 'all')]],
    reconcile() {
      for (const role of host.list(clusterRoles)) {
        const selectors = objectsAt(objectAt(role, 'aggregationRule'), 'clusterRoleSelectors')
        if (selectors.length === 0) continue
        const parts = host
          .list(clusterRoles)
          .filter((other) => other !== role && selectors.some((s) => selectorMatches(s, other.metadata.labels ?? {})))
        const seen = new Set<string>()
        const rules: Json[] = parts
          .flatMap((part) => objectsAt(part, 'rules'))
          .filter((rule) => {
            const text = stableJson(rule)
            return !seen.has(text) && seen.add(text)
          })
        if (sameJson(rules, role['rules'] ?? [])) continue
        host.patch(clusterRoles, role, { rules }, 'clusterrole-aggregation-controller')
      }
    },
  }
}
