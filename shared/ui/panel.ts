import { html, nothing, type TemplateResult } from 'lit-html'
import type { FrontAbilities } from '../model/front.ts'
import type { ResourceId } from '../model/kubernetes.ts'
import type { HostEvent } from '../view/host.ts'
import type { ApplicationSnapshot } from '../model/status.ts'
import { timelineOf, timelineOfOutcome, trackHealth, trackSync, type SyncTrack } from '../view/sync-track.ts'
import { sheet, View } from './element.ts'
import type { GraphNode } from './graph/graph-model.ts'
import type { Host } from './message-host.ts'
import { notifyError } from './notice.ts'
import { PanelActions } from './panel-actions.ts'
import { PANEL_CSS } from './panel-css.ts'
import { rehearsingView } from './rehearsing.ts'
import { HEADER_CSS, panelHeader } from './panel-header.ts'
import { isTab, tabBar, type Tab } from './panel-tabs.ts'

export type PanelProps = {
  readonly host: Host
  readonly application: string
  readonly abilities: FrontAbilities
  readonly tab: Tab
  /** `resourceKey` of the object that is looked at; empty for none. */
  readonly key: string
  readonly onGo: (tab: Tab, key: string) => void
}

const css = sheet(PANEL_CSS + HEADER_CSS)
/** Relative times are told anew this often; a running sync's now-line more often. */
const TICK_MS = 10_000
const SYNC_TICK_MS = 200
const REHEARSAL_TICK_MS = 1000

/** Everything about one application: its graph, difference, timeline, history, events and logs. */
export class ApplicationPanel extends View<PanelProps> {
  readonly actions = new PanelActions(this)
  #snapshot: ApplicationSnapshot | undefined
  #local = false
  #track: SyncTrack | undefined
  #node: GraphNode | undefined
  #problem = ''
  #watched = ''
  /** The front's session is open; an editor never says otherwise. */
  #ready = true
  #unwatch: () => void = nothingToDo
  #ticking = 0
  #tickMs = 0

  constructor() {
    super(css)
  }

  get snapshot(): ApplicationSnapshot | undefined {
    return this.#snapshot
  }

  get track(): SyncTrack | undefined {
    return this.#track
  }

  protected override drawn(): void {
    const running = this.#track !== undefined && this.#track.endedAt === undefined
    const wanted = running ? SYNC_TICK_MS : this.actions.rehearsing === undefined ? TICK_MS : REHEARSAL_TICK_MS
    if (wanted === this.#tickMs) return
    this.#tickMs = wanted
    clearInterval(this.#ticking)
    this.#ticking = setInterval(() => this.redraw(), wanted)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    clearInterval(this.#ticking)
    this.#tickMs = 0
    this.#unwatch()
  }

  protected override received(props: PanelProps): void {
    if (props.application === this.#watched) return
    this.#unwatch()
    this.#watched = props.application
    this.#snapshot = undefined
    this.#track = undefined
    this.#node = undefined
    this.actions.reset()
    void this.#watch(props)
  }

  protected draw({ host, tab, application }: PanelProps): TemplateResult {
    const snapshot = this.#snapshot
    if (snapshot === undefined) {
      return this.#problem === ''
        ? html`<div class="empty" role="status"><p>Comparing ${application}…</p></div>`
        : html`<div class="empty"><p class="note error" role="alert">${this.#problem}</p></div>`
    }
    const now = Date.now()
    return html`
      ${panelHeader({
        snapshot,
        track: this.#track,
        now,
        refreshing: this.actions.refreshing,
        onSync: () => this.actions.askSync(),
        onRehearse: () => this.actions.askRehearse(),
        onRefresh: () => void this.actions.refresh(false),
        onTerminate: () => void this.actions.terminate(),
        problem: this.#problem,
        menu: [{ title: 'Hard refresh', act: () => void this.actions.refresh(true) }],
      })}
      ${tabBar(tab, snapshot, (next) => this.#go(next, ''))}
      <div class="tab" role="tabpanel" id="tabpanel" aria-labelledby=${`tab-${tab}`}>
        ${this.#tab(tab, snapshot, host, now)}
      </div>
      ${this.actions.dialog()}
    `
  }

  #tab(tab: Tab, snapshot: ApplicationSnapshot, host: Host, now: number): TemplateResult {
    const { key, abilities } = this.props
    const canOpen = abilities.openFiles && this.#local
    const onSync = (ids: readonly ResourceId[]): void => this.actions.askSync(ids)
    switch (tab) {
      case 'graph':
        return this.#graph(snapshot, now, canOpen)
      case 'diff': {
        const onSelect = (next: string): void => this.#go('diff', next)
        return html`<pl-diff
          .props=${{ host, snapshot, selected: key, canOpen, canEdit: abilities.editFiles, now, onSelect, onSync }}
        ></pl-diff>`
      }
      case 'timeline':
        return this.#timeline(snapshot, now)
      case 'history':
        return html`<pl-history .props=${{ host, snapshot, now, onRollback: this.actions.askRollback }}></pl-history>`
      case 'events': {
        const onPod = (pod: string): void => this.#go('events', pod)
        return html`<pl-events .props=${{ host, snapshot, pod: key, now, onPod }}></pl-events>`
      }
    }
  }

  #graph(snapshot: ApplicationSnapshot, now: number, canOpen: boolean): TemplateResult {
    const { host } = this.props
    const node = this.#node
    const details =
      node === undefined
        ? nothing
        : html`<pl-details
            .props=${{
              host,
              snapshot,
              node,
              canOpen,
              now,
              onClose: this.#deselect,
              onDiff: this.#showDiff,
              onLog: this.#showLog,
              onSync: this.#syncThese,
              onDelete: this.actions.askDelete,
            }}
          ></pl-details>`
    return html`<div class="split ${node === undefined ? '' : 'with-details'}">
      <pl-graph .props=${{ snapshot, selected: node?.id ?? '', onSelect: this.#select }}></pl-graph>
      ${details}
    </div>`
  }

  #timeline(snapshot: ApplicationSnapshot, now: number): TemplateResult {
    const { rehearsal, rehearsing } = this.actions
    if (rehearsing !== undefined) return rehearsingView(rehearsing, now)
    const track = this.#track
    const done = track === undefined ? undefined : timelineOf(track, snapshot, this.actions.plan, now)
    if (rehearsal !== undefined) {
      const after = track !== undefined && track.startedAt > Date.parse(rehearsal.startedAt) ? done : undefined
      const props = {
        rehearsal,
        now,
        ...(after === undefined ? {} : { over: { timeline: after, words: 'what happened' } }),
      }
      return html`<div class="padded"><pl-rehearsal .props=${props}></pl-rehearsal></div>`
    }
    const timeline =
      done ?? (snapshot.operation === undefined ? undefined : timelineOfOutcome(snapshot.operation, snapshot))
    if (timeline === undefined)
      return html`<div class="empty">
        <p>Nothing was synced yet.</p>
        <button @click=${() => this.actions.askRehearse()}>Rehearse the first sync</button>
      </div>`
    return html`<div class="padded"><pl-timeline .props=${{ timeline, playable: false }}></pl-timeline></div>`
  }

