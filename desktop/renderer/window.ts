import { html, nothing, type TemplateResult } from 'lit-html'
import { keyed } from 'lit-html/directives/keyed.js'
import type { ApplicationSummary, FrontAbilities, WorkspaceState } from '../../shared/model/front.ts'
import { sheet, View } from '../../shared/ui/element.ts'
import { notify, notifyError } from '../../shared/ui/notice.ts'
import type { MessageHost } from '../../shared/ui/message-host.ts'
import { readRoute, writeRoute, type Page, type Route } from '../../shared/ui/route.ts'
import type { HostEvent } from '../../shared/view/host.ts'
import type { Command } from './palette.ts'
import type { PageProps } from './page.ts'
import { ENTRIES, SIDE_CSS, sideBar } from './side-bar.ts'
import type { LinkState } from './window-channel.ts'

export type WindowProps = { readonly host: MessageHost; readonly link: LinkState | undefined }

const css = sheet(`
:host { display: block; height: 100%; }
.shell { display: grid; grid-template-columns: 214px minmax(0, 1fr); height: 100%; min-height: 0; }
.page { min-height: 0; min-width: 0; overflow: hidden; display: grid; grid-template-rows: auto minmax(0, 1fr); }
.page > :last-child { min-height: 0; }
.bars { display: grid; }
.bar { padding: 6px 20px; background: var(--pl-warn-bg); border-bottom: 1px solid var(--pl-line); }
.application { display: grid; grid-template-rows: auto minmax(0, 1fr); height: 100%; min-height: 0; }
.crumbs { padding: 8px 16px 0; color: var(--pl-muted); }
${SIDE_CSS}
`)

const NOWHERE: WorkspaceState = {
  kind: 'starting',
  workspace: '',
  context: '',
  production: false,
  simulated: false,
  failures: [],
}
const PLAIN: FrontAbilities = { front: 'browser', openFiles: false, editFiles: false, pickFolders: false, version: '' }

/** The window: side bar, page, palette; what all pages share is kept here. */
export class WindowShell extends View<WindowProps> {
  #route: Route = readRoute(location.hash)
  #workspace = NOWHERE
  #abilities = PLAIN
  #known = new Map<string, ApplicationSummary>()
  #applications: readonly ApplicationSummary[] = []
  #agent = ''
  #palette = false
  #creating = false
  #begun = false
  /** Another connection has another front behind it: pages ask it anew. */
  #connection = 0

  constructor() {
    super(css)
  }

