import { isObject } from '../model/json.ts'
import { groupKindKey } from '../model/kubernetes.ts'
import type { Pair } from './pair.ts'

/** What the same sync makes first, so that objects which need it cannot be tried before. */
export type Pending = { readonly kinds: ReadonlySet<string>; readonly namespaces: ReadonlySet<string> }

/** Namespaces and kinds that are wanted and not there yet. */
export function pendingOf(pairs: readonly Pair[]): Pending {
  const kinds = new Set<string>()
  const namespaces = new Set<string>()
  for (const pair of pairs) {
    if (pair.kind !== 'missing') continue
    const { object, id } = pair.desired
    if (id.kind === 'Namespace' && id.group === '') namespaces.add(id.name)
    const spec = object['spec']
    if (id.kind !== 'CustomResourceDefinition' || !isObject(spec) || !isObject(spec['names'])) continue
    const { group } = spec
    const { kind } = spec['names']
    if (typeof group === 'string' && typeof kind === 'string') kinds.add(groupKindKey({ group, kind }))
  }
  return { kinds, namespaces }
}
