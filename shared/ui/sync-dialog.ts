import { html, nothing, type TemplateResult } from 'lit-html'
import type { ResourceId } from '../model/kubernetes.ts'
import { resourceKey } from '../model/kubernetes.ts'
import { effectWords } from '../view/effect-words.ts'
import type { PlanShown, SyncChoice } from '../view/host.ts'
import { STEP_MARKS } from '../view/marks.ts'
import { planRows, planWords, type PlanRow } from '../view/plan-rows.ts'
import { countOf, objectLabel } from '../view/words.ts'
import { DialogView, type DialogParts } from './dialog.ts'
import { sheet } from './element.ts'
import { markView } from './mark-view.ts'
import { HostError, type Host } from './message-host.ts'

export type SyncDialogProps = {
  readonly host: Host
  readonly application: string
  /** Only these objects; all when absent. */
  readonly only?: readonly ResourceId[]
  readonly onClose: () => void
  /** The person confirmed: what to sync, and the name that they typed. */
  readonly onSync: (choice: SyncChoice, typedName: string | undefined) => void
}

const css = sheet(`
.options { display: grid; grid-template-columns: repeat(auto-fill, minmax(220px, 1fr)); gap: 8px 16px; }
.plan { border: 1px solid var(--pl-line); border-radius: 5px; max-height: 38vh; overflow: auto; }
.plan li { display: grid; grid-template-columns: 110px minmax(0, 1fr); gap: 2px 8px; padding: 5px 10px; border-bottom: 1px solid var(--pl-line); }
.plan li:last-child { border-bottom: 0; }
.plan .more { grid-column: 2; font-size: 0.92em; }
.plan .stage { position: sticky; top: 0; background: var(--pl-side); display: block; font-weight: 600; padding: 3px 10px; }
.counts { font-size: 1.1em; font-weight: 600; }
`)

/** More names than these are counted. */
const MOST_NAMES = 20

const OPTIONS = [
  ['prune', 'Prune', 'delete what Git no longer has'],
  ['applyOutOfSyncOnly', 'Only what is out of sync', 'leave the rest unsent'],
  ['force', 'Force', 'delete and make anew what cannot be changed'],
  ['replace', 'Replace', 'replace objects instead of applying'],
] as const

/** Confirms a sync: options, the whole plan, what is deleted, and the context's name where it is production. */
export class SyncDialog extends DialogView<SyncDialogProps> {
  #choice: SyncChoice = { prune: false }
  #shown: PlanShown | undefined
  #problem = ''
  #typed = ''
  /** Keys of steps that the person left out. */
  #left: ReadonlySet<string> = new Set()
  #settling = 0
  #asking: AbortController | undefined

  constructor() {
    super(css)
  }

  protected override received(_: SyncDialogProps, before: SyncDialogProps | undefined): void {
    if (before === undefined) void this.#ask()
  }

  protected parts({ application, only }: SyncDialogProps): DialogParts {
    const what =
      only === undefined
        ? application
        : only.length === 1 && only[0]
          ? objectLabel(only[0])
          : `${only.length} objects of ${application}`
    return {
      title: `Sync ${what}`,
      body: html`
        <div class="options" role="group" aria-label="Options">
          ${OPTIONS.map(([key, title, words]) => this.#option(key, title, words))}
        </div>
        ${this.#revision()} ${this.#planView()}
        ${this.#shown?.production === true ? this.#production(this.#shown.context) : nothing}
      `,
      buttons: html`
        <button @click=${() => this.close()}>Cancel</button>
        <button class="primary" ?disabled=${!this.#ready()} @click=${() => this.#confirm()}>${this.#words()}</button>
      `,
    }
  }

