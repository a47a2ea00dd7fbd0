import type { ApplicationSummary } from '../../shared/model/front.ts'
import { HEALTH_ORDER } from '../../shared/model/health.ts'

export type SortKey = 'state' | 'name' | 'project' | 'cluster'
export type GroupKey = 'none' | 'project' | 'cluster' | 'state'

export type ListChoice = {
  /** Words, and `state:OutOfSync`, `project:web`, `cluster:prod`, `label:team=web`. */
  readonly filter: string
  readonly sort: SortKey
  readonly group: GroupKey
  /** Groups that are folded. */
  readonly closed: ReadonlySet<string>
}

/** One line of the list. */
export type ListItem =
  | {
      readonly kind: 'group'
      readonly name: string
      readonly count: number
      readonly out: number
      readonly open: boolean
    }
  | { readonly kind: 'application'; readonly summary: ApplicationSummary }

export type StateTally = { readonly word: string; readonly count: number }

/** What the list shows, in order. */
export function listItems(all: readonly ApplicationSummary[], choice: ListChoice): readonly ListItem[] {
  const kept = sorted(filtered(all, choice.filter), choice.sort)
  const { group } = choice
  if (group === 'none') return kept.map((summary) => ({ kind: 'application', summary }))
  const groups = Map.groupBy(kept, (summary) => groupOf(summary, group))
  return [...groups]
    .sort(([a], [b]) => compare(a, b))
    .flatMap(([name, members]): readonly ListItem[] => {
      const open = !choice.closed.has(name)
      const out = members.filter(({ sync }) => sync !== 'Synced').length
      const heading: ListItem = { kind: 'group', name, count: members.length, out, open }
      return open ? [heading, ...members.map((summary) => ({ kind: 'application', summary }) as const)] : [heading]
    })
}

export function filtered(all: readonly ApplicationSummary[], filter: string): readonly ApplicationSummary[] {
  const terms = filter
    .toLowerCase()
    .split(/\s+/)
    .filter((term) => term !== '')
  return terms.length === 0 ? all : all.filter((summary) => terms.every((term) => matches(summary, term)))
}

/** How many applications are in which state, the ones that need an eye first; one may count in two. */
export function tallies(all: readonly ApplicationSummary[]): readonly StateTally[] {
  const counts = new Map<string, number>()
  for (const summary of all) for (const word of statesOf(summary)) counts.set(word, (counts.get(word) ?? 0) + 1)
  return STATES.flatMap((word) => {
    const count = counts.get(word)
    return count === undefined ? [] : [{ word, count }]
  })
}

const STATES = ['Degraded', 'OutOfSync', 'Missing', 'Progressing', 'Suspended', 'Unknown', 'Synced', 'Healthy']

function statesOf({ sync, health }: ApplicationSummary): readonly string[] {
  return sync === health.status ? [sync] : [sync, health.status]
}

function matches(summary: ApplicationSummary, term: string): boolean {
  const colon = term.indexOf(':')
  const value = term.slice(colon + 1)
  switch (colon < 0 ? '' : term.slice(0, colon)) {
    case 'state':
      return statesOf(summary).some((word) => word.toLowerCase() === value)
    case 'project':
      return summary.project.toLowerCase().includes(value)
    case 'cluster':
      return summary.context.toLowerCase().includes(value)
    case 'label':
      return Object.entries(summary.labels).some(([key, text]) => `${key}=${text}`.toLowerCase().includes(value))
    default: {
      const { name, project, context, destinationNamespace, revision } = summary
      return [name, project, context, destinationNamespace, revision?.name ?? '', revision?.sha ?? ''].some((text) =>
        text.toLowerCase().includes(term),
      )
    }
  }
}

function sorted(all: readonly ApplicationSummary[], key: SortKey): readonly ApplicationSummary[] {
  const by: Readonly<Record<SortKey, (one: ApplicationSummary, other: ApplicationSummary) => number>> = {
    name: () => 0,
    project: (one, other) => compare(one.project, other.project),
    cluster: (one, other) => compare(one.context, other.context),
    state: (one, other) => badness(other) - badness(one),
  }
  return [...all].sort((one, other) => by[key](one, other) || compare(one.name, other.name))
}

/** What needs a person comes first. */
function badness({ sync, health, failure, observedAt }: ApplicationSummary): number {
  if (observedAt === '') return -1
  if (health.status === 'Degraded') return 40
  if (failure !== undefined) return 35
  if (sync === 'OutOfSync') return 20 + HEALTH_ORDER.indexOf(health.status)
  return sync === 'Unknown' ? 15 : HEALTH_ORDER.indexOf(health.status)
}

function groupOf(summary: ApplicationSummary, key: Exclude<GroupKey, 'none'>): string {
  switch (key) {
    case 'project':
      return summary.project
    case 'cluster':
      return summary.context
    case 'state':
      return summary.health.status === 'Degraded' ? 'Degraded' : summary.sync
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