  readonly #select = (node: GraphNode | undefined): void => {
    this.#node = node
    this.redraw()
  }
  readonly #deselect = (): void => this.#select(undefined)
  readonly #showDiff = (key: string): void => this.#go('diff', key)
  readonly #showLog = (key: string): void => this.#go('events', key)
  readonly #syncThese = (ids: readonly ResourceId[]): void => this.actions.askSync(ids)

  #go(tab: Tab, key: string): void {
    this.props.onGo(tab, key)
  }

  /** Shows another tab from within. */
  show(tab: string): void {
    if (isTab(tab)) this.#go(tab, '')
  }

  async #watch({ host, application }: PanelProps): Promise<void> {
    const remove = host.onEvent((event) => this.#onEvent(event, application))
    this.#unwatch = () => {
      this.#unwatch = nothingToDo
      this.#watched = ''
      remove()
      host.request('application/unwatch', { application }).catch(() => undefined)
    }
    await this.#askSnapshot()
  }

  /** Asks for what is known, and for news from then on: at the beginning, and when the front has opened a session anew. */
  async #askSnapshot(): Promise<void> {
    const { host, application } = this.props
    const before = this.#snapshot
    try {
      const known = await host.request('application/watch', { application })
      if (this.#watched === application && known !== null && this.#snapshot === before)
        this.#take(known.snapshot, known.local)
    } catch (error) {
      if (this.#watched !== application) return
      this.#problem = error instanceof Error ? error.message : String(error)
      notifyError(this, error, `${application} cannot be shown`)
      this.redraw()
    }
  }

  #onEvent(event: HostEvent, application: string): void {
    if (event.kind === 'snapshot' && event.snapshot.application.name === application)
      this.#take(event.snapshot, event.local)
    else if (event.kind === 'sync' && event.application === application) {
      this.#track = trackSync(this.#track, event.event, Date.parse(event.at))
      this.redraw()
    } else if (event.kind === 'failed' && event.application === application) {
      this.#problem = event.message
      this.redraw()
    } else if (event.kind === 'workspace') {
      const opened = event.state.kind === 'ready' && !this.#ready
      this.#ready = event.state.kind === 'ready'
      if (opened) void this.#askSnapshot()
    }
  }

  #take(snapshot: ApplicationSnapshot, local: boolean): void {
    this.#snapshot = snapshot
    this.#local = local
    this.#problem = ''
    if (this.#track !== undefined) this.#track = trackHealth(this.#track, snapshot, Date.now())
    this.redraw()
  }
}

function nothingToDo(): void {}
