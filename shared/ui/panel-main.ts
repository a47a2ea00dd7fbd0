import { html, render } from 'lit-html'
import type { FrontAbilities } from '../model/front.ts'
import { definePanel } from './elements.ts'
import { sheet } from './element.ts'
import { MessageHost } from './message-host.ts'
import { isTab, type Tab } from './panel-tabs.ts'
import { readRoute } from './route.ts'
import { THEME } from './theme.ts'
import { webviewChannel } from './webview-channel.ts'

type Shown = { readonly application: string; readonly tab: Tab; readonly key: string }

/** The page of the extension's webview: one application, where it was before a reload. */
document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet(THEME)]
definePanel()
const host = new MessageHost(webviewChannel())
let shown = restored(host.getState()) ?? asked()
let abilities: FrontAbilities = { front: 'vscode', openFiles: true, editFiles: true, pickFolders: true, version: '' }

host.onEvent((event) => {
  if (event.kind !== 'navigate') return
  const route = readRoute(event.route)
  if (route.page === 'applications' && route.name !== '')
    show({ application: route.name, tab: route.tab, key: route.key })
})
show(shown)
// Without an answer the front can do what every editor can.
abilities = await host.request('hello', null).catch(() => abilities)
draw()

function show(next: Shown): void {
  shown = next
  host.setState(next)
  draw()
}

function draw(): void {
  const { application, tab, key } = shown
  const onGo = (nextTab: Tab, nextKey: string): void => show({ application, tab: nextTab, key: nextKey })
  const holder =
    document.querySelector('plumbline-panel') ?? document.body.appendChild(document.createElement('plumbline-panel'))
  render(
    html`<pl-panel .props=${{ host, application, abilities, tab, key, onGo }}></pl-panel><pl-toasts></pl-toasts>`,
    holder as HTMLElement,
  )
}

/** What the extension wrote into the page. */
function asked(): Shown {
  const { application = '', tab = '', key = '' } = document.body.dataset
  return { application, tab: isTab(tab) ? tab : 'graph', key }
}

function restored(state: unknown): Shown | undefined {
  if (typeof state !== 'object' || state === null) return undefined
  const { application, tab, key } = state as { readonly [name: string]: unknown }
  if (typeof application !== 'string' || typeof tab !== 'string' || !isTab(tab) || typeof key !== 'string')
    return undefined
  const { application: wanted } = document.body.dataset
  return wanted === undefined || wanted === application ? { application, tab, key } : undefined
}
