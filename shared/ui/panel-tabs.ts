import { html, nothing, type TemplateResult } from 'lit-html'
import type { ApplicationSnapshot } from '../model/status.ts'

export type Tab = 'graph' | 'diff' | 'timeline' | 'history' | 'events'

export const TABS: readonly (readonly [Tab, string])[] = [
  ['graph', 'Graph'],
  ['diff', 'Diff'],
  ['timeline', 'Timeline'],
  ['history', 'History'],
  ['events', 'Events and logs'],
]

export function isTab(word: string): word is Tab {
  return TABS.some(([tab]) => tab === word)
}

/** The tabs, with how many objects differ. Arrow keys move between them. */
export function tabBar(current: Tab, { resources }: ApplicationSnapshot, onGo: (tab: Tab) => void): TemplateResult {
  const differing = resources.filter(({ drift }) => drift.state !== 'synced').length
  const move = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    const next = TABS.at((TABS.findIndex(([tab]) => tab === current) + step) % TABS.length)
    if (step === 0 || next === undefined) return
    event.preventDefault()
    onGo(next[0])
    const bar = event.currentTarget as HTMLElement
    setTimeout(() => bar.querySelector<HTMLElement>('[aria-selected="true"]')?.focus(), 0)
  }
  return html`<div class="tabs" role="tablist" aria-label="Views" @keydown=${move}>
    ${TABS.map(
      ([tab, title]) =>
        html`<button
          class="quiet"
          role="tab"
          id=${`tab-${tab}`}
          aria-selected=${tab === current}
          aria-controls="tabpanel"
          tabindex=${tab === current ? 0 : -1}
          @click=${() => onGo(tab)}
        >
          ${title}${tab === 'diff' && differing > 0 ? html`<span class="count">${differing}</span>` : nothing}
        </button>`,
    )}
  </div>`
}
