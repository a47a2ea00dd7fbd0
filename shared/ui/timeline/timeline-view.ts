import { html, nothing, type TemplateResult } from 'lit-html'
import type { Timeline } from '../../model/front.ts'
import { HEALTH_MARKS } from '../../view/marks.ts'
import { RESULT_MARKS } from '../../view/sync-track.ts'
import { duration } from '../../view/time.ts'
import { countOf } from '../../view/words.ts'
import { sheet, View } from '../element.ts'
import { icon } from '../icons.ts'
import { markView } from '../mark-view.ts'
import { toneOf } from '../theme.ts'
import { TIMELINE_CSS } from './timeline-css.ts'
import { layoutTimeline, type Lane, type Span, type TimelineLayout, type TimelineRow } from './timeline-layout.ts'

export type TimelineProps = {
  readonly timeline: Timeline
  /** Another run of the same plan, drawn below: what was predicted. */
  readonly beside?: Beside
  /** It can be played from its start: a rehearsal. */
  readonly playable: boolean
}

export type Beside = {
  readonly timeline: Timeline
  /** What the upper and the lower bars are. */
  readonly legend: string
  /** Who is meant by "the rehearsal said created". */
  readonly who: string
}

const css = sheet(TIMELINE_CSS)
/** However long it took, playing it takes so long. */
const PLAY_MS = 6000

/** One lane for each hook phase and wave, one bar for each step, and how its object fared under it. */
export class TimelineView extends View<TimelineProps> {
  /** From 0 to 1 while it plays or is held; undefined when it shows the whole. */
  #at: number | undefined
  #frame = 0
  #closed: ReadonlySet<string> = new Set()

