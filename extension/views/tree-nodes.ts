import type { SentSnapshot } from '../../shared/agent/contract.ts'
import { treeRows, type TreeRow } from '../../shared/view/tree-rows.ts'

/** A resource's row with the rows below it. */
export type ResourceNode = {
  readonly kind: 'resource'
  readonly application: string
  readonly row: TreeRow
  readonly children: readonly ResourceNode[]
}

const known = new WeakMap<SentSnapshot, readonly ResourceNode[]>()

/** The resource tree of a snapshot; made once per snapshot, when somebody first looks. */
export function resourceNodes(sent: SentSnapshot): readonly ResourceNode[] {
  const made = known.get(sent)
  if (made !== undefined) return made
  const application = sent.snapshot.application.name
  const roots: ResourceNode[] = []
  const path: { readonly depth: number; readonly children: ResourceNode[] }[] = []
  for (const row of treeRows(sent.snapshot)) {
    const children: ResourceNode[] = []
    while ((path.at(-1)?.depth ?? -1) >= row.depth) path.pop()
    const siblings = path.at(-1)?.children ?? roots
    siblings.push({ kind: 'resource', application, row, children })
    path.push({ depth: row.depth, children })
  }
  known.set(sent, roots)
  return roots
}