  protected override entered(): void {
    const { lifetime: signal } = this
    window.addEventListener('hashchange', () => this.#arrive(), { signal })
    window.addEventListener('keydown', (event) => this.#onKey(event), { signal })
    queueMicrotask(() => this.props.host.onEvent((event) => this.#onEvent(event)))
  }

  protected override received({ link, host }: WindowProps, before: WindowProps | undefined): void {
    if (link?.kind === 'open' && before?.link?.kind !== 'open') void this.#begin()
    else if (link !== undefined && link.kind !== 'open') host.lost(link.words)
  }

  protected draw({ link }: WindowProps): TemplateResult {
    const out = this.#applications.filter(({ sync }) => sync === 'OutOfSync').length
    return html`<div class="shell">
        ${sideBar(this.#route.page, out, this.#workspace, () => this.#openPalette())}
        <div class="page" role="main">
          <div class="bars">
            ${link === undefined || link.kind === 'open' ? nothing : html`<p class="bar" role="alert">${link.words}</p>`}
            ${this.#agent === '' ? nothing : html`<p class="bar" role="status">${this.#agent}</p>`}
          </div>
          ${this.#begun ? keyed(this.#connection, this.#page()) : html`<div class="empty" role="status"><p>Starting…</p></div>`}
        </div>
      </div>
      ${this.#palette ? html`<pl-palette .props=${{ commands: this.#commands(), onClose: this.#closePalette }}></pl-palette>` : nothing}
      ${this.#creating ? html`<pl-new-application .props=${{ host: this.props.host, context: this.#workspace.context, onClose: this.#created }}></pl-new-application>` : nothing}
      <pl-toasts></pl-toasts>`
  }

  #page(): TemplateResult {
    const route = this.#route
    const { host } = this.props
    const common: PageProps = { host, route, workspace: this.#workspace, abilities: this.#abilities, onGo: this.#go }
    switch (route.page) {
      case 'applications':
        return route.name === ''
          ? html`<pl-applications
              .props=${{ ...common, applications: this.#applications, onNew: this.#create }}
            ></pl-applications>`
          : this.#application(route)
      case 'clusters':
        return route.name === 'new'
          ? html`<pl-new-cluster .props=${common}></pl-new-cluster>`
          : html`<pl-clusters .props=${common}></pl-clusters>`
      case 'contexts':
        return html`<pl-contexts .props=${common}></pl-contexts>`
      case 'rehearsals':
        return html`<pl-rehearsals .props=${common}></pl-rehearsals>`
      case 'repositories':
        return html`<pl-repositories .props=${common}></pl-repositories>`
      case 'keys':
        return html`<pl-keys .props=${common}></pl-keys>`
      case 'settings':
        return html`<pl-settings .props=${common}></pl-settings>`
      case 'first-run':
        return html`<pl-first-run .props=${common}></pl-first-run>`
    }
  }

  #application({ name, tab, key }: Route): TemplateResult {
    const onGo = (nextTab: Route['tab'], nextKey: string): void =>
      this.#go({ page: 'applications', name, tab: nextTab, key: nextKey })
    const { host } = this.props
    return html`<div class="application">
      <p class="crumbs">
        <a href=${writeRoute({ page: 'applications' })}>Applications</a> / <span class="break">${name}</span>
      </p>
      <pl-panel .props=${{ host, application: name, abilities: this.#abilities, tab, key, onGo }}></pl-panel>
    </div>`
  }

  #commands(): readonly Command[] {
    const pages = ENTRIES.map(({ page, title, picture }): Command => ({
      title,
      hint: 'page',
      picture,
      act: () => this.#go({ page }),
    }))
    const applications = this.#applications.map(({ name, context, sync }): Command => ({
      title: name,
      hint: `${sync} · ${context}`,
      picture: 'layers',
      act: () => this.#go({ page: 'applications', name, tab: 'graph' }),
    }))
    const acts: readonly Command[] = [
      { title: 'New application', hint: 'command', picture: 'add', act: this.#create },
      { title: 'New cluster', hint: 'command', picture: 'add', act: () => this.#go({ page: 'clusters', name: 'new' }) },
      { title: 'Refresh all applications', hint: 'command', picture: 'refresh', act: () => this.#refresh() },
      { title: 'Open a repository', hint: 'command', picture: 'folder', act: () => this.#go({ page: 'first-run' }) },
    ]
    return [...pages, ...acts, ...applications]
  }

  #onKey(event: KeyboardEvent): void {
    if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
    event.preventDefault()
    this.#openPalette()
  }

  #onEvent(event: HostEvent): void {
    switch (event.kind) {
      case 'applications':
        for (const summary of event.changed) this.#known.set(summary.name, summary)
        for (const name of event.gone) this.#known.delete(name)
        this.#applications = [...this.#known.values()]
        break
      case 'workspace':
        this.#enter(event.state)
        break
      case 'navigate':
        location.hash = event.route
        return
      case 'agent':
        this.#agent = event.state === 'running' ? '' : event.message
        break
      case 'toast':
        notify(this, { severity: event.severity, text: event.text })
        return
      case 'snapshot':
      case 'sync':
      case 'failed':
      case 'stale':
        return
    }
    this.redraw()
  }

  /** What was opened anew is asked for anew; another repository has other applications, so the former ones are forgotten. */
  #enter(state: WorkspaceState): void {
    const { workspace, context, kind } = this.#workspace
    this.#workspace = state
    const other = state.workspace !== workspace || state.context !== context
    if (other) {
      this.#known.clear()
      this.#applications = []
    }
    if (other || (state.kind === 'ready' && kind !== 'ready')) void this.#watch()
  }

  async #begin(): Promise<void> {
    const { host } = this.props
    try {
      this.#abilities = await host.request('hello', null)
      this.#workspace = await host.request('workspace/state', null)
      if (this.#workspace.kind === 'none' && location.hash === '') location.hash = writeRoute({ page: 'first-run' })
      await this.#watch()
    } catch (error) {
      notifyError(this, error, 'The window could not begin')
    }
    this.#begun = true
    this.#connection += 1
    this.redraw()
  }

  async #watch(): Promise<void> {
    if (this.#workspace.kind === 'none') return
    const known = await this.props.host.request('applications/watch', null).catch(() => [])
    this.#known = new Map(known.map((summary) => [summary.name, summary]))
    this.#applications = known
    this.redraw()
  }

  #arrive(): void {
    this.#route = readRoute(location.hash)
    const { name, page } = this.#route
    document.title = `${name || ENTRIES.find((entry) => entry.page === page)?.title || 'Welcome'} · Plumbline`
    this.redraw()
  }

  #refresh(): void {
    this.props.host
      .request('application/refresh', { hard: false })
      .catch((error: unknown) => notifyError(this, error, 'The applications were not refreshed'))
  }

  readonly #go = (route: Partial<Route> & { readonly page: Page }): void => {
    location.hash = writeRoute(route)
  }
  readonly #create = (): void => {
    this.#creating = true
    this.redraw()
  }
  readonly #created = (): void => {
    this.#creating = false
    this.redraw()
  }
  readonly #closePalette = (): void => {
    this.#palette = false
    this.redraw()
  }
  #openPalette(): void {
    this.#palette = true
    this.redraw()
  }
}
