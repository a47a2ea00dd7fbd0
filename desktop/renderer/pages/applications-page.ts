import { html, nothing, type TemplateResult } from 'lit-html'
import type { ApplicationSummary, SavedView } from '../../../shared/model/front.ts'
import { sheet, View } from '../../../shared/ui/element.ts'
import { icon } from '../../../shared/ui/icons.ts'
import { notify, notifyError } from '../../../shared/ui/notice.ts'
import { toneOf } from '../../../shared/ui/theme.ts'
import { HEALTH_MARKS, SYNC_MARKS } from '../../../shared/view/marks.ts'
import { countOf } from '../../../shared/view/words.ts'
import { filtered, tallies, type GroupKey, type SortKey } from '../application-list.ts'
import { APPLICATIONS_CSS } from '../applications-css.ts'
import { DEFAULT_VIEW, readView, writeView, type ListView } from '../list-view.ts'
import { ListScroller } from '../list-scroller.ts'
import type { PageProps } from '../page.ts'

export type ApplicationsProps = PageProps & {
  readonly applications: readonly ApplicationSummary[]
  readonly onNew: () => void
}

const css = sheet(APPLICATIONS_CSS)

/** All applications of the workspace: table or tiles, filtered, sorted, grouped, and in bulk. */
export class ApplicationsPage extends View<ApplicationsProps> {
  #view: ListView = DEFAULT_VIEW
  #saved: readonly SavedView[] = []
  #selected: ReadonlySet<string> = new Set()
  #question: 'bulk' | 'save' | undefined
  readonly #scroller = new ListScroller(() => this.redraw())

  constructor() {
    super(css)
  }

  protected override entered(): void {
    queueMicrotask(() => {
      this.#view = readView(this.props.host.getState())
      void this.#askViews()
      this.redraw()
    })
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#scroller.release()
  }

  protected draw({ applications }: ApplicationsProps): TemplateResult {
    return html`
      <div class="head">
        <h1>Applications</h1>
        <span class="muted" role="status">${this.#words(applications)}</span>
        <span class="grow"></span>
        <button @click=${() => void this.#refreshAll()}>${icon('refresh')}Refresh all</button>
        <button @click=${this.props.onNew}>${icon('add')}New application</button>
      </div>
      ${applications.length === 0 ? html`<div></div>` : this.#filters(applications)}
      ${this.#selected.size === 0 ? html`<div class="bulk"></div>` : this.#bulk()}
      ${applications.length === 0 ? this.#empty() : this.#list(applications)} ${this.#dialog()}
    `
  }

  protected override drawn(): void {
    this.#scroller.watch(this.root.querySelector<HTMLElement>('.scroll'))
  }

  #words(applications: readonly ApplicationSummary[]): string {
    const shown = filtered(applications, this.#view.filter).length
    const all = countOf(applications.length, 'application')
    return shown === applications.length ? all : `${shown} of ${all}`
  }

