import { html, type TemplateResult } from 'lit-html'
import type { FrontAbilities, WorkspaceState } from '../../shared/model/front.ts'
import { sheet, View } from '../../shared/ui/element.ts'
import { HostError, type Host } from '../../shared/ui/message-host.ts'
import { notifyError } from '../../shared/ui/notice.ts'
import type { Route } from '../../shared/ui/route.ts'

/** What every page of the window is given. */
export type PageProps = {
  readonly host: Host
  readonly route: Route
  readonly workspace: WorkspaceState
  readonly abilities: FrontAbilities
  readonly onGo: (route: Partial<Route> & { readonly page: Route['page'] }) => void
}

const css = sheet(`
:host { display: grid; grid-template-rows: auto minmax(0, 1fr); height: 100%; min-height: 0; container-type: inline-size; }
.head { display: flex; align-items: center; gap: 8px 12px; flex-wrap: wrap; padding: 14px 20px 10px; }
.head h1 { margin-inline-end: 4px; }
.scroll { overflow: auto; padding: 4px 20px 24px; min-height: 0; }
.cards { display: grid; gap: 12px; grid-template-columns: repeat(auto-fill, minmax(min(330px, 100%), 1fr)); align-items: stretch; }
.card { border: 1px solid var(--pl-line); border-radius: 8px; background: var(--pl-raised); padding: 12px 14px; display: grid; gap: 8px; align-content: start; }
.card .acts { display: flex; flex-wrap: wrap; gap: 6px; margin-top: auto; }
.card h2 { min-width: 0; }
dl { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 2px 12px; }
dt { color: var(--pl-muted); }
table { border-collapse: collapse; width: 100%; }
th { text-align: start; font-weight: 500; color: var(--pl-muted); }
th, td { padding: 7px 10px 7px 0; border-bottom: 1px solid var(--pl-line); vertical-align: top; overflow-wrap: anywhere; }
td.acts { text-align: end; white-space: nowrap; }
@container (max-width: 640px) {
  .head { padding: 10px 12px 8px; }
  .scroll { padding: 4px 12px 16px; }
  thead { display: none; }
  tbody, tr, td { display: block; border: 0; padding: 1px 0; }
  tr { border-bottom: 1px solid var(--pl-line); padding: 8px 0; }
  td.acts { text-align: start; white-space: normal; }
}
`)

/** A page of the window: its list is asked for when it opens, and again when the front says that it is stale. */
export abstract class PageView<T> extends View<PageProps> {
  #items: T | undefined
  #problem = ''

  constructor(...sheets: readonly CSSStyleSheet[]) {
    super(css, ...sheets)
  }

  protected abstract readonly heading: string
  /** Which `stale` event makes the list be asked for anew. */
  protected abstract readonly stale: string
  protected abstract ask(host: Host): Promise<T>
  protected abstract list(items: T): TemplateResult
  protected abstract buttons(): TemplateResult

  protected override entered(): void {
    // Properties come before or after the page is put in, as the template pleases.
    queueMicrotask(() => this.#begin())
  }

  protected draw(): TemplateResult {
    const items = this.#items
    return html`
      <div class="head">
        <h1>${this.heading}</h1>
        <span class="grow"></span>${this.buttons()}
      </div>
      <div class="scroll">
        ${
          this.#problem !== ''
            ? html`<p class="note error" role="alert">${this.#problem}</p>`
            : items === undefined
              ? html`<p class="muted" role="status">Loading…</p>`
              : this.list(items)
        }
      </div>
    `
  }

  /** Asks for the list anew. */
  async load(): Promise<void> {
    try {
      this.#items = await this.ask(this.props.host)
      this.#problem = ''
    } catch (error) {
      if (HostError.is(error, 'cancelled')) return
      this.#problem = HostError.is(error, 'unsupported')
        ? 'This is not offered here yet.'
        : error instanceof Error
          ? error.message
          : String(error)
    }
    this.redraw()
  }

  /** Does something a person asked for; a failure is told with what it was. */
  async act(what: string, work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work()
      await this.load()
      return true
    } catch (error) {
      notifyError(this, error, what)
      return false
    }
  }

  #begin(): void {
    const remove = this.props.host.onEvent((event) => {
      if (event.kind === 'stale' && event.what === this.stale) void this.load()
    })
    this.lifetime.addEventListener('abort', remove, { once: true })
    void this.load()
  }
}
