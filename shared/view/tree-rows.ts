import { resourceKey, type ResourceId } from '../model/kubernetes.ts'
import type { ApplicationSnapshot, ResourceStatus, TreeNode } from '../model/status.ts'
import { HEALTH_MARKS, SYNC_MARKS, type Mark } from './marks.ts'
import { resourceRow } from './resource-rows.ts'
import { objectLabel } from './words.ts'

/** One line of the resource tree. */
export type TreeRow = {
  readonly key: string
  readonly id: ResourceId
  /** Absent for what is not in the cluster. */
  readonly uid?: string
  /** 0 for what the application manages. */
  readonly depth: number
  /** For each level above and its own: whether it is the last among its siblings, so that lines can be drawn. */
  readonly lasts: readonly boolean[]
  readonly mark: Mark
  readonly health?: Mark
  readonly label: string
  readonly detail: string
}

/** The managed objects in sync order, each with its descendants below it; then what syncs have left of hooks. */
export function treeRows(snapshot: ApplicationSnapshot): readonly TreeRow[] {
  const nodes = new Map(snapshot.tree.map((node) => [resourceKey(node.id), node]))
  const children = childrenByParent(snapshot.tree)
  const managed = new Set(snapshot.resources.map((resource) => resourceKey(resource.id)))
  const rows: TreeRow[] = []
  const seen = new Set<string>()
  const descend = (parent: TreeNode, above: readonly boolean[]): void => {
    // An owner reference may lead back to where it came from; what is managed has a line of its own.
    if (seen.has(parent.uid)) return
    seen.add(parent.uid)
    const below = (children.get(parent.uid) ?? []).filter((node) => !managed.has(resourceKey(node.id)))
    for (const [index, node] of below.entries()) {
      if (seen.has(node.uid)) continue
      const lasts = [...above, index === below.length - 1]
      rows.push(childRow(node, lasts))
      descend(node, lasts)
    }
  }
  const hooks = snapshot.tree.filter((node) => node.hook === true).sort(byKindAndName)
  const last = snapshot.resources.length + hooks.length - 1
  for (const [index, resource] of snapshot.resources.entries()) {
    const node = nodes.get(resourceKey(resource.id))
    const lasts = [index === last]
    rows.push(managedRow(resource, node, lasts))
    if (node !== undefined) descend(node, lasts)
  }
  for (const [index, hook] of hooks.entries()) {
    const lasts = [snapshot.resources.length + index === last]
    const row = childRow(hook, lasts)
    rows.push({ ...row, detail: ['hook', row.detail].filter((part) => part !== '').join(' · ') })
    descend(hook, lasts)
  }
  return rows
}

function childrenByParent(tree: readonly TreeNode[]): ReadonlyMap<string, readonly TreeNode[]> {
  const children = new Map<string, TreeNode[]>()
  for (const node of tree) {
    for (const parent of node.parents) {
      const siblings = children.get(parent)
      if (siblings === undefined) children.set(parent, [node])
      else siblings.push(node)
    }
  }
  for (const siblings of children.values()) siblings.sort(byKindAndName)
  return children
}

function byKindAndName(a: TreeNode, b: TreeNode): number {
  return compare(a.id.kind, b.id.kind) || compare(a.id.name, b.id.name) || compare(a.uid, b.uid)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function managedRow(resource: ResourceStatus, node: TreeNode | undefined, lasts: readonly boolean[]): TreeRow {
  const { key, id, mark, health, label, detail } = resourceRow(resource)
  return {
    key,
    id,
    depth: 0,
    lasts,
    mark,
    label,
    detail: [node?.info ?? '', detail].filter((part) => part !== '').join(' · '),
    ...(node === undefined ? {} : { uid: node.uid }),
    ...(health === undefined ? {} : { health }),
  }
}

/** What a controller made is neither in sync nor out of it; its mark is its health. */
function childRow(node: TreeNode, lasts: readonly boolean[]): TreeRow {
  const health = node.health === undefined ? undefined : HEALTH_MARKS[node.health.status]
  const trouble = node.health === undefined || node.health.status === 'Healthy' ? '' : (node.health.message ?? '')
  return {
    key: resourceKey(node.id),
    id: node.id,
    uid: node.uid,
    depth: lasts.length - 1,
    lasts,
    mark: health ?? { ...SYNC_MARKS.Unknown, word: '', glyph: '·', codicon: 'circle-small' },
    label: objectLabel(node.id),
    detail: [node.info, trouble].filter((part) => part !== '').join(' · '),
    ...(health === undefined ? {} : { health }),
  }
}
