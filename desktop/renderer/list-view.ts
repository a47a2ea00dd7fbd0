import type { GroupKey, ListChoice, SortKey } from './application-list.ts'

/** How a person looks at the list. */
export type ListView = ListChoice & { readonly layout: 'table' | 'tiles' }

export const DEFAULT_VIEW: ListView = { filter: '', sort: 'state', group: 'none', closed: new Set(), layout: 'table' }

const SORTS: readonly SortKey[] = ['state', 'name', 'project', 'cluster']
const GROUPS: readonly GroupKey[] = ['none', 'project', 'cluster', 'state']

/** What a former visit left; anything else is as at the beginning. */
export function readView(state: unknown): ListView {
  const { list } = (typeof state === 'object' && state !== null ? state : {}) as { readonly list?: unknown }
  if (typeof list !== 'object' || list === null) return DEFAULT_VIEW
  const { filter, sort, group, layout } = list as { readonly [key: string]: unknown }
  return {
    filter: typeof filter === 'string' ? filter : '',
    sort: SORTS.find((known) => known === sort) ?? 'state',
    group: GROUPS.find((known) => known === group) ?? 'none',
    closed: new Set(),
    layout: layout === 'tiles' ? 'tiles' : 'table',
  }
}

export function writeView(state: unknown, { filter, sort, group, layout }: ListView): unknown {
  return { ...(typeof state === 'object' ? state : {}), list: { filter, sort, group, layout } }
}
