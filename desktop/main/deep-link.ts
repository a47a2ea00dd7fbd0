/** What a `plumbline://` link asks for. Links come from anywhere: they show, they never act. */
export type DeepLink =
  | { readonly kind: 'show'; readonly route: string }
  /** The person is asked before a folder that a link names is opened. */
  | { readonly kind: 'open'; readonly folder: string }

const TABS = new Set(['graph', 'diff', 'timeline', 'history', 'events'])
const PAGES = new Set(['applications', 'clusters', 'contexts', 'rehearsals', 'repositories', 'keys', 'settings'])
const NAME = /^[a-z0-9][a-z0-9.-]{0,252}$/

/** `plumbline://applications/guestbook/diff`, `plumbline://clusters`, `plumbline://open?folder=/code/infra`; else undefined. */
export function readDeepLink(text: string): DeepLink | undefined {
  if (text.length > 2048 || !URL.canParse(text)) return undefined
  const { protocol, host, pathname, searchParams } = new URL(text)
  if (protocol !== 'plumbline:') return undefined
  if (host === 'open') {
    const folder = searchParams.get('folder') ?? ''
    return /^(?:\/|[A-Za-z]:\\)\P{Cc}*$/u.test(folder) ? { kind: 'open', folder } : undefined
  }
  if (!PAGES.has(host)) return undefined
  const parts = pathname.split('/').filter((part) => part !== '')
  if (parts.length === 0) return { kind: 'show', route: `#/${host}` }
  const [name = '', tab = 'graph', ...rest] = parts
  const isTab = host === 'applications' && NAME.test(name) && TABS.has(tab) && rest.length === 0
  return isTab ? { kind: 'show', route: `#/applications/${name}/${tab}` } : undefined
}

/** The link among the words that a program was started with. */
export function deepLinkIn(words: readonly string[]): DeepLink | undefined {
  const word = words.find((one) => one.startsWith('plumbline:'))
  return word === undefined ? undefined : readDeepLink(word)
}
