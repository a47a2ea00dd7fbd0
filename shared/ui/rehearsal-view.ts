import { html, nothing, type TemplateResult } from 'lit-html'
import type { RehearsalShown, Timeline } from '../model/front.ts'
import { sheet, View } from './element.ts'
import { icon } from './icons.ts'
import { ago } from './mark-view.ts'
import { notify } from './notice.ts'

export type RehearsalProps = {
  readonly rehearsal: RehearsalShown
  /** What then really happened, or another rehearsal; the rehearsal is drawn below it. */
  readonly over?: { readonly timeline: Timeline; readonly words: string }
  readonly now: number
}

const css = sheet(`
:host { display: grid; gap: 14px; align-content: start; }
.lists { display: grid; gap: 14px 28px; grid-template-columns: repeat(auto-fit, minmax(min(260px, 100%), 1fr)); }
.lists ul { list-style: disc; padding-inline-start: 18px; display: grid; gap: 3px; }
.verdict { font-size: 1.1em; font-weight: 600; }
`)

/** What a rehearsal found: its verdict, its timeline to play, what it means and what it could not know. */
export class RehearsalView extends View<RehearsalProps> {
  constructor() {
    super(css)
  }

  protected draw({ rehearsal, over, now }: RehearsalProps): TemplateResult {
    const { passed, summary, on, startedAt, timeline, effects, unknowns, differences, markdown } = rehearsal
    const legend = `upper bar: ${over?.words} · lower bar: this rehearsal`
    const props =
      over === undefined
        ? { timeline, playable: true }
        : { timeline: over.timeline, beside: { timeline, legend, who: 'the rehearsal' }, playable: false }
    return html`
      <div class="row wrap">
        <span class="verdict row ${passed ? 'tone-green' : 'tone-red'}">
          ${icon(passed ? 'pass' : 'error')}${passed ? 'Passed' : 'Failed'}
        </span>
        <span class="break">${summary}</span>
        <span class="grow"></span>
        <button @click=${() => void this.#copy(markdown)}>${icon('copy')}Copy as Markdown</button>
      </div>
      <p class="muted">rehearsed on ${on}, ${ago(startedAt, now)}</p>
      <pl-timeline .props=${props}></pl-timeline>
      <div class="lists">
        ${list('What it means', effects)} ${list('Not as Git says at the end', differences)}
        ${list('What it could not know', unknowns)}
      </div>
    `
  }

  async #copy(markdown: string): Promise<void> {
    await navigator.clipboard.writeText(markdown)
    notify(this, { severity: 'info', text: 'The report is in the clipboard, for a pull request.' })
  }
}

function list(title: string, items: readonly string[]): TemplateResult | typeof nothing {
  if (items.length === 0) return nothing
  return html`<section>
    <h3>${title}</h3>
    <ul>
      ${items.map((item) => html`<li class="break">${item}</li>`)}
    </ul>
  </section>`
}
