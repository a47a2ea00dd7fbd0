import { html, nothing, type TemplateResult } from 'lit-html'
import type { HistoryDetail } from '../model/front.ts'
import type { ApplicationSnapshot } from '../model/status.ts'
import { historyDetailRows, type HistoryDetailRow } from '../view/history-details.ts'
import { sheet, View } from './element.ts'
import { icon } from './icons.ts'
import { ago, markView } from './mark-view.ts'
import type { Host } from './message-host.ts'
import { notifyError } from './notice.ts'

export type HistoryProps = {
  readonly host: Host
  readonly snapshot: ApplicationSnapshot
  readonly now: number
  readonly onRollback: (row: HistoryDetailRow) => void
}

const css = sheet(`
:host { display: block; height: 100%; overflow: auto; padding: 12px 16px; }
ol { display: grid; gap: 0; max-width: 1000px; }
li { display: grid; grid-template-columns: 20px minmax(0, 1fr) auto; gap: 2px 10px; padding: 10px 4px; border-bottom: 1px solid var(--pl-line); align-items: start; }
li .subject { font-weight: 500; }
li .facts { display: flex; flex-wrap: wrap; gap: 2px 14px; color: var(--pl-muted); grid-column: 2; }
li > button { grid-column: 3; grid-row: 1 / span 2; align-self: center; }
@container (max-width: 640px) { li > button { grid-column: 2; grid-row: auto; justify-self: start; } }
`)

/** What was deployed when, by whom, and the way back to it. */
export class HistoryView extends View<HistoryProps> {
  #details: readonly HistoryDetail[] = []
  #asked = ''

  constructor() {
    super(css)
  }

  protected override received({ snapshot }: HistoryProps): void {
    const asked = snapshot.history.map(({ id }) => id).join()
    if (asked === this.#asked) return
    this.#asked = asked
    void this.#ask(snapshot.application.name)
  }

  protected draw({ snapshot }: HistoryProps): TemplateResult {
    const rows = historyDetailRows(snapshot, this.#details)
    if (rows.length === 0)
      return html`<div class="empty"><p>Nothing was synced yet. The first sync will stand here.</p></div>`
    return html`<ol aria-label="Syncs, the newest first">
      ${rows.map((row) => this.#row(row))}
    </ol>`
  }

  #row(row: HistoryDetailRow): TemplateResult {
    return html`<li aria-current=${row.current ? 'true' : nothing}>
      <span class=${row.current ? 'tone-green' : 'muted'}>${icon(row.current ? 'pass' : 'history')}</span>
      <span class="subject break"
        >${row.subject || row.revision} ${row.current ? html`<span class="tag">deployed</span>` : nothing}</span
      >
      <span class="facts">
        <code title=${row.sha}>${row.revision}</code>
        ${row.author === '' ? nothing : html`<span>${row.author}</span>`}
        ${row.verdict === undefined ? nothing : markView(row.verdict)}
        <span>synced ${ago(row.deployedAt, this.props.now)} by ${row.who}</span>
        ${row.result === '' ? nothing : html`<span>${row.result}</span>`}
      </span>
      ${
        row.current
          ? nothing
          : html`<button
              ?disabled=${row.obstacle !== ''}
              title=${row.obstacle}
              @click=${() => this.props.onRollback(row)}
            >
              Roll back to this
            </button>`
      }
    </li>`
  }

  async #ask(application: string): Promise<void> {
    try {
      this.#details = await this.props.host.request('application/history', { application }, { signal: this.lifetime })
      this.redraw()
    } catch (error) {
      notifyError(this, error, 'The commits of the history could not be read')
    }
  }
}
