import { html, nothing, svg, type TemplateResult } from 'lit-html'
import { repeat } from 'lit-html/directives/repeat.js'
import type { ApplicationSnapshot } from '../../model/status.ts'
import { countOf } from '../../view/words.ts'
import { sheet, View } from '../element.ts'
import { icon } from '../icons.ts'
import { markIcon } from '../mark-view.ts'
import { toneOf } from '../theme.ts'
import { drag } from './drag.ts'
import { GRAPH_CSS } from './graph-css.ts'
import {
  between,
  layoutGraph,
  neighbour,
  NODE_HEIGHT,
  NODE_WIDTH,
  type GraphLayout,
  type PlacedNode,
} from './graph-layout.ts'
import { buildGraph, stateCounts, type GraphNode, type StateCount } from './graph-model.ts'
import { begin, fit, pan, reveal, zoomAt, type Viewport } from './viewport.ts'

export type GraphProps = {
  readonly snapshot: ApplicationSnapshot
  /** The node whose details are shown. */
  readonly selected: string
  readonly onSelect: (node: GraphNode | undefined) => void
}

const css = sheet(GRAPH_CSS)
/** Of larger pictures only what is near the window is drawn. */
const MOST_DRAWN = 800
/** What is near is found anew after so many pixels of the picture. */
const STRIPE = 600

/** The resource graph: what the application manages and what that owns, left to right. */
export class GraphView extends View<GraphProps> {
  #search = ''
  #state = ''
  #toggled: ReadonlySet<string> = new Set()
  #focus = 'application'
  #view: Viewport = { x: 0, y: 0, scale: 1 }
  #met = false
  #drawnFrom = 0
  #layout: GraphLayout | undefined
  #counts: readonly StateCount[] = []

  constructor() {
    super(css)
  }

  protected override received({ snapshot }: GraphProps, before: GraphProps | undefined): void {
    if (snapshot !== before?.snapshot) this.#lay(snapshot)
  }