  #option(key: (typeof OPTIONS)[number][0], title: string, words: string): TemplateResult {
    return html`<label class="option">
      <input
        type="checkbox"
        .checked=${this.#choice[key] === true}
        @change=${(event: Event) => this.#set({ [key]: (event.target as HTMLInputElement).checked })}
      />
      <span>${title}<small>${words}</small></span>
    </label>`
  }

  #revision(): TemplateResult {
    return html`<details>
      <summary class="muted">Another revision</summary>
      <label class="field">
        <span class="visually-hidden">Revision</span>
        <input
          placeholder="as the application names it; a branch, tag, commit, or WORKTREE for files on disk"
          spellcheck="false"
          .value=${this.#choice.revision ?? ''}
          @input=${(event: Event) => this.#revise((event.target as HTMLInputElement).value.trim())}
        />
      </label>
    </details>`
  }

  #planView(): TemplateResult {
    if (this.#problem !== '') return html`<p class="note error" role="alert">${this.#problem}</p>`
    if (this.#shown === undefined) return html`<p class="muted" role="status">Planning…</p>`
    const { plan } = this.#shown
    const rows = planRows(plan)
    const effects = new Map(plan.steps.map((step) => [resourceKey(step.id), step.effects.map(effectWords)]))
    let stage = ''
    return html`
      <p class="counts" role="status">${planWords(plan)}</p>
      ${this.#deletions(rows)}
      ${
        rows.length === 0
          ? html`<p class="muted">Everything is as Git says.</p>`
          : html`<ul class="plan">
              ${rows.map((row) => {
                const heading = row.stage === stage ? nothing : html`<li class="stage">${row.stage || 'wave 0'}</li>`
                stage = row.stage
                return html`${heading}${this.#step(row, effects.get(row.key) ?? [])}`
              })}
            </ul>`
      }
    `
  }

  /** What is deleted stands by itself, by name. */
  #deletions(rows: readonly PlanRow[]): TemplateResult | typeof nothing {
    const gone = rows.filter((row) => row.mark.word === STEP_MARKS.prune.word && this.#takes(row))
    if (gone.length === 0) return nothing
    const names = gone.map(({ label }) => label)
    const told =
      names.length > MOST_NAMES ? [...names.slice(0, MOST_NAMES), `and ${names.length - MOST_NAMES} more`] : names
    return html`<p class="note warning">
      ${countOf(gone.length, 'object is', 'objects are')} deleted: ${told.join(', ')}
    </p>`
  }

  #step(row: PlanRow, effects: readonly string[]): TemplateResult {
    const { key, mark, label, detail, obstacle, readiness } = row
    return html`<li>
      <label class="row">
        <input
          type="checkbox"
          aria-label=${`Sync ${label}`}
          ?disabled=${readiness === 'refused'}
          .checked=${this.#takes(row)}
          @change=${(event: Event) => this.#take(key, (event.target as HTMLInputElement).checked)}
        />
        ${markView(mark)}
      </label>
      <span class="break">${label}</span>
      ${detail === '' ? nothing : html`<span class="more muted break">${detail}</span>`}
      ${effects.map((words) => html`<span class="more break tone-orange">${words}</span>`)}
      ${obstacle === '' ? nothing : html`<span class="more break tone-red">${obstacle}</span>`}
    </li>`
  }

  #takes({ key, readiness }: PlanRow): boolean {
    return readiness !== 'refused' && !this.#left.has(key)
  }

  #take(key: string, taken: boolean): void {
    const left = new Set(this.#left)
    if (taken) left.delete(key)
    else left.add(key)
    this.#left = left
    this.redraw()
  }

  #production(context: string): TemplateResult {
    return html`<label class="field note warning">
      <span>${context} is production. Type its name to go on.</span>
      <input
        autocomplete="off"
        spellcheck="false"
        .value=${this.#typed}
        @input=${(event: Event) => ((this.#typed = (event.target as HTMLInputElement).value), this.redraw())}
      />
    </label>`
  }

  #words(): string {
    if (this.#shown === undefined) return 'Sync'
    return `Sync ${countOf(this.#taken().length, 'resource')} on ${this.#shown.context}`
  }

  #taken(): readonly PlanRow[] {
    return this.#shown === undefined ? [] : planRows(this.#shown.plan).filter((row) => this.#takes(row))
  }

  #ready(): boolean {
    if (this.#shown === undefined || (this.#left.size > 0 && this.#taken().length === 0)) return false
    return !this.#shown.production || this.#typed === this.#shown.context
  }

  /** Words are planned for once a person stops typing. */
  #revise(revision: string): void {
    const { revision: _, ...rest } = this.#choice
    this.#choice = revision === '' ? rest : { ...rest, revision }
    clearTimeout(this.#settling)
    this.#settling = window.setTimeout(() => void this.#ask(), 500)
  }

  #set(change: Partial<SyncChoice>): void {
    this.#choice = { ...this.#choice, ...change }
    void this.#ask()
  }

  #confirm(): void {
    if (!this.#ready()) return
    const choice =
      this.#left.size === 0 ? this.#whole() : { ...this.#choice, only: this.#taken().map(({ key }) => key) }
    this.props.onSync(choice, this.#shown?.production === true ? this.#typed : undefined)
    this.close()
  }

  #whole(): SyncChoice {
    const { only } = this.props
    return only === undefined ? this.#choice : { ...this.#choice, only: only.map(resourceKey) }
  }

  async #ask(): Promise<void> {
    this.#asking?.abort()
    const asking = new AbortController()
    this.#asking = asking
    this.#shown = undefined
    this.#problem = ''
    this.redraw()
    const { host, application } = this.props
    try {
      const shown = await host.request(
        'application/plan',
        { application, ...this.#whole() },
        { signal: AbortSignal.any([asking.signal, this.lifetime]) },
      )
      if (this.#asking === asking) this.#shown = shown
    } catch (error) {
      if (this.#asking !== asking || HostError.is(error, 'cancelled')) return
      this.#problem = error instanceof Error ? error.message : String(error)
    }
    this.redraw()
  }
}
