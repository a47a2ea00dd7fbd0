import { html, nothing, type TemplateResult } from 'lit-html'
import { repeat } from 'lit-html/directives/repeat.js'
import type { EventRow, LogLine } from '../model/front.ts'
import { resourceKey, type ResourceId } from '../model/kubernetes.ts'
import type { ApplicationSnapshot } from '../model/status.ts'
import { objectLabel } from '../view/words.ts'
import { sheet, View } from './element.ts'
import { icon } from './icons.ts'
import { levelOf, mergeEvents, type LogLevel } from './log-lines.ts'
import { ago } from './mark-view.ts'
import { HostError, type Host } from './message-host.ts'

export type EventsProps = {
  readonly host: Host
  readonly snapshot: ApplicationSnapshot
  /** Key of the pod whose log is shown; empty for the events. */
  readonly pod: string
  readonly now: number
  readonly onPod: (key: string) => void
}

const css = sheet(`
:host { display: grid; grid-template-rows: auto minmax(0, 1fr); height: 100%; min-height: 0; }
.bar { display: flex; gap: 8px; align-items: center; flex-wrap: wrap; padding: 8px 16px; border-bottom: 1px solid var(--pl-line); }
.bar select { max-width: 320px; }
.list { overflow: auto; padding: 0 16px 12px; }
.event { display: grid; grid-template-columns: 20px 110px minmax(0, 1fr); gap: 2px 8px; padding: 7px 0; border-bottom: 1px solid var(--pl-line); content-visibility: auto; contain-intrinsic-size: auto 52px; }
.event .about { grid-column: 3; font-size: 0.92em; }
.log { font-family: var(--pl-mono); font-size: 0.94em; line-height: 1.5; padding-top: 8px; }
.line { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 10px; content-visibility: auto; contain-intrinsic-size: auto 20px; }
.line span:last-child { white-space: pre-wrap; overflow-wrap: anywhere; }
.line.warning { color: var(--pl-yellow); } .line.error { color: var(--pl-red); }
@container (max-width: 640px) { .event { grid-template-columns: 20px minmax(0, 1fr); } .event .when { grid-column: 2; } .event .about { grid-column: 2; } .list { padding-inline: 10px; } }
`)

/** Older lines make room. */
const MOST_LINES = 5000
const TAIL = 500
const LEVELS: readonly (readonly [LogLevel, string])[] = [
  ['info', 'All'],
  ['warning', 'Warnings and errors'],
  ['error', 'Errors'],
]

/** What the cluster says about the objects, and what their pods print; both go on by themselves. */
export class EventsView extends View<EventsProps> {
  #events: readonly EventRow[] = []
  #lines: readonly LogLine[] = []
  #level: LogLevel = 'info'
  #problem = ''
  #following = true
  #source = ''
  #reading: AbortController | undefined

  constructor() {
    super(css)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#reading?.abort()
    this.#source = ''
  }

