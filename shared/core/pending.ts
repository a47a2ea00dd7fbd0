import { isObject } from '../model/json.ts'
import { groupKindKey, type KubeObject, type ResourceId } from '../model/kubernetes.ts'
import type { Pair } from './pair.ts'

/** What the same sync makes first, so that objects which need it cannot be tried before. */
export type Pending = { readonly kinds: ReadonlySet<string>; readonly namespaces: ReadonlySet<string> }

/** Namespaces and kinds that are wanted and not there yet, or that are being deleted and come again. */
export function pendingOf(pairs: readonly Pair[]): Pending {
  return needsOf(pairs, true)
}

/** Namespaces and kinds that are being deleted and come again: until they have gone nothing can be made of them. */
export function goingOf(pairs: readonly Pair[]): Pending {
  return needsOf(pairs, false)
}

/** @returns what an object waits for, of the namespaces and kinds that are not there yet */
export function waitsFor(id: ResourceId, { namespaces, kinds }: Pending): string | undefined {
  if (namespaces.has(id.namespace)) return `Namespace ${id.namespace}`
  return kinds.has(groupKindKey(id)) ? `the definition of ${id.kind}` : undefined
}

function needsOf(pairs: readonly Pair[], missing: boolean): Pending {
  const kinds = new Set<string>()
  const namespaces = new Set<string>()
  for (const pair of pairs) {
    if (pair.kind !== 'both' && pair.kind !== 'missing') continue
    // Most of ten thousand are there, and stay.
    if (pair.kind === 'both' ? !pair.going : !missing) continue
    const { object, id } = pair.desired
    if (id.kind === 'Namespace' && id.group === '') namespaces.add(id.name)
    const kind = id.kind === 'CustomResourceDefinition' ? definedBy(object) : undefined
    if (kind !== undefined) kinds.add(kind)
  }
  return { kinds, namespaces }
}

/** The kind that a definition defines, as a key. */
export function definedBy({ spec }: KubeObject): string | undefined {
  if (!isObject(spec) || !isObject(spec['names'])) return undefined
  const { group } = spec
  const { kind } = spec['names']
  return typeof group === 'string' && typeof kind === 'string' ? groupKindKey({ group, kind }) : undefined
}
