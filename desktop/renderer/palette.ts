import { html, type TemplateResult } from 'lit-html'
import { sheet, View } from '../../shared/ui/element.ts'
import { icon } from '../../shared/ui/icons.ts'
import { fuzzyFind } from './fuzzy.ts'

export type Command = {
  readonly title: string
  readonly hint: string
  readonly picture: string
  readonly act: () => void
}

export type PaletteProps = { readonly commands: readonly Command[]; readonly onClose: () => void }

const css = sheet(`
dialog { margin: 8vh auto auto; padding: 0; width: min(600px, calc(100vw - 20px)); color: var(--pl-fg); background: var(--pl-raised); border: 1px solid var(--pl-strong-line); border-radius: 8px; box-shadow: var(--pl-shadow); overflow: hidden; }
dialog::backdrop { background: #0006; }
input { width: 100%; border: 0; border-bottom: 1px solid var(--pl-line); border-radius: 0; padding: 10px 14px; font-size: 1.1em; background: transparent; color: inherit; }
input:focus-visible { outline: none; }
ul { max-height: 56vh; overflow: auto; padding: 4px; }
li { display: flex; gap: 10px; align-items: center; padding: 6px 10px; border-radius: 4px; cursor: pointer; }
li[aria-selected='true'] { background: var(--pl-selected); color: var(--pl-selected-fg); }
li .hint { margin-inline-start: auto; color: var(--pl-muted); }
li[aria-selected='true'] .hint { color: inherit; }
`)

const MOST = 12

/** Everything by its name: Ctrl-K, a few letters, Enter. */
export class Palette extends View<PaletteProps> {
  #typed = ''
  #at = 0

  constructor() {
    super(css)
  }

  protected draw({ commands, onClose }: PaletteProps): TemplateResult {
    const found = fuzzyFind(commands, this.#typed, ({ title, hint }) => `${title} ${hint}`, MOST)
    return html`<dialog aria-label="Commands" @close=${onClose} @click=${(event: Event) => this.#outside(event)}>
      <input
        role="combobox"
        aria-expanded="true"
        aria-controls="found"
        aria-activedescendant=${`command-${this.#at}`}
        aria-label="What do you want to do?"
        placeholder="Go to an application, a page, a command"
        autofocus
        spellcheck="false"
        .value=${this.#typed}
        @input=${(event: Event) => this.#type((event.target as HTMLInputElement).value)}
        @keydown=${(event: KeyboardEvent) => this.#onKey(event, found)}
      />
      <ul id="found" role="listbox" aria-label="Commands">
        ${found.map(
          (command, index) =>
            html`<li
              id=${`command-${index}`}
              role="option"
              aria-selected=${index === this.#at}
              @click=${() => this.#run(command)}
            >
              ${icon(command.picture)}<span class="cut">${command.title}</span
              ><span class="hint cut">${command.hint}</span>
            </li>`,
        )}
        ${found.length === 0 ? html`<li class="muted">Nothing is called that.</li>` : ''}
      </ul>
    </dialog>`
  }

  protected override drawn(): void {
    const dialog = this.root.querySelector('dialog')
    if (dialog !== null && !dialog.open) dialog.showModal()
    this.root.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }

  #type(typed: string): void {
    this.#typed = typed
    this.#at = 0
    this.redraw()
  }

  #onKey(event: KeyboardEvent, found: readonly Command[]): void {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    const command = found[this.#at]
    if (step !== 0 && found.length > 0) this.#at = (this.#at + step + found.length) % found.length
    else if (event.key === 'Enter' && command !== undefined) this.#run(command)
    else return
    event.preventDefault()
    this.redraw()
  }

  #run(command: Command): void {
    this.root.querySelector('dialog')?.close()
    command.act()
  }

  /** A click beside the box closes it. */
  #outside(event: Event): void {
    if (event.target instanceof HTMLDialogElement) event.target.close()
  }
}