  protected override received({ snapshot, pod }: EventsProps): void {
    const source = `${snapshot.application.name}|${pod}`
    if (source === this.#source) return
    this.#source = source
    void this.#read()
  }

  protected draw({ snapshot, pod }: EventsProps): TemplateResult {
    const pods = snapshot.tree.filter(({ id }) => id.kind === 'Pod' && id.group === '')
    return html`
      <div class="bar">
        <select
          aria-label="What to show"
          @change=${(event: Event) => this.props.onPod((event.target as HTMLSelectElement).value)}
        >
          <option value="" ?selected=${pod === ''}>Events</option>
          ${pods.map(({ id }) => html`<option value=${resourceKey(id)} ?selected=${pod === resourceKey(id)}>Log of ${id.name}</option>`)}
        </select>
        <select
          aria-label="Level"
          @change=${(event: Event) => this.#choose((event.target as HTMLSelectElement).value as LogLevel)}
        >
          ${LEVELS.map(([level, words]) => html`<option value=${level} ?selected=${level === this.#level}>${words}</option>`)}
        </select>
        <button
          class="quiet"
          aria-pressed=${this.#following}
          @click=${() => ((this.#following = !this.#following), this.redraw())}
        >
          ${icon(this.#following ? 'debug-pause' : 'debug-start')}Follow
        </button>
        <span class="muted" role="status">${this.#problem === '' ? this.#words() : nothing}</span>
      </div>
      <div
        class="list"
        tabindex="0"
        role="log"
        aria-live="off"
        aria-label=${pod === '' ? 'Events' : 'Log'}
        @wheel=${() => this.#pause()}
      >
        ${this.#problem === '' ? nothing : html`<p class="note error" role="alert">${this.#problem}</p>`}
        ${pod === '' ? this.#eventList() : this.#logList()}
      </div>
    `
  }

  protected override drawn(): void {
    const list = this.root.querySelector('.list')
    if (this.#following && list !== null) list.scrollTop = this.props.pod === '' ? 0 : list.scrollHeight
  }

  #words(): string {
    return this.#following ? 'following' : 'stopped, new lines are kept'
  }

  #pause(): void {
    if (this.props.pod === '' || !this.#following) return
    this.#following = false
    this.redraw()
  }

  #eventList(): TemplateResult {
    const shown = this.#level === 'info' ? this.#events : this.#events.filter(({ type }) => type === 'Warning')
    if (shown.length === 0)
      return html`<div class="empty">
        <p>
          ${this.#events.length === 0 ? 'There are no events. The cluster keeps them for an hour.' : 'No event has this level.'}
        </p>
      </div>`
    return html`${repeat(
      shown,
      ({ uid }) => uid,
      (event) => this.#event(event),
    )}`
  }

  #event({ type, reason, message, about, time, count, source }: EventRow): TemplateResult {
    const warning = type === 'Warning'
    return html`<div class="event">
      <span class=${warning ? 'tone-yellow' : 'muted'} title=${type}
        >${icon(warning ? 'warning' : 'info')}<span class="visually-hidden">${type}</span></span
      >
      <span class="muted when">${ago(time, this.props.now)}${count > 1 ? ` ×${count}` : ''}</span>
      <span class="break"><strong>${reason}</strong> ${message}</span>
      <span class="about muted break">${objectLabel(about)}${source === '' ? '' : ` · ${source}`}</span>
    </div>`
  }

  #logList(): TemplateResult {
    const shown = this.#lines
      .map((line) => ({ line, level: levelOf(line.text) }))
      .filter(({ level }) => RANK[level] >= RANK[this.#level])
    if (shown.length === 0)
      return html`<div class="empty">
        <p>${this.#lines.length === 0 ? 'It has printed nothing yet.' : 'No line has this level.'}</p>
      </div>`
    const several = new Set(this.#lines.map(({ container }) => container)).size > 1
    const head = ({ time, container }: LogLine): string => `${clockOf(time)}${several ? ` ${container}` : ''}`
    return html`<div class="log">
      ${shown.map(({ line, level }) => html`<div class="line ${level}"><span class="muted">${head(line)}</span><span>${line.text}</span></div>`)}
    </div>`
  }

  #choose(level: LogLevel): void {
    this.#level = level
    this.redraw()
  }

  async #read(): Promise<void> {
    this.#reading?.abort()
    const reading = new AbortController()
    this.#reading = reading
    this.#events = []
    this.#lines = []
    this.#problem = ''
    const { host, snapshot, pod } = this.props
    const application = snapshot.application.name
    const { signal } = reading
    try {
      const id = podOf(snapshot, pod)
      if (id === undefined)
        await host.request('application/events', { application }, { signal, onPart: (part) => this.#addEvents(part) })
      else
        await host.request(
          'application/logs',
          { application, pod: id, tail: TAIL },
          { signal, onPart: (part) => this.#addLines(part) },
        )
    } catch (error) {
      if (this.#reading !== reading || HostError.is(error, 'cancelled')) return
      this.#problem = error instanceof Error ? error.message : String(error)
      this.redraw()
    }
  }

  #addEvents(part: readonly EventRow[]): void {
    this.#events = mergeEvents(this.#events, part)
    this.redraw()
  }

  #addLines(part: readonly LogLine[]): void {
    this.#lines = [...this.#lines, ...part].slice(-MOST_LINES)
    this.redraw()
  }
}

const RANK: Readonly<Record<LogLevel, number>> = { info: 0, warning: 1, error: 2 }

function podOf(snapshot: ApplicationSnapshot, key: string): ResourceId | undefined {
  return key === '' ? undefined : snapshot.tree.find(({ id }) => resourceKey(id) === key)?.id
}

function clockOf(time: string): string {
  return /T(\d\d:\d\d:\d\d)/.exec(time)?.[1] ?? ''
}
