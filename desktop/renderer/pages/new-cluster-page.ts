import { html, nothing, type TemplateResult } from 'lit-html'
import type { ClusterShown, FormValue, ProviderShown, TaskPart } from '../../../shared/model/front.ts'
import { sheet, View } from '../../../shared/ui/element.ts'
import { icon } from '../../../shared/ui/icons.ts'
import { HostError } from '../../../shared/ui/message-host.ts'
import { notifyError } from '../../../shared/ui/notice.ts'
import { duration } from '../../../shared/view/time.ts'
import { formField } from '../form-fields.ts'
import type { PageProps } from '../page.ts'
import { TASK_CSS, taskSteps, withPart, type TaskState } from '../task-steps.ts'

const css = sheet(`
:host { display: block; height: 100%; overflow: auto; padding: 14px 20px 24px; container-type: inline-size; }
.form { display: grid; gap: 14px; max-width: 1040px; padding-top: 10px; }
.providers { display: grid; gap: 10px; grid-template-columns: repeat(auto-fill, minmax(min(230px, 100%), 1fr)); }
.provider { display: grid; gap: 4px; padding: 10px 12px; border: 1px solid var(--pl-line); border-radius: 8px; cursor: pointer; align-content: start; }
.provider:has(:checked) { border-color: var(--pl-focus); background: var(--pl-selected); color: var(--pl-selected-fg); }
.provider:has(:focus-visible) { outline: 2px solid var(--pl-focus); outline-offset: 1px; }
.provider input { position: absolute; opacity: 0; }
.provider small { font-size: 0.92em; }
.fields { display: grid; gap: 12px; max-width: 640px; }
details .fields { padding-top: 10px; }
${TASK_CSS}
`)

type Making = TaskState & {
  readonly startedAt: number
  readonly abort: AbortController
  readonly made?: ClusterShown
  readonly problem?: string
}

/** Makes a cluster: first where, with what is missing said at once, then three questions, then the steps as they go. */
export class NewClusterPage extends View<PageProps> {
  #providers: readonly ProviderShown[] | undefined
  #chosen = ''
  #values: Readonly<Record<string, FormValue>> = {}
  #making: Making | undefined
  #ticking = 0

  constructor() {
    super(css)
  }