  constructor() {
    super(css)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    cancelAnimationFrame(this.#frame)
  }

  protected draw({ timeline, beside, playable }: TimelineProps): TemplateResult {
    const layout = layoutTimeline(timeline, beside?.timeline)
    const now = this.#at ?? layout.now
    return html`
      <div class="head">
        ${playable ? this.#player(timeline) : nothing}
        ${beside === undefined ? nothing : html`<p class="legend muted">${beside.legend}</p>`}
        ${
          timeline.untimed === true
            ? html`<p class="muted">Nobody watched this sync: what its steps did is known, not when.</p>`
            : nothing
        }
      </div>
      ${layout.ticks.length === 0 ? nothing : html`<div class="scale" aria-hidden="true">${this.#scale(layout)}</div>`}
      <div class="lanes" role="list" aria-label="Waves">
        ${layout.lanes.map((lane) => this.#lane(lane, now, timeline.untimed === true))}
      </div>
    `
  }

  #player({ totalMs }: Timeline): TemplateResult {
    const playing = this.#frame !== 0
    const at = this.#at ?? 1
    return html`<div class="row">
      <button @click=${() => this.#play()}>
        ${icon(playing ? 'debug-pause' : 'debug-start')}${playing ? 'Pause' : 'Play'}
      </button>
      <input
        type="range"
        min="0"
        max="1000"
        aria-label="Time in the rehearsal"
        aria-valuetext=${duration(at * totalMs)}
        .value=${String(Math.round(at * 1000))}
        @input=${(event: Event) => this.#hold(Number((event.target as HTMLInputElement).value) / 1000)}
      />
      <span class="muted">${duration(at * totalMs)} of ${duration(totalMs)}</span>
    </div>`
  }

  #scale({ ticks }: TimelineLayout): TemplateResult {
    return html`<div class="ticks">
      ${ticks.map(({ at, label }) => html`<span .style=${`left:${at * 100}%`}>${label}</span>`)}
    </div>`
  }

  #lane({ stage, rows, span }: Lane, now: number | undefined, untimed: boolean): TemplateResult {
    const closed = this.#closed.has(stage)
    const failed = rows.filter(({ result }) => result === 'failed').length
    const done = rows.filter(({ result, bar }) => result !== 'running' && (now === undefined || bar.to <= now)).length
    return html`<section role="listitem" aria-label=${stage}>
      <button class="stage quiet" aria-expanded=${!closed} @click=${() => this.#fold(stage)}>
        ${icon(closed ? 'chevron-right' : 'chevron-down')}
        <span class="cut">${stage}</span>
        <span class="muted">${done === rows.length ? countOf(rows.length, 'step') : `${done}/${rows.length}`}</span>
        ${failed === 0 ? nothing : html`<span class="tone-red">${failed} failed</span>`}
      </button>
      ${closed && !untimed ? html`<div class="folded"><div class="track">${bar(span, 'lane-bar', '')}</div></div>` : nothing}
      ${
        closed
          ? nothing
          : html`<ul>
              ${rows.map((row) => this.#row(row, now, untimed))}
            </ul>`
      }
    </section>`
  }

  #row(row: TimelineRow, now: number | undefined, untimed: boolean): TemplateResult {
    const started = now === undefined || row.bar.from <= now
    const ended = now === undefined || row.bar.to <= now
    const result = !started ? 'pending' : ended ? row.result : 'running'
    const mark = RESULT_MARKS[result]
    const health = started ? row.health.filter(({ from }) => now === undefined || from <= now) : []
    const last = health.at(-1)
    return html`<li class="${row.beside === undefined ? '' : 'both'} ${row.differs ? 'differs' : ''}">
      <span class="label cut" title=${row.label}
        >${row.label}${row.hook ? html` <span class="tag">hook</span>` : nothing}</span
      >
      <span class="result">${markView(mark, row.message)}<span class="muted took">${ended ? row.took : ''}</span></span>
      ${
        untimed
          ? html`<span class="message muted cut" title=${row.message}
              >${row.message === row.result ? '' : row.message}</span
            >`
          : html`<div class="track" aria-hidden="true">
              ${started ? bar(shorten(row.bar, now), `bar ${toneOf(mark)} ${row.hook ? 'hook' : ''}`, row.message) : nothing}
              ${health.map((part) => bar(shorten(part, now), `health ${toneOf(HEALTH_MARKS[part.status])}`, part.status))}
              ${row.beside === undefined ? nothing : bar(row.beside, `beside ${toneOf(RESULT_MARKS[row.beside.result])}`, `${this.props.beside?.who ?? ''}: ${row.beside.result}`)}
              ${nowLine(now)}
            </div>`
      }
      ${row.differs && row.beside !== undefined ? html`<span class="difference tone-yellow">${this.props.beside?.who} said ${row.beside.result}</span>` : nothing}
      ${row.result === 'failed' && ended && row.message !== '' ? html`<span class="difference break tone-red">${row.message}</span>` : nothing}
      ${last === undefined ? nothing : html`<span class="visually-hidden">${last.status}</span>`}
    </li>`
  }

  #fold(stage: string): void {
    const closed = new Set(this.#closed)
    if (!closed.delete(stage)) closed.add(stage)
    this.#closed = closed
    this.redraw()
  }

  #hold(at: number): void {
    cancelAnimationFrame(this.#frame)
    this.#frame = 0
    this.#at = at >= 1 ? undefined : at
    this.redraw()
  }

  #play(): void {
    if (this.#frame !== 0) return this.#hold(this.#at ?? 1)
    const from = this.#at ?? 0
    const start = performance.now() - from * PLAY_MS
    const step = (time: number): void => {
      const at = (time - start) / PLAY_MS
      if (at >= 1) return this.#hold(1)
      this.#at = Math.max(0, at)
      this.#frame = requestAnimationFrame(step)
      this.redraw()
    }
    this.#frame = requestAnimationFrame(step)
    this.redraw()
  }
}

function bar({ from, to }: Span, name: string, title: string): TemplateResult {
  return html`<div class=${name} title=${title} .style=${`left:${from * 100}%;width:${(to - from) * 100}%`}></div>`
}

function nowLine(now: number | undefined): TemplateResult | typeof nothing {
  return now === undefined ? nothing : html`<div class="now" .style=${`left:${now * 100}%`}></div>`
}

/** What of it has happened until now. */
function shorten(span: Span, now: number | undefined): Span {
  return now === undefined || span.to <= now ? span : { from: span.from, to: Math.max(span.from, now) }
}
