import { html, nothing, type TemplateResult } from 'lit-html'
import type { ApplicationSummary } from '../../shared/model/front.ts'
import { DialogView, type DialogParts } from '../../shared/ui/dialog.ts'
import { sheet } from '../../shared/ui/element.ts'
import { HostError, type Host } from '../../shared/ui/message-host.ts'
import { notify } from '../../shared/ui/notice.ts'
import { outcomeWords } from '../../shared/view/outcome-rows.ts'
import { planWords } from '../../shared/view/plan-rows.ts'
import type { PlanShown } from '../../shared/view/host.ts'
import { countOf } from '../../shared/view/words.ts'

export type BulkSyncProps = {
  readonly host: Host
  readonly applications: readonly ApplicationSummary[]
  readonly onClose: () => void
}

type Planned =
  | { readonly kind: 'plan'; readonly shown: PlanShown }
  | { readonly kind: 'problem'; readonly words: string }

const css = sheet(`
ul { border: 1px solid var(--pl-line); border-radius: 5px; max-height: 45vh; overflow: auto; }
li { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1.4fr); gap: 10px; padding: 5px 10px; border-bottom: 1px solid var(--pl-line); }
`)

/** Syncs several applications, one after the other, each as its plan here says. Nothing is pruned. */
export class BulkSync extends DialogView<BulkSyncProps> {
  #plans: ReadonlyMap<string, Planned> = new Map()
  #typed = ''

  constructor() {
    super(css)
  }

  protected override entered(): void {
    queueMicrotask(() => void this.#plan())
  }

  protected parts({ applications }: BulkSyncProps): DialogParts {
    const production = this.#production()
    const ready = this.#plans.size === applications.length && (production === undefined || production === this.#typed)
    return {
      title: `Sync ${countOf(applications.length, 'application')}`,
      body: html`
        <p class="muted">One after the other. Nothing is pruned: what Git no longer has stays.</p>
        <ul>
          ${applications.map(({ name }) => this.#line(name))}
        </ul>
        ${
          production === undefined
            ? nothing
            : html`<label class="field note warning">
                <span>${production} is production. Type its name to go on.</span>
                <input
                  autocomplete="off"
                  spellcheck="false"
                  .value=${this.#typed}
                  @input=${(event: Event) => ((this.#typed = (event.target as HTMLInputElement).value), this.redraw())}
                />
              </label>`
        }
      `,
      buttons: html`
        <button @click=${() => this.close()}>Cancel</button>
        <button class="primary" ?disabled=${!ready} @click=${() => this.#confirm()}>
          Sync ${countOf(this.#due().length, 'application')}
        </button>
      `,
    }
  }

  #line(name: string): TemplateResult {
    const planned = this.#plans.get(name)
    const words =
      planned === undefined ? 'planning…' : planned.kind === 'plan' ? planWords(planned.shown.plan) : planned.words
    return html`<li>
      <span class="break">${name}</span
      ><span class="break ${planned?.kind === 'problem' ? 'tone-red' : 'muted'}">${words}</span>
    </li>`
  }

  #production(): string | undefined {
    for (const planned of this.#plans.values())
      if (planned.kind === 'plan' && planned.shown.production) return planned.shown.context
    return undefined
  }

  #due(): readonly string[] {
    return [...this.#plans].flatMap(([name, planned]) => (planned.kind === 'plan' ? [name] : []))
  }

  async #plan(): Promise<void> {
    const { host, applications } = this.props
    for (const { name } of applications) {
      let planned: Planned
      try {
        planned = {
          kind: 'plan',
          shown: await host.request('application/plan', { application: name, prune: false }, { signal: this.lifetime }),
        }
      } catch (error) {
        if (HostError.is(error, 'cancelled')) return
        planned = { kind: 'problem', words: error instanceof Error ? error.message : String(error) }
      }
      this.#plans = new Map(this.#plans).set(name, planned)
      this.redraw()
    }
  }

  #confirm(): void {
    const { host } = this.props
    const names = this.#due()
    const typed = this.#typed === '' ? {} : { typedName: this.#typed }
    void syncEach(host, names, typed)
    this.close()
  }
}

async function syncEach(host: Host, names: readonly string[], typed: { readonly typedName?: string }): Promise<void> {
  for (const application of names) {
    try {
      const outcome = await host.request('application/sync', { application, prune: false, ...typed })
      if (outcome !== null) notify(document, { severity: 'info', text: `${application}: ${outcomeWords(outcome)}` })
    } catch (error) {
      notify(document, {
        severity: 'error',
        text: `${application}: ${error instanceof Error ? error.message : String(error)}`,
      })
    }
  }
}
