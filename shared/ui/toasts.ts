import { html, nothing, type TemplateResult } from 'lit-html'
import { repeat } from 'lit-html/directives/repeat.js'
import { sheet, View } from './element.ts'
import { icon } from './icons.ts'
import type { Notice } from './notice.ts'

const css = sheet(`
:host { position: fixed; inset: auto 16px 16px auto; z-index: 20; display: grid; gap: 8px; width: min(420px, calc(100vw - 32px)); pointer-events: none; }
.list { display: grid; gap: 8px; }
.toast {
  pointer-events: auto; display: flex; gap: 8px; align-items: flex-start; padding: 9px 10px; background: var(--pl-raised);
  border: 1px solid var(--pl-line); border-inline-start: 3px solid var(--pl-blue); border-radius: 5px; box-shadow: var(--pl-shadow);
}
.toast.warning { border-inline-start-color: var(--pl-yellow); }
.toast.error { border-inline-start-color: var(--pl-red); }
.text { flex: 1; max-height: 10em; overflow: auto; }
`)

type Shown = Notice & { readonly id: number }

const SHOWN_MS = 5000

/** Short words about what a person did, with the way back where there is one. Errors stay until they are closed. */
export class Toasts extends View<Record<string, never>> {
  #shown: readonly Shown[] = []
  #count = 0

  constructor() {
    super(css)
    this.props = {}
  }

  protected override entered(): void {
    document.addEventListener('plumbline-notice', (event) => this.#add((event as CustomEvent<Notice>).detail), {
      signal: this.lifetime,
    })
  }

  protected draw(): TemplateResult {
    return html`<div role="log" aria-live="polite" aria-label="Notices" class="list">
      ${repeat(
        this.#shown,
        ({ id }) => id,
        (toast) => this.#toast(toast),
      )}
    </div>`
  }

  #toast({ id, severity, text, action }: Shown): TemplateResult {
    const tone = { info: 'tone-blue', warning: 'tone-yellow', error: 'tone-red' }[severity]
    return html`<div class="toast ${severity}" role=${severity === 'error' ? 'alert' : nothing}>
      <span class=${tone}>${icon(severity)}</span>
      <span class="text break">${text}</span>
      ${
        action === undefined
          ? nothing
          : html`<button class="link" @click=${() => (action.act(), this.#remove(id))}>${action.title}</button>`
      }
      <button class="quiet icon" aria-label="Close" @click=${() => this.#remove(id)}>${icon('close')}</button>
    </div>`
  }

  #add(notice: Notice): void {
    this.#count += 1
    const id = this.#count
    this.#shown = [...this.#shown, { ...notice, id }].slice(-4)
    if (notice.severity !== 'error') setTimeout(() => this.#remove(id), SHOWN_MS)
    this.redraw()
  }

  #remove(id: number): void {
    this.#shown = this.#shown.filter((toast) => toast.id !== id)
    this.redraw()
  }
}
