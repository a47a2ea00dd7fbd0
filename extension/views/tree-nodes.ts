import type { SentSnapshot } from '../../shared/agent/contract.ts'
import { resourceKey } from '../../shared/model/kubernetes.ts'
import type { ResourceStatus } from '../../shared/model/status.ts'
import { treeRows, type TreeRow } from '../../shared/view/tree-rows.ts'
import type { Known } from '../model.ts'

export type GroupNode = { readonly kind: 'group'; readonly label: string; readonly count: number }
export type ApplicationNode = { readonly kind: 'application'; readonly name: string }
export type ConditionNode = {
  readonly kind: 'condition'
  readonly application: string
  readonly type: string
  readonly message: string
}
/** A resource's row with the rows below it. */
export type ResourceNode = {
  readonly kind: 'resource'
  readonly application: string
  readonly row: TreeRow
  readonly children: readonly ResourceNode[]
}
/** Resources of one kind, or so many of them, of an application that has too many for one list. */
export type KindNode = {
  readonly kind: 'kind'
  readonly application: string
  readonly label: string
  readonly drifted: number
  readonly children: readonly ResourceNode[]
}
export type Node = GroupNode | ApplicationNode | ConditionNode | KindNode | ResourceNode

/** More siblings than this are shown by kind: the editor makes every item of an open list at once. */
const MOST_SIBLINGS = 150

const known = new WeakMap<SentSnapshot, readonly ResourceNode[]>()
const grouped = new WeakMap<readonly ResourceNode[], readonly (KindNode | ResourceNode)[]>()

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

const byKey = new WeakMap<SentSnapshot, ReadonlyMap<string, ResourceStatus>>()

/** A managed resource by its key. */
export function resourceOf(sent: SentSnapshot, key: string): ResourceStatus | undefined {
  let resources = byKey.get(sent)
  if (resources === undefined) {
    resources = new Map(sent.snapshot.resources.map((resource) => [resourceKey(resource.id), resource]))
    byKey.set(sent, resources)
  }
  return resources.get(key)
}

/** The same, by kind where there are many. */
export function shownNodes(sent: SentSnapshot): readonly (KindNode | ResourceNode)[] {
  const roots = resourceNodes(sent)
  if (roots.length <= MOST_SIBLINGS) return roots
  const made = grouped.get(roots)
  if (made !== undefined) return made
  const nodes = byKind(sent.snapshot.application.name, roots)
  grouped.set(roots, nodes)
  return nodes
}

function byKind(application: string, roots: readonly ResourceNode[]): readonly KindNode[] {
  const kinds = new Map<string, ResourceNode[]>()
  for (const node of roots) {
    const { kind } = node.row.id
    const same = kinds.get(kind)
    if (same === undefined) kinds.set(kind, [node])
    else same.push(node)
  }
  return [...kinds].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([kind, nodes]) => slices(application, kind, nodes))
}

function slices(application: string, kind: string, nodes: readonly ResourceNode[]): readonly KindNode[] {
  // What needs a look comes first, so that it stands in the first slice.
  const sorted = nodes.toSorted((a, b) => Number(isCalm(a)) - Number(isCalm(b)))
  const count = Math.ceil(sorted.length / MOST_SIBLINGS)
  return Array.from({ length: count }, (_, index) => {
    const children = sorted.slice(index * MOST_SIBLINGS, (index + 1) * MOST_SIBLINGS)
    const part = count === 1 ? '' : ` ${index * MOST_SIBLINGS + 1}–${index * MOST_SIBLINGS + children.length}`
    const drifted = children.filter((node) => !isCalm(node)).length
    return { kind: 'kind', application, label: `${kind}${part}`, drifted, children }
  })
}

function isCalm({ row }: ResourceNode): boolean {
  return row.mark.word === 'Synced'
}

/** Whether an application has every word of a filter in its name, state, project, cluster or kinds. */
export function fitsFilter({ head, sent, failure }: Known, words: readonly string[]): boolean {
  if (words.length === 0) return true
  const { snapshot } = sent ?? {}
  const texts = [head.name, head.project, head.context, failure === undefined ? '' : 'failed']
  if (snapshot !== undefined)
    texts.push(snapshot.sync, snapshot.health.status, snapshot.application.destination.namespace)
  const told = texts.join(' ').toLowerCase()
  return words.every(
    (word) =>
      told.includes(word) ||
      (snapshot?.resources ?? []).some(({ id }) => id.kind.toLowerCase() === word || id.name.includes(word)),
  )
}

/** The words of a filter as they are compared. */
export function filterWords(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
}