  protected draw({ selected }: GraphProps): TemplateResult {
    const layout = this.#layout
    return html`
      ${this.#bar()}
      <div
        class="stage"
        @pointerdown=${(event: PointerEvent) => this.#startPan(event)}
        @wheel=${{ handleEvent: (event: WheelEvent) => this.#onWheel(event), passive: false }}
        @keydown=${(event: KeyboardEvent) => this.#onKey(event)}
      >
        ${
          layout === undefined || layout.nodes.length < 2
            ? html`<div class="empty"><p>${this.#emptyWords()}</p></div>`
            : this.#picture(layout, selected)
        }
      </div>
    `
  }

  protected override drawn(): void {
    if (!this.#met && this.#window().width > 0) {
      this.#met = true
      this.#view = begin(this.#size(), this.#window())
    }
    this.#move(this.#view)
  }

  #emptyWords(): string {
    return this.#search !== '' || this.#state !== ''
      ? 'Nothing matches this filter.'
      : 'This application manages no objects yet.'
  }

  #bar(): TemplateResult {
    return html`<div class="bar">
      <input
        type="search"
        placeholder="Find an object"
        aria-label="Find an object"
        .value=${this.#search}
        @input=${(event: InputEvent) => this.#filter((event.target as HTMLInputElement).value, this.#state)}
      />
      <div class="chips" role="group" aria-label="Filter by state">
        ${this.#counts.map(
          ({ word, mark, count }) =>
            html`<button
              class="chip"
              aria-pressed=${this.#state === word}
              @click=${() => this.#filter(this.#search, this.#state === word ? '' : word)}
            >
              <span class=${toneOf(mark)}>${icon(mark.codicon.replace('~spin', ''))}</span>${word} ${count}
            </button>`,
        )}
      </div>
      <div class="zoom" role="group" aria-label="Zoom">
        ${this.#zoomButton('zoom-out', 'Zoom out', () => this.#zoom(0.8))}
        ${this.#zoomButton('zoom-in', 'Zoom in', () => this.#zoom(1.25))}
        ${this.#zoomButton('screen-full', 'Fit the graph into the window', () => this.#fit())}
      </div>
    </div>`
  }

  #zoomButton(picture: string, title: string, act: () => void): TemplateResult {
    return html`<button class="quiet icon" title=${title} aria-label=${title} @click=${act}>${icon(picture)}</button>`
  }

  #picture(layout: GraphLayout, selected: string): TemplateResult {
    const { width, height } = layout
    const [top, bottom] = this.#near()
    this.#drawnFrom = top
    const { nodes, edges, bands } = layout.nodes.length > MOST_DRAWN ? between(layout, top, bottom) : layout
    return html`<div class="layer" role="tree" aria-label="Resources">
      <svg width=${width} height=${height} aria-hidden="true">
        ${edges.map(({ path, loud }) => svg`<path d=${path} class=${loud ? 'loud' : ''}></path>`)}
      </svg>
      ${bands.map(({ label, x, y }) => html`<div class="band" .style=${`left:${x}px;top:${y}px`}>${label}</div>`)}
      ${repeat(
        nodes,
        ({ node }) => node.id,
        (placed) => this.#node(placed, selected),
      )}
    </div>`
  }

  #node({ node, x, y, depth, position, siblings }: PlacedNode, selected: string): TemplateResult {
    const { id, kind, title, type, mark, health, detail, loud, children, open } = node
    const words = [type, title, mark.word, health?.word ?? '', detail].filter((word) => word !== '').join(', ')
    return html`<div
      class="node ${kind} ${loud ? `loud ${toneOf(health?.word === 'Degraded' ? health : mark)}` : ''}"
      role="treeitem"
      id=${`node-${id}`}
      aria-level=${depth + 1}
      aria-posinset=${position}
      aria-setsize=${siblings}
      aria-selected=${id === selected}
      aria-expanded=${children.length === 0 ? nothing : open}
      aria-label=${words}
      title=${`${type} ${title}${detail === '' ? '' : `\n${detail}`}`}
      tabindex=${id === this.#focus ? 0 : -1}
      .style=${`left:${x}px;top:${y}px`}
      @click=${() => this.#select(node)}
      @focus=${() => this.#focused(id)}
    >
      <span class="name cut">${title}</span>
      <span class="marks">
        ${mark.word === '' ? nothing : markIcon(mark)}
        ${health === undefined || health.word === mark.word ? nothing : markIcon(health)}
        ${
          children.length === 0 || kind === 'application'
            ? nothing
            : html`<button
                class="quiet icon fold"
                tabindex="-1"
                title=${open ? 'Fold' : `Show ${countOf(children.length, 'object')}`}
                @click=${(event: Event) => (event.stopPropagation(), this.#toggle(id))}
              >
                ${icon(open ? 'chevron-down' : 'chevron-right')}
              </button>`
        }
      </span>
      <span class="sub cut">${[type, detail].filter((part) => part !== '').join(' · ')}</span>
    </div>`
  }

  #lay(snapshot: ApplicationSnapshot): void {
    const options = { search: this.#search, state: this.#state, toggled: this.#toggled }
    this.#layout = layoutGraph(buildGraph(snapshot, options))
    this.#counts = stateCounts(snapshot)
    if (!this.#layout.nodes.some(({ node }) => node.id === this.#focus)) this.#focus = 'application'
  }

  #filter(search: string, state: string): void {
    this.#search = search
    this.#state = state
    this.#lay(this.props.snapshot)
    this.#view = { ...this.#view, x: 0, y: 0 }
    this.redraw()
  }

  #toggle(id: string): void {
    const toggled = new Set(this.#toggled)
    if (!toggled.delete(id)) toggled.add(id)
    this.#toggled = toggled
    this.#lay(this.props.snapshot)
    this.redraw()
  }

  #select(node: GraphNode): void {
    this.#focus = node.id
    if (node.kind === 'group') this.#toggle(node.id)
    else this.props.onSelect(node)
    this.redraw()
  }

  #focused(id: string): void {
    if (this.#focus === id) return
    this.#focus = id
    this.redraw()
  }

  #onKey(event: KeyboardEvent): void {
    const placed = this.#layout?.nodes.find(({ node }) => node.id === this.#focus)
    if (placed === undefined || this.#layout === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    const { node } = placed
    const { key } = event
    if (key === 'Enter' || key === ' ') this.#select(node)
    else if (key === '+' || key === '=') this.#zoom(1.25)
    else if (key === '-') this.#zoom(0.8)
    else if (key === '0') this.#fit()
    else if (key === 'Escape') this.props.onSelect(undefined)
    else if (key === 'ArrowRight' && !node.open && node.children.length > 0) this.#toggle(node.id)
    else if (key === 'ArrowLeft' && node.open && node.kind !== 'application' && node.children.length > 0)
      this.#toggle(node.id)
    else {
      const next = neighbour(this.#layout, node.id, key)
      if (next === undefined) return
      this.#goTo(next)
    }
    event.preventDefault()
  }

  #goTo({ node, x, y }: PlacedNode): void {
    this.#focus = node.id
    this.#move(reveal(this.#view, { x, y, width: NODE_WIDTH, height: NODE_HEIGHT }, this.#window()))
    this.redraw()
    queueMicrotask(() => this.root.getElementById(`node-${node.id}`)?.focus({ preventScroll: true }))
  }

  #startPan(event: PointerEvent): void {
    const from = this.#view
    drag(event, (by) => this.#move(pan(from, by, this.#size(), this.#window())))
  }

  #onWheel(event: WheelEvent): void {
    event.preventDefault()
    if (event.ctrlKey || event.metaKey) {
      const box = (event.currentTarget as HTMLElement).getBoundingClientRect()
      const at = { x: event.clientX - box.x, y: event.clientY - box.y }
      this.#move(zoomAt(this.#view, Math.exp(-event.deltaY / 300), at))
    } else this.#move(pan(this.#view, { x: -event.deltaX, y: -event.deltaY }, this.#size(), this.#window()))
  }

  #zoom(factor: number): void {
    const { width, height } = this.#window()
    this.#move(zoomAt(this.#view, factor, { x: width / 2, y: height / 2 }))
  }

  #fit(): void {
    this.#move(fit(this.#size(), this.#window()))
  }

  #move(view: Viewport): void {
    this.#view = view
    const layer = this.root.querySelector<HTMLElement>('.layer')
    if (layer !== null) layer.style.transform = `translate(${view.x}px, ${view.y}px) scale(${view.scale})`
    if (this.#layout !== undefined && this.#layout.nodes.length > MOST_DRAWN && this.#near()[0] !== this.#drawnFrom)
      this.redraw()
  }

  /** The heights of the picture between which things are drawn: the window and a stripe around it. */
  #near(): readonly [number, number] {
    const { y, scale } = this.#view
    const top = Math.floor(-y / scale / STRIPE) * STRIPE
    return [top - STRIPE, top + 2 * STRIPE + this.#window().height / scale]
  }

  #size(): { readonly width: number; readonly height: number } {
    return this.#layout ?? { width: 0, height: 0 }
  }

  #window(): { readonly width: number; readonly height: number } {
    const stage = this.root.querySelector('.stage')
    return { width: stage?.clientWidth ?? 0, height: stage?.clientHeight ?? 0 }
  }
}
