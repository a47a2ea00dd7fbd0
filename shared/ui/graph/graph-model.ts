import type { ResourceId } from '../../model/kubernetes.ts'
import { resourceKey } from '../../model/kubernetes.ts'
import type { ApplicationSnapshot } from '../../model/status.ts'
import { applicationRow } from '../../view/application-row.ts'
import type { Mark } from '../../view/marks.ts'
import { treeRows, type TreeRow } from '../../view/tree-rows.ts'

/** More siblings than this that look the same are one node. */
const MOST_ALIKE = 8

/** One box of the graph. */
export type GraphNode = {
  /** The same from pass to pass. */
  readonly id: string
  readonly kind: 'application' | 'object' | 'group'
  /** The object's `resourceKey`; empty for the application and for groups. */
  readonly key: string
  readonly resource?: ResourceId
  readonly uid?: string
  readonly title: string
  /** `Deployment`; empty for a group, whose title tells it. */
  readonly type: string
  readonly mark: Mark
  readonly health?: Mark
  readonly detail: string
  /** Needs a person's eye: it stands out, the others recede. */
  readonly loud: boolean
  /** Sync wave of a managed object. */
  readonly wave: number
  readonly children: readonly GraphNode[]
  /** Whether its children are shown. */
  readonly open: boolean
  /** How many objects it stands for. */
  readonly count: number
}

/** Words of marks that a filter picks. */
export type GraphFilter = { readonly search: string; readonly state: string }

export type GraphOptions = GraphFilter & {
  /** Ids of nodes that the person opened or closed against the default. */
  readonly toggled: ReadonlySet<string>
}

export type StateCount = { readonly word: string; readonly mark: Mark; readonly count: number }

type Branch = { readonly row: TreeRow; readonly wave: number; readonly children: Branch[] }

/** The application with all that it manages and owns, filtered and with what is alike folded. */
export function buildGraph(snapshot: ApplicationSnapshot, options: GraphOptions): GraphNode {
  const row = applicationRow(snapshot)
  const branches = branchesOf(snapshot)
  const kept = branches.flatMap((branch) => matching(branch, options))
  return {
    id: 'application',
    kind: 'application',
    key: '',
    title: row.name,
    type: 'Application',
    mark: row.sync,
    health: row.health,
    detail: row.drift,
    loud: false,
    wave: 0,
    children: folded('application', byWave(kept), options.toggled),
    open: true,
    count: 1,
  }
}

/** How many objects are in which state, the ones that need an eye first. What is synced and healthy comes last. */
export function stateCounts(snapshot: ApplicationSnapshot): readonly StateCount[] {
  const counts = new Map<string, { mark: Mark; count: number }>()
  for (const row of treeRows(snapshot)) {
    for (const mark of marksOf(row)) {
      const known = counts.get(mark.word)
      if (known === undefined) counts.set(mark.word, { mark, count: 1 })
      else known.count += 1
    }
  }
  return ORDER.flatMap((word) => {
    const found = counts.get(word)
    return found === undefined ? [] : [{ word, ...found }]
  })
}

const ORDER = ['Degraded', 'OutOfSync', 'Missing', 'Extra', 'Progressing', 'Suspended', 'Unknown', 'Synced', 'Healthy']

function marksOf({ mark, health }: TreeRow): readonly Mark[] {
  const all = health === undefined || health.word === mark.word ? [mark] : [mark, health]
  return all.filter(({ word }) => word !== '')
}

function branchesOf(snapshot: ApplicationSnapshot): readonly Branch[] {
  const waves = new Map(snapshot.resources.map(({ id, wave }) => [resourceKey(id), wave ?? 0]))
  const roots: Branch[] = []
  const above: Branch[] = []
  for (const row of treeRows(snapshot)) {
    const branch: Branch = { row, wave: waves.get(row.key) ?? 0, children: [] }
    above.length = row.depth
    const parent = above.at(-1)
    if (parent === undefined) roots.push(branch)
    else parent.children.push(branch)
    above.push(branch)
  }
  return roots
}

/** The branch where it or something below it matches, cut down to what does. */
function matching(branch: Branch, filter: GraphFilter): readonly Branch[] {
  const children = branch.children.flatMap((child) => matching(child, filter))
  return children.length > 0 || matches(branch.row, filter) ? [{ ...branch, children }] : []
}

function matches(row: TreeRow, { search, state }: GraphFilter): boolean {
  if (state !== '' && !marksOf(row).some(({ word }) => word === state)) return false
  if (search === '') return true
  const text = `${row.id.kind} ${row.id.name} ${row.detail}`.toLowerCase()
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

function byWave(branches: readonly Branch[]): readonly Branch[] {
  return [...branches].sort((a, b) => a.wave - b.wave)
}

function folded(parent: string, branches: readonly Branch[], toggled: ReadonlySet<string>): readonly GraphNode[] {
  const groups = Map.groupBy(branches, alikeKey)
  const told = new Set<string>()
  return branches.flatMap((branch) => {
    const key = alikeKey(branch)
    const alike = groups.get(key) ?? []
    if (alike.length <= MOST_ALIKE) return [nodeOf(branch, toggled)]
    if (told.has(key)) return []
    told.add(key)
    return [groupOf(`${parent}/${key}`, branch, alike, toggled)]
  })
}

function alikeKey({ row, wave }: Branch): string {
  return `${wave}|${row.id.kind}|${row.mark.word}|${row.health?.word ?? ''}`
}

function groupOf(id: string, { row, wave }: Branch, alike: readonly Branch[], toggled: ReadonlySet<string>): GraphNode {
  const { mark, health } = row
  return {
    id,
    kind: 'group',
    key: '',
    title: `${alike.length} ${plural(row.id.kind)}`,
    type: '',
    mark,
    detail: `${alike[0]?.row.id.name} … ${alike.at(-1)?.row.id.name}`,
    loud: isLoud(row),
    wave,
    children: alike.map((branch) => nodeOf(branch, toggled)),
    open: toggled.has(id),
    count: alike.length,
    ...(health === undefined ? {} : { health }),
  }
}

function nodeOf({ row, wave, children }: Branch, toggled: ReadonlySet<string>): GraphNode {
  const id = row.uid ?? row.key
  const { key, mark, health, detail, uid } = row
  return {
    id,
    kind: 'object',
    key,
    resource: row.id,
    title: row.id.name,
    type: row.id.kind,
    mark,
    detail: isLoud(row) ? worstFirst(detail) : detail,
    loud: isLoud(row),
    wave,
    children: folded(id, children, toggled),
    open: !toggled.has(id),
    count: 1,
    ...(health === undefined ? {} : { health }),
    ...(uid === undefined ? {} : { uid }),
  }
}

function isLoud({ depth, mark, health }: TreeRow): boolean {
  return (depth === 0 && mark.word !== 'Synced') || health?.word === 'Degraded'
}

/** What is wrong before the small facts, since the end of a long line is cut. */
function worstFirst(detail: string): string {
  const [fact, ...rest] = detail.split(' · ')
  return rest.length === 0 || fact === undefined || / fields?$/.test(fact) ? detail : [...rest, fact].join(' · ')
}

function plural(kind: string): string {
  if (/(?:s|x|ch)$/.test(kind)) return kind.endsWith('points') ? kind : `${kind}es`
  return /[^aeiou]y$/.test(kind) ? `${kind.slice(0, -1)}ies` : `${kind}s`
}