  protected override entered(): void {
    queueMicrotask(() => void this.#ask())
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    clearInterval(this.#ticking)
  }

  protected draw(): TemplateResult {
    const provider = this.#providers?.find(({ name }) => name === this.#chosen)
    return html`
      <h1>New cluster</h1>
      ${
        this.#making !== undefined
          ? this.#progress(this.#making)
          : html`<form class="form" @submit=${(event: Event) => (event.preventDefault(), void this.#create())}>
              ${
                this.#providers === undefined
                  ? html`<p class="muted" role="status">Looking for what is installed…</p>`
                  : html`<div class="providers" role="radiogroup" aria-label="Provider">
                      ${this.#providers.map((one) => this.#provider(one))}
                    </div>`
              }
              ${provider === undefined ? nothing : this.#questions(provider)}
            </form>`
      }
    `
  }

  #provider({ name, title, description, ready, found, missing }: ProviderShown): TemplateResult {
    return html`<label class="provider">
      <input
        type="radio"
        name="provider"
        .checked=${name === this.#chosen}
        @change=${() => ((this.#chosen = name), (this.#values = {}), this.redraw())}
      />
      <strong>${title}</strong>
      <small>${description}</small>
      <small class="row">
        <span class=${ready ? 'tone-green' : 'tone-yellow'}>${icon(ready ? 'pass' : 'warning')}</span
        ><span>${ready ? found || 'ready' : missingWords(missing.map(({ what }) => what))}</span>
      </small>
    </label>`
  }

  #questions({ missing, ready, fields }: ProviderShown): TemplateResult {
    const shown = (field: ProviderShown['fields'][number]): TemplateResult =>
      formField(field, this.#values[field.key] ?? field.value, (value) => {
        this.#values = { ...this.#values, [field.key]: value }
      })
    return html`
      ${missing.map(({ what, todo }) => html`<p class="note warning"><strong>${what} is missing.</strong> ${todo}</p>`)}
      <div class="fields">${fields.slice(0, 3).map(shown)}</div>
      ${
        fields.length <= 3
          ? nothing
          : html`<details>
              <summary>More</summary>
              <div class="fields">${fields.slice(3).map(shown)}</div>
            </details>`
      }
      <div class="row"><button class="primary" type="submit" ?disabled=${!ready}>Create</button></div>
    `
  }

  #progress(making: Making): TemplateResult {
    const { made, problem, startedAt, abort } = making
    const running = made === undefined && problem === undefined
    return html`<div class="form">
      ${taskSteps(making)}
      ${running ? html`<p class="muted" role="status">${duration(Date.now() - startedAt)}</p>` : nothing}
      ${problem === undefined ? nothing : html`<p class="note error" role="alert">${problem}</p>`}
      ${made === undefined ? nothing : this.#done(made)}
      <div class="row">
        ${running ? html`<button @click=${() => abort.abort()}>${icon('debug-stop')}Cancel</button>` : nothing}
        ${problem === undefined ? nothing : html`<button @click=${() => this.#again()}>Back to the form</button>`}
      </div>
    </div>`
  }

  #done(cluster: ClusterShown): TemplateResult {
    const { name, provider } = cluster
    const act = (action: 'use' | 'install-agent'): void => {
      const params = { name, provider, action }
      this.props.host
        .request('clusters/act', params)
        .then(() => this.props.onGo({ page: 'clusters' }))
        .catch((error: unknown) => notifyError(this, error, name))
    }
    return html`<p class="row tone-green">${icon('pass')}<span>${name} is running</span></p>
      <div class="row wrap">
        <button class="primary" @click=${() => act('use')}>Set as current</button>
        <button @click=${() => act('install-agent')}>Install agent</button>
        <button @click=${() => this.props.onGo({ page: 'clusters' })}>All clusters</button>
      </div>`
  }

  async #ask(): Promise<void> {
    try {
      this.#providers = await this.props.host.request('clusters/providers', null, { signal: this.lifetime })
      this.#chosen ||= (this.#providers.find(({ ready }) => ready) ?? this.#providers[0])?.name ?? ''
      this.redraw()
    } catch (error) {
      notifyError(this, error, 'The providers could not be asked')
    }
  }

  async #create(): Promise<void> {
    const provider = this.#providers?.find(({ name }) => name === this.#chosen)
    if (provider === undefined || !provider.ready) return
    const fields = Object.fromEntries(provider.fields.map(({ key, value }) => [key, this.#values[key] ?? value]))
    const abort = new AbortController()
    this.#making = { steps: [], lines: [], startedAt: Date.now(), abort }
    this.#ticking = window.setInterval(() => this.redraw(), 1000)
    this.redraw()
    const params = { provider: provider.name, fields }
    const onPart = (part: TaskPart): void => this.#update((making) => ({ ...making, ...withPart(making, part) }))
    try {
      const made = await this.props.host.request('clusters/create', params, { signal: abort.signal, onPart })
      this.#update((making) => ({ ...making, made }))
    } catch (error) {
      if (HostError.is(error, 'cancelled')) return this.#again()
      const problem = error instanceof Error ? error.message : String(error)
      this.#update((making) => ({ ...making, problem }))
    } finally {
      clearInterval(this.#ticking)
    }
  }

  #update(change: (making: Making) => Making): void {
    if (this.#making !== undefined) this.#making = change(this.#making)
    this.redraw()
  }

  #again(): void {
    this.#making = undefined
    this.redraw()
  }
}

/** `kind and docker are missing`. */
function missingWords(names: readonly string[]): string {
  if (names.length === 0) return 'it is not ready'
  const last = names.at(-1) ?? ''
  return names.length === 1 ? `${last} is missing` : `${names.slice(0, -1).join(', ')} and ${last} are missing`
}
