import { html, nothing, type TemplateResult } from 'lit-html'
import type { ApplicationSummary } from '../../shared/model/front.ts'
import { icon } from '../../shared/ui/icons.ts'
import { markIcon, markView } from '../../shared/ui/mark-view.ts'
import { writeRoute } from '../../shared/ui/route.ts'
import { summaryRow } from '../../shared/view/application-row.ts'
import { countOf } from '../../shared/view/words.ts'
import type { ListItem } from './application-list.ts'

export type LineOptions = {
  readonly selected: boolean
  /** Where it stands: counted from 0 in the list. */
  readonly index: number
  readonly place: string
  readonly onSelect: (name: string, selected: boolean) => void
}

/** One application as a line of the table. */
export function applicationLine(
  summary: ApplicationSummary,
  { selected, index, place, onSelect }: LineOptions,
): TemplateResult {
  const { name, revision, observedAt } = summary
  const row = summaryRow(summary)
  const calm = summary.sync === 'Synced' && summary.health.status === 'Healthy'
  const waiting = observedAt === ''
  return html`<div
    class="row-line ${calm ? 'calm' : ''} ${selected ? 'selected' : ''}"
    role="row"
    aria-rowindex=${index + 2}
    aria-selected=${selected}
    .style=${place}
  >
    <span role="gridcell"
      ><input
        type="checkbox"
        aria-label=${`Select ${name}`}
        .checked=${selected}
        @change=${(event: Event) => onSelect(name, (event.target as HTMLInputElement).checked)}
    /></span>
    <span role="gridcell" class="name">
      <a
        class="name cut"
        data-name=${name}
        href=${writeRoute({ page: 'applications', name, tab: 'graph' })}
        title=${name}
        >${name}</a
      >
      <span class="tag">${row.project}</span>
    </span>
    <span role="gridcell">${waiting ? html`<span class="muted">comparing…</span>` : markView(row.sync)}</span>
    <span role="gridcell" class="health"
      >${waiting ? nothing : markView(row.health, summary.health.message ?? '')}</span
    >
    <span
      role="gridcell"
      class="revision row cut"
      title=${revision === undefined ? '' : `${revision.subject}\n${revision.author}`}
    >
      <code class="cut">${row.revision}</code>${row.verdict === undefined ? nothing : markIcon(row.verdict)}
    </span>
    <span role="gridcell" class="destination cut" title=${row.destination}>${row.destination}</span>
    <span role="gridcell" class="drift cut" title=${row.failure ?? row.drift}>${row.failure ?? row.drift}</span>
  </div>`
}

/** One application as a tile. */
export function applicationTile(summary: ApplicationSummary, place: string): TemplateResult {
  const row = summaryRow(summary)
  const { name, sync, health, observedAt } = summary
  const loud = sync === 'OutOfSync' || health.status === 'Degraded'
  return html`<article
    class="tile ${loud ? 'loud' : ''} ${health.status === 'Degraded' ? 'broken' : ''}"
    role="listitem"
    .style=${place}
  >
    <a class="name" data-name=${name} href=${writeRoute({ page: 'applications', name, tab: 'graph' })} title=${name}
      ><span class="cut">${name}</span></a
    >
    <p class="row">
      ${observedAt === '' ? html`<span class="muted">comparing…</span>` : html`${markView(row.sync)} ${markView(row.health)}`}
    </p>
    <p class="cut" title=${row.failure ?? row.drift}>
      ${row.failure ?? (row.drift || countOf(summary.resources, 'object'))}
    </p>
    <p class="muted cut">${row.destination} · ${row.revision}</p>
  </article>`
}

/** The line over the members of a group. */
export function groupLine(
  item: Extract<ListItem, { kind: 'group' }>,
  place: string,
  onFold: (name: string) => void,
): TemplateResult {
  const { name, count, out, open } = item
  return html`<div class="group-line" role="row" .style=${place}>
    <span role="gridcell"
      ><button class="quiet" aria-expanded=${open} @click=${() => onFold(name)}>
        ${icon(open ? 'chevron-down' : 'chevron-right')}<span class="cut">${name}</span>
        <span class="muted">${countOf(count, 'application')}${out === 0 ? '' : `, ${out} not synced`}</span>
      </button></span
    >
  </div>`
}
