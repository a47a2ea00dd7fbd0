import { html, type TemplateResult } from 'lit-html'
import { sheet, View } from './element.ts'
import { icon } from './icons.ts'

const css = sheet(`
dialog {
  color: var(--pl-fg); background: var(--pl-bg); border: 1px solid var(--pl-strong-line); border-radius: 8px; padding: 0;
  width: min(640px, calc(100vw - 24px)); max-height: calc(100dvh - 24px); box-shadow: var(--pl-shadow); overflow: hidden;
}
dialog[open] { display: grid; grid-template-rows: auto minmax(0, 1fr) auto; }
dialog::backdrop { background: #0008; }
header { display: flex; align-items: center; gap: 8px; padding: 12px 16px 8px; }
header h2 { flex: 1; }
.body { padding: 4px 16px 12px; overflow: auto; display: grid; gap: 12px; align-content: start; }
footer { display: flex; justify-content: flex-end; gap: 8px; padding: 10px 16px; border-top: 1px solid var(--pl-line); flex-wrap: wrap; }
`)

export type DialogParts = {
  readonly title: string
  readonly body: TemplateResult
  readonly buttons: TemplateResult
}

/** A modal question. Escape and the cross close it; `closed` says so to whoever opened it. */
export abstract class DialogView<P extends { readonly onClose: () => void }> extends View<P> {
  constructor(...sheets: readonly CSSStyleSheet[]) {
    super(css, ...sheets)
  }

  protected abstract parts(props: P): DialogParts

  protected draw(props: P): TemplateResult {
    const { title, body, buttons } = this.parts(props)
    return html`<dialog aria-labelledby="title" @close=${() => this.props.onClose()} @keydown=${stopKeys}>
      <header>
        <h2 id="title" class="break">${title}</h2>
        <button class="quiet icon" aria-label="Close" @click=${() => this.close()}>${icon('close')}</button>
      </header>
      <div class="body">${body}</div>
      <footer>${buttons}</footer>
    </dialog>`
  }

  protected override drawn(): void {
    const dialog = this.root.querySelector('dialog')
    if (dialog !== null && !dialog.open) dialog.showModal()
  }

  close(): void {
    this.root.querySelector('dialog')?.close()
  }
}

/** Keys of the page below do nothing while a question is open. */
function stopKeys(event: KeyboardEvent): void {
  event.stopPropagation()
}
