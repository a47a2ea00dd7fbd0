import { html, nothing, type TemplateResult } from 'lit-html'
import { DialogView, type DialogParts } from './dialog.ts'

export type ConfirmProps = {
  readonly title: string
  readonly words: string
  /** What goes, one a line. */
  readonly items: readonly string[]
  /** The verb on the button: `Delete 3 objects`. */
  readonly button: string
  readonly danger: boolean
  /** Has to be typed; empty where nothing has. */
  readonly typed: string
  readonly onClose: () => void
  readonly onConfirm: (typedName: string | undefined) => void
}

/** Asks before something that cannot be taken back. */
export class ConfirmDialog extends DialogView<ConfirmProps> {
  #typed = ''

  protected parts({ title, words, items, button, danger, typed }: ConfirmProps): DialogParts {
    return {
      title,
      body: html`
        <p class="break">${words}</p>
        ${
          items.length === 0
            ? nothing
            : html`<ul>
                ${items.map((item) => html`<li class="break">${item}</li>`)}
              </ul>`
        }
        ${typed === '' ? nothing : this.#field(typed)}
      `,
      buttons: html`
        <button autofocus @click=${() => this.close()}>Cancel</button>
        <button
          class=${danger ? 'danger' : 'primary'}
          ?disabled=${typed !== '' && this.#typed !== typed}
          @click=${() => this.#confirm()}
        >
          ${button}
        </button>
      `,
    }
  }

  #field(typed: string): TemplateResult {
    return html`<label class="field note warning">
      <span class="break">Type ${typed} to go on.</span>
      <input
        autocomplete="off"
        spellcheck="false"
        .value=${this.#typed}
        @input=${(event: Event) => ((this.#typed = (event.target as HTMLInputElement).value), this.redraw())}
      />
    </label>`
  }

  #confirm(): void {
    this.props.onConfirm(this.props.typed === '' ? undefined : this.#typed)
    this.close()
  }
}
