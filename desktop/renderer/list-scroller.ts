import { html, nothing, type TemplateResult } from 'lit-html'
import type { ApplicationSummary } from '../../shared/model/front.ts'
import { applicationLine, applicationTile, groupLine } from './application-lines.ts'
import { listItems, type ListItem, type SortKey } from './application-list.ts'
import type { ListView } from './list-view.ts'
import { rowsInView } from './virtual-window.ts'

export type ScrollerOptions = {
  readonly selected: ReadonlySet<string>
  readonly onSelect: (name: string, selected: boolean) => void
  readonly onSort: (sort: SortKey) => void
  readonly onFold: (name: string) => void
}

const ROW = 40
const TILE = { width: 270, height: 118, gap: 10, margin: 20 } as const

const COLUMNS: readonly (readonly [string, string, SortKey | undefined])[] = [
  ['name', 'Name', 'name'],
  ['sync', 'Sync', 'state'],
  ['health', 'Health', undefined],
  ['revision', 'Revision', undefined],
  ['destination', 'Destination', 'cluster'],
  ['drift', 'Drift', undefined],
]

/** Draws only what is seen of a long list, and draws anew as it is scrolled. */
export class ListScroller {
  readonly #redraw: () => void
  #element: HTMLElement | undefined
  #observer: ResizeObserver | undefined
  #top = 0
  #size = { width: 1000, height: 800 }
  #queued = false
  #memo:
    | { readonly all: readonly ApplicationSummary[]; readonly view: ListView; readonly items: readonly ListItem[] }
    | undefined

  constructor(redraw: () => void) {
    this.#redraw = redraw
  }

  draw(all: readonly ApplicationSummary[], view: ListView, options: ScrollerOptions): TemplateResult {
    const items = this.#items(all, view)
    if (items.length === 0) return html`<div class="empty"><p>Nothing matches this filter.</p></div>`
    return view.layout === 'tiles' ? this.#tiles(items) : this.#table(items, view, options)
  }

  /** Follows the element that scrolls, whichever it is after a drawing. */
  watch(element: HTMLElement | null): void {
    if (element === (this.#element ?? null)) return
    this.release()
    if (element === null) return
    this.#element = element
    this.#top = 0
    element.addEventListener('scroll', this.#onScroll, { passive: true })
    this.#observer = new ResizeObserver(() => {
      this.#size = { width: element.clientWidth, height: element.clientHeight }
      this.#redraw()
    })
    this.#observer.observe(element)
  }

  release(): void {
    this.#observer?.disconnect()
    this.#element?.removeEventListener('scroll', this.#onScroll)
    this.#element = undefined
  }

  readonly #onScroll = (): void => {
    if (this.#queued) return
    this.#queued = true
    requestAnimationFrame(() => {
      this.#queued = false
      this.#top = this.#element?.scrollTop ?? 0
      this.#redraw()
    })
  }

  #items(all: readonly ApplicationSummary[], view: ListView): readonly ListItem[] {
    if (this.#memo?.all === all && this.#memo.view === view) return this.#memo.items
    const items = listItems(all, view)
    this.#memo = { all, view, items }
    return items
  }

  #table(
    items: readonly ListItem[],
    { sort }: ListView,
    { selected, onSelect, onSort, onFold }: ScrollerOptions,
  ): TemplateResult {
    const { from, to } = rowsInView(this.#top, this.#size.height, ROW, items.length)
    return html`<div
      class="scroll"
      role="grid"
      tabindex="0"
      aria-label="Applications"
      aria-rowcount=${items.length + 1}
      @keydown=${moveFocus}
    >
      <div class="row-line heads" role="row" aria-rowindex="1">
        <span role="columnheader"><span class="visually-hidden">Select</span></span>
        ${COLUMNS.map(
          ([name, title, key]) =>
            html`<span
              role="columnheader"
              class=${name}
              aria-sort=${key === undefined ? nothing : key === sort ? 'ascending' : 'none'}
              >${
                key === undefined
                  ? title
                  : html`<button aria-sort=${key === sort ? 'ascending' : nothing} @click=${() => onSort(key)}>
                      ${title}${key === sort ? ' ↓' : ''}
                    </button>`
              }</span
            >`,
        )}
      </div>
      <div class="rows" role="rowgroup" .style=${`height:${items.length * ROW}px`}>
        ${items.slice(from, to).map((item, offset) => {
          const index = from + offset
          const place = `top:${index * ROW}px`
          return item.kind === 'group'
            ? groupLine(item, place, onFold)
            : applicationLine(item.summary, { selected: selected.has(item.summary.name), index, place, onSelect })
        })}
      </div>
    </div>`
  }

  #tiles(items: readonly ListItem[]): TemplateResult {
    const all = items.flatMap((item) => (item.kind === 'application' ? [item.summary] : []))
    const room = this.#size.width - 2 * TILE.margin + TILE.gap
    const columns = Math.max(1, Math.floor(room / (TILE.width + TILE.gap)))
    const width = Math.floor(room / columns) - TILE.gap
    const step = TILE.height + TILE.gap
    const rows = Math.ceil(all.length / columns)
    const { from, to } = rowsInView(this.#top, this.#size.height, step, rows)
    return html`<div class="scroll" role="list" aria-label="Applications">
      <div .style=${`height:${rows * step + TILE.gap}px`} role="presentation"></div>
      ${all.slice(from * columns, to * columns).map((summary, offset) => {
        const index = from * columns + offset
        const left = TILE.margin + (index % columns) * (width + TILE.gap)
        const top = TILE.gap + Math.floor(index / columns) * step
        return applicationTile(summary, `left:${left}px;top:${top}px;width:${width}px;height:${TILE.height}px`)
      })}
    </div>`
  }
}

/** Arrow keys go from name to name. */
function moveFocus(event: KeyboardEvent): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (step === 0) return
  const list = event.currentTarget as HTMLElement
  const links = [...list.querySelectorAll<HTMLElement>('a.name')].sort(
    (a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top,
  )
  const at = links.findIndex((link) => link.matches(':focus'))
  const next = links[at < 0 ? 0 : at + step]
  if (next === undefined) return
  event.preventDefault()
  next.focus({ preventScroll: true })
  next.scrollIntoView({ block: 'nearest' })
}
