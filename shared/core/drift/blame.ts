import type { PathElement } from '../../fields/path.ts'
import type { Blame } from '../../model/drift.ts'
import type { LiveObject, Owner } from '../../model/live.ts'
import type { FieldsV1 } from '../../model/managed-fields.ts'
import { isOurs } from './trust.ts'

/**
 * Who set a field: the owner whose entry reaches deepest towards it, and of several the latest. A field that is gone
 * leaves no owner; then nobody is named rather than somebody guessed.
 */
export function blameOf(live: LiveObject, fields: readonly PathElement[]): Blame | undefined {
  let best: Owner | undefined
  let depth = 0
  for (const owner of live.owners) {
    if (isOurs(owner)) continue
    const reach = reachOf(owner.fields, fields)
    if (reach > depth || (reach === depth && reach > 0 && best !== undefined && owner.time > best.time)) {
      best = owner
      depth = reach
    }
  }
  return best === undefined ? undefined : { ...told(best), ...sinceOurs(live, best) }
}

/** Everybody who owns exactly this field or something above it that is owned whole. */
export function ownersOf(live: LiveObject, fields: readonly PathElement[]): readonly Owner[] {
  return live.owners.filter((owner) => reachOf(owner.fields, fields) > 0)
}

/** How many steps of the path an entry covers: all of them, or fewer where an ancestor is owned whole; 0 for none. */
export function reachOf(tree: FieldsV1, fields: readonly PathElement[]): number {
  let here = tree
  for (const [index, element] of fields.entries()) {
    const next = here[element]
    if (next === undefined) return index > 0 && isLeaf(here) ? index : 0
    here = next
  }
  return fields.length
}

export function isLeaf(tree: FieldsV1): boolean {
  for (const _ in tree) return false
  return true
}

function told(owner: Owner): Blame {
  return { manager: owner.manager, operation: owner.operation, subresource: owner.subresource, time: owner.time }
}

/** It happened after our last apply, if that was before: managedFields has one time for a whole entry, not for a field. */
function sinceOurs(live: LiveObject, owner: Owner): { readonly since?: string } {
  const ours = live.owners.find((candidate) => isOurs(candidate) && candidate.operation === 'Apply')
  return ours !== undefined && ours.time !== '' && ours.time < owner.time ? { since: ours.time } : {}
}
