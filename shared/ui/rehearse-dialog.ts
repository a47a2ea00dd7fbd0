import { html, nothing, type TemplateResult } from 'lit-html'
import type { Injection } from '../model/front.ts'
import { DialogView, type DialogParts } from './dialog.ts'
import { sheet } from './element.ts'

export type RehearseChoice = {
  readonly on: string
  readonly revision?: string
  readonly prune: boolean
  readonly inject: readonly Injection[]
}

export type RehearseDialogProps = {
  readonly application: string
  readonly onClose: () => void
  readonly onRehearse: (choice: RehearseChoice) => void
}

const css = sheet(
  `.two { display: grid; gap: 10px 16px; grid-template-columns: repeat(auto-fit, minmax(min(240px, 100%), 1fr)); }`,
)

const PLACES: readonly (readonly [string, string])[] = [
  ['embedded', 'Embedded: in memory, about a second'],
  ['control-plane', 'Control plane: a real API server, no pods'],
  ['kind', 'kind: real pods, needs Docker'],
  ['minikube', 'minikube: real pods'],
]

const INJECTIONS: readonly (readonly [Injection['kind'], string])[] = [
  ['image-pull', 'an image cannot be pulled'],
  ['hook-fails', 'a hook fails'],
  ['quota', 'the quota is exceeded'],
  ['webhook-down', 'a webhook is down'],
]

/** Asks where and what to rehearse, and what to break on the way. */
export class RehearseDialog extends DialogView<RehearseDialogProps> {
  #choice: RehearseChoice = { on: 'embedded', prune: true, inject: [] }

  constructor() {
    super(css)
  }

  protected parts({ application }: RehearseDialogProps): DialogParts {
    return {
      title: `Rehearse the sync of ${application}`,
      body: html`
        <p class="muted">The whole sync runs on a copy of the live state. Nothing reaches the real cluster.</p>
        <div class="two">${this.#where()} ${this.#revision()}</div>
        <label class="option">
          <input
            type="checkbox"
            .checked=${this.#choice.prune}
            @change=${(event: Event) => this.#set({ prune: checked(event) })}
          />
          <span>Prune<small>delete what Git no longer has</small></span>
        </label>
        <details>
          <summary>Break something on the way</summary>
          <div class="two">${INJECTIONS.map(([kind, words]) => this.#injection(kind, words))}</div>
        </details>
      `,
      buttons: html`
        <button @click=${() => this.close()}>Cancel</button>
        <button class="primary" @click=${() => this.#confirm()}>Rehearse</button>
      `,
    }
  }

  #where(): TemplateResult {
    return html`<label class="field">
      <span>Where</span>
      <select @change=${(event: Event) => this.#set({ on: (event.target as HTMLSelectElement).value })}>
        ${PLACES.map(([value, words]) => html`<option value=${value} ?selected=${value === this.#choice.on}>${words}</option>`)}
      </select>
    </label>`
  }

  #revision(): TemplateResult {
    return html`<label class="field">
      <span>Revision</span>
      <input
        placeholder="as the application names it"
        spellcheck="false"
        .value=${this.#choice.revision ?? ''}
        @input=${(event: Event) => this.#revise((event.target as HTMLInputElement).value.trim())}
      />
      <small class="muted">a branch, tag or commit; WORKTREE for files on disk</small>
    </label>`
  }

  #injection(kind: Injection['kind'], words: string): TemplateResult {
    const chosen = this.#choice.inject.find((injection) => injection.kind === kind)
    return html`<div>
      <label class="option">
        <input
          type="checkbox"
          .checked=${chosen !== undefined}
          @change=${(event: Event) => this.#inject(kind, checked(event) ? '' : undefined)}
        />
        <span>${words}</span>
      </label>
      ${
        chosen === undefined
          ? nothing
          : html`<input
              placeholder="which one; any where empty"
              aria-label=${`Which: ${words}`}
              .value=${chosen.on}
              @input=${(event: Event) => this.#inject(kind, (event.target as HTMLInputElement).value)}
            />`
      }
    </div>`
  }

  #inject(kind: Injection['kind'], on: string | undefined): void {
    const others = this.#choice.inject.filter((injection) => injection.kind !== kind)
    this.#set({ inject: on === undefined ? others : [...others, { kind, on }] })
  }

  #revise(revision: string): void {
    const { on, prune, inject } = this.#choice
    this.#choice = revision === '' ? { on, prune, inject } : { on, prune, inject, revision }
  }

  #set(change: Partial<RehearseChoice>): void {
    this.#choice = { ...this.#choice, ...change }
    this.redraw()
  }

  #confirm(): void {
    this.props.onRehearse(this.#choice)
    this.close()
  }
}

function checked(event: Event): boolean {
  return (event.target as HTMLInputElement).checked
}
