import { html, nothing, type TemplateResult } from 'lit-html'
import type { ApplicationSnapshot } from '../model/status.ts'
import { applicationRow } from '../view/application-row.ts'
import { HEALTH_MARKS, SIMULATED_MARK } from '../view/marks.ts'
import { operationWords, sourceWords } from '../view/panel-words.ts'
import { trackWords, type SyncTrack } from '../view/sync-track.ts'
import { icon } from './icons.ts'
import { markView } from './mark-view.ts'
import type { MenuItem } from './menu.ts'

export type HeaderParts = {
  readonly snapshot: ApplicationSnapshot
  readonly track: SyncTrack | undefined
  readonly now: number
  readonly refreshing: boolean
  /** Why the last look failed; what is shown is older then. */
  readonly problem: string
  readonly onSync: () => void
  readonly onRehearse: () => void
  readonly onRefresh: () => void
  readonly onTerminate: () => void
  readonly menu: readonly MenuItem[]
}

/** What the application is, how it is, where it comes from and goes to, and what can be done. */
export function panelHeader(parts: HeaderParts): TemplateResult {
  const { snapshot, track, now, refreshing } = parts
  const row = applicationRow(snapshot)
  const running = track !== undefined && track.endedAt === undefined
  return html`<header class="top">
    <div class="title row wrap">
      <h1 class="break">${row.name}</h1>
      ${markView(row.sync)} ${markView(row.health, snapshot.health.message)}
      ${row.drift === '' ? nothing : html`<span class="drift">${row.drift}</span>`}
    </div>
    <div class="buttons row">
      ${
        running
          ? html`<button @click=${parts.onTerminate}>${icon('debug-stop')}Terminate</button>`
          : html`<button class=${snapshot.sync === 'Synced' ? '' : 'primary'} @click=${parts.onSync}>
              ${icon('sync')}Sync
            </button>`
      }
      <button title="Rehearse" @click=${parts.onRehearse}>${icon('beaker')}<span>Rehearse</span></button>
      <button title="Refresh" ?disabled=${refreshing} @click=${parts.onRefresh}>
        ${icon(refreshing ? 'refresh~spin' : 'refresh')}<span>Refresh</span>
      </button>
      <pl-menu .props=${{ title: 'More', items: parts.menu }}></pl-menu>
    </div>
    ${facts(parts)}
    ${
      running
        ? html`<p class="running row" role="status">
            ${markView({ ...HEALTH_MARKS.Progressing, word: trackWords(track) })}
          </p>`
        : html`<p class="muted last break">${operationWords(snapshot, now)}</p>`
    }
    ${row.failure === undefined ? nothing : html`<p class="note error" role="alert">${row.failure}</p>`}
    ${parts.problem === '' ? nothing : html`<p class="note error" role="alert">${parts.problem} What is shown is from before.</p>`}
    ${warnings(snapshot, row.failure)}
  </header>`
}

/** Conditions that stop nothing: the first is told, the rest is behind it. */
function warnings({ conditions }: ApplicationSnapshot, failure: string | undefined): TemplateResult | typeof nothing {
  const [first, ...rest] = conditions.map(({ message }) => message).filter((message) => message !== failure)
  if (first === undefined) return nothing
  if (rest.length === 0) return html`<p class="note warning">${first}</p>`
  return html`<details class="note warning">
    <summary>${first} <span class="muted">and ${rest.length} more</span></summary>
    <ul>
      ${rest.map((message) => html`<li class="break">${message}</li>`)}
    </ul>
  </details>`
}

function facts({ snapshot }: HeaderParts): TemplateResult {
  const row = applicationRow(snapshot)
  const { revision } = snapshot
  return html`<ul class="facts" aria-label="Source and destination">
    <li title="Project" class="row">${icon('layers')}<span class="cut">${row.project}</span></li>
    <li title=${snapshot.application.sources.map(({ repoURL }) => repoURL).join('\n')} class="row">
      ${icon('repo')}<span class="cut">${sourceWords(snapshot.application.sources)}</span>
    </li>
    ${
      revision === undefined
        ? nothing
        : html`<li class="row" title=${`${revision.sha}\n${revision.subject}\n${revision.author}`}>
            <code>${row.revision}</code>
            ${row.verdict === undefined ? nothing : markView(row.verdict)}
            <span class="cut">${revision.subject}</span>
          </li>`
    }
    <li title="Destination" class="row">
      ${icon('server-environment')}<span class="cut">${row.destination}</span>
      ${snapshot.context === 'embedded' ? html`<span class="tag">${SIMULATED_MARK.word}</span>` : nothing}
    </li>
  </ul>`
}

export const HEADER_CSS = `
.top { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 4px 16px; padding: 12px 16px 8px; align-items: start; }
.title { gap: 4px 12px; }
.title .drift { color: var(--pl-muted); }
.facts { grid-column: 1 / -1; display: flex; flex-wrap: wrap; gap: 2px 18px; color: var(--pl-muted); }
.facts li { gap: 5px; min-width: 0; max-width: 100%; }
.facts .cut { max-width: 44ch; }
.last, .running, .top .note { grid-column: 1 / -1; }
.last:empty { display: none; }
@container (max-width: 700px) { .top { grid-template-columns: minmax(0, 1fr); padding: 8px 12px 6px; } .buttons { flex-wrap: wrap; } }
@container (max-width: 420px) {
  .buttons button span { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .facts li[title='Project'] { display: none; }
}
`
