import { html, nothing, type TemplateResult } from 'lit-html'
import { sheet, View } from './element.ts'
import { icon } from './icons.ts'

export type MenuItem = { readonly title: string; readonly disabled?: boolean; readonly act: () => void }

export type MenuProps = { readonly title: string; readonly items: readonly MenuItem[] }

const css = sheet(`
:host { position: relative; display: inline-block; }
[role='menu'] {
  position: absolute; inset: 100% 0 auto auto; z-index: 10; min-width: 190px; padding: 4px; margin-top: 2px; display: grid;
  background: var(--pl-raised); border: 1px solid var(--pl-strong-line); border-radius: 5px; box-shadow: var(--pl-shadow);
}
[role='menuitem'] { background: none; justify-content: flex-start; color: inherit; }
`)

/** The rest of what can be done, behind three dots. */
export class Menu extends View<MenuProps> {
  #open = false

  constructor() {
    super(css)
  }

  protected override entered(): void {
    this.addEventListener('focusout', (event) => this.#left(event), { signal: this.lifetime })
  }

  protected draw({ title, items }: MenuProps): TemplateResult {
    return html`
      <button
        class="icon"
        aria-haspopup="menu"
        aria-expanded=${this.#open}
        aria-label=${title}
        title=${title}
        @click=${() => this.#show(!this.#open)}
      >
        ${icon('ellipsis')}
      </button>
      ${
        this.#open
          ? html`<div role="menu" aria-label=${title} @keydown=${(event: KeyboardEvent) => this.#onKey(event)}>
              ${items.map((item) => this.#item(item))}
            </div>`
          : nothing
      }
    `
  }

  #item({ title, disabled, act }: MenuItem): TemplateResult {
    return html`<button
      role="menuitem"
      tabindex="-1"
      ?disabled=${disabled === true}
      @click=${() => (this.#show(false), act())}
    >
      ${title}
    </button>`
  }

  #show(open: boolean): void {
    this.#open = open
    this.redraw()
    queueMicrotask(() => this.root.querySelector<HTMLElement>(open ? '[role="menuitem"]:enabled' : 'button')?.focus())
  }

  #left(event: FocusEvent): void {
    if (!this.#open || this.root.contains(event.relatedTarget as Node | null)) return
    if (event.relatedTarget === this) return
    this.#open = false
    this.redraw()
  }

  #onKey(event: KeyboardEvent): void {
    const all = [...this.root.querySelectorAll<HTMLElement>('[role="menuitem"]:enabled')]
    const at = all.indexOf(this.root.activeElement as HTMLElement)
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (event.key === 'Escape') this.#show(false)
    else if (step !== 0) all.at((at + step) % all.length)?.focus()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
}