  #filters(applications: readonly ApplicationSummary[]): TemplateResult {
    const { filter, group, layout } = this.#view
    return html`<div class="filters">
      <input
        type="search"
        placeholder="Filter"
        title="Words, and state:OutOfSync, project:web, cluster:prod, label:team=web"
        aria-label="Filter"
        .value=${filter}
        @input=${(event: Event) => this.#change({ filter: valueOf(event) })}
      />
      ${tallies(applications).map(({ word, count }) => this.#chip(word, count))}
      <span class="grow"></span>
      <label
        ><span>Group</span>
        <select @change=${(event: Event) => this.#change({ group: valueOf(event) as GroupKey })}>
          ${(['none', 'project', 'cluster', 'state'] as const).map((key) => html`<option value=${key} ?selected=${key === group}>${key === 'none' ? 'not grouped' : `by ${key}`}</option>`)}
        </select>
      </label>
      ${this.#views()}
      <button
        class="quiet icon"
        aria-pressed=${layout === 'table'}
        title="Table"
        aria-label="Table"
        @click=${() => this.#change({ layout: 'table' })}
      >
        ${icon('list-flat')}
      </button>
      <button
        class="quiet icon"
        aria-pressed=${layout === 'tiles'}
        title="Tiles"
        aria-label="Tiles"
        @click=${() => this.#change({ layout: 'tiles' })}
      >
        ${icon('layers')}
      </button>
    </div>`
  }

  #chip(word: string, count: number): TemplateResult {
    const term = `state:${word.toLowerCase()}`
    const on = this.#view.filter.split(/\s+/).includes(term)
    const marks: Readonly<Record<string, (typeof HEALTH_MARKS)['Healthy']>> = { ...HEALTH_MARKS, ...SYNC_MARKS }
    const mark = marks[word] ?? SYNC_MARKS.Unknown
    const without = this.#view.filter.split(/\s+/).filter((part) => !part.startsWith('state:'))
    return html`<button
      class="chip"
      aria-pressed=${on}
      @click=${() => this.#change({ filter: [...without, ...(on ? [] : [term])].join(' ').trim() })}
    >
      <span class=${toneOf(mark)}>${icon(mark.codicon.replace('~spin', ''))}</span>${word} ${count}
    </button>`
  }

  #views(): TemplateResult {
    const items = [
      ...this.#saved.map((saved) => ({
        title: saved.name,
        act: () => this.#change({ ...saved, sort: saved.sort as SortKey, group: saved.group as GroupKey }),
      })),
      { title: 'Save this view…', act: () => this.#ask('save') },
      ...this.#saved.map(({ name }) => ({
        title: `Forget ${name}`,
        act: () => this.#keepViews(this.#saved.filter((saved) => saved.name !== name)),
      })),
    ]
    return html`<pl-menu .props=${{ title: 'Saved views', items }}></pl-menu>`
  }

  #bulk(): TemplateResult {
    return html`<div class="bulk" role="toolbar" aria-label="Selected applications">
      <span>${this.#selected.size} selected</span>
      <button @click=${() => void this.#refreshThese()}>${icon('refresh')}Refresh</button>
      <button @click=${() => this.#ask('bulk')}>${icon('sync')}Sync…</button>
      <button class="quiet" @click=${() => this.#select(new Set())}>Clear</button>
    </div>`
  }

  #list(applications: readonly ApplicationSummary[]): TemplateResult {
    return this.#scroller.draw(applications, this.#view, {
      selected: this.#selected,
      onSelect: (name, selected) => {
        const next = new Set(this.#selected)
        if (selected) next.add(name)
        else next.delete(name)
        this.#select(next)
      },
      onSort: (sort) => this.#change({ sort }),
      onFold: (name) => {
        const closed = new Set(this.#view.closed)
        if (!closed.delete(name)) closed.add(name)
        this.#change({ closed })
      },
    })
  }

  #empty(): TemplateResult {
    const { kind, failures } = this.props.workspace
    if (kind === 'starting') return html`<div class="empty"><p role="status">Looking for applications…</p></div>`
    return html`<div class="empty">
      ${icon('layers')} ${failures.map(({ message }) => html`<p class="note error" role="alert">${message}</p>`)}
      ${
        kind === 'none'
          ? html`<p>No repository is open.</p>
              <button class="primary" @click=${() => this.props.onGo({ page: 'first-run' })}>Open one</button>`
          : html`<p>No Application was found in this folder.</p>
              <button class="primary" @click=${this.props.onNew}>Create one from a folder</button>`
      }
    </div>`
  }

  #dialog(): TemplateResult | typeof nothing {
    const { host, applications } = this.props
    const onClose = (): void => this.#ask(undefined)
    if (this.#question === 'bulk') {
      const chosen = applications.filter(({ name }) => this.#selected.has(name))
      return html`<pl-bulk-sync .props=${{ host, applications: chosen, onClose }}></pl-bulk-sync>`
    }
    if (this.#question !== 'save') return nothing
    const field = {
      key: 'name',
      title: 'Name',
      description: 'The filter, the order and the groups are kept.',
      kind: 'text',
      choices: [],
      value: '',
      required: true,
    }
    const onSubmit = ({ name }: Readonly<Record<string, unknown>>): void => this.#save(String(name).trim())
    return html`<pl-form-dialog
      .props=${{ title: 'Save this view', words: '', button: 'Save', fields: [field], onClose, onSubmit }}
    ></pl-form-dialog>`
  }

  #change(change: Partial<ListView>): void {
    this.#view = { ...this.#view, ...change }
    this.props.host.setState(writeView(this.props.host.getState(), this.#view))
    this.redraw()
  }

  #select(selected: ReadonlySet<string>): void {
    this.#selected = selected
    this.redraw()
  }

  #ask(question: 'bulk' | 'save' | undefined): void {
    this.#question = question
    this.redraw()
  }

  #save(name: string): void {
    const { filter, sort, group } = this.#view
    this.#keepViews([...this.#saved.filter((saved) => saved.name !== name), { name, filter, sort, group }])
  }

  #keepViews(views: readonly SavedView[]): void {
    this.#saved = views
    this.props.host
      .request('applications/save-views', { views })
      .catch((error: unknown) => notifyError(this, error, 'The view was not kept'))
    this.redraw()
  }

  async #askViews(): Promise<void> {
    this.#saved = await this.props.host.request('applications/views', null).catch(() => [])
    this.redraw()
  }

  async #refreshAll(): Promise<void> {
    try {
      await this.props.host.request('application/refresh', { hard: false })
      notify(this, { severity: 'info', text: 'All applications are looked at again.' })
    } catch (error) {
      notifyError(this, error, 'The applications were not refreshed')
    }
  }

  async #refreshThese(): Promise<void> {
    const { host } = this.props
    const asked = [...this.#selected].map(async (application) =>
      host.request('application/refresh', { application, hard: false }),
    )
    const failed = (await Promise.allSettled(asked)).filter(({ status }) => status === 'rejected').length
    if (failed > 0)
      notify(this, { severity: 'error', text: `${countOf(failed, 'application')} could not be refreshed` })
  }
}

function valueOf(event: Event): string {
  return (event.target as HTMLSelectElement).value
}
