import { isTab, type Tab } from './panel-tabs.ts'

export const PAGES = [
  'applications',
  'clusters',
  'contexts',
  'rehearsals',
  'repositories',
  'keys',
  'settings',
  'first-run',
] as const

export type Page = (typeof PAGES)[number]

/** One place in the window, as `#/applications/shop/diff?key=...` writes it. */
export type Route = {
  readonly page: Page
  /** The application, cluster or rehearsal; empty for the list. */
  readonly name: string
  readonly tab: Tab
  readonly key: string
}

/** A link leads somewhere even where it is broken: to the list of applications. */
export function readRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#?\/?/, '').split('?')
  const [page = '', name = '', tab = ''] = path.split('/').map(decoded)
  return {
    page: PAGES.find((known) => known === page) ?? 'applications',
    name,
    tab: isTab(tab) ? tab : 'graph',
    key: new URLSearchParams(query).get('key') ?? '',
  }
}

export function writeRoute({ page, name, tab, key }: Partial<Route> & { readonly page: Page }): string {
  const path = [page, name ?? ''].filter((part) => part !== '').map(encodeURIComponent)
  const tabbed =
    page === 'applications' && name !== undefined && name !== '' && tab !== undefined ? [...path, tab] : path
  const query = key === undefined || key === '' ? '' : `?${new URLSearchParams({ key })}`
  return `#/${tabbed.join('/')}${query}`
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
