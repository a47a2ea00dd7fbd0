import { html, nothing, type TemplateResult } from 'lit-html'
import type { FieldDrift } from '../../model/drift.ts'
import { resourceKey, type ResourceId } from '../../model/kubernetes.ts'
import type { Place } from '../../model/manifest.ts'
import type { ApplicationSnapshot, ResourceStatus } from '../../model/status.ts'
import { fieldName } from '../../view/field-name.ts'
import { blameWords, fieldSentence } from '../../view/field-sentence.ts'
import type { KeyedDiff } from '../../view/host.ts'
import { DRIFT_MARKS } from '../../view/marks.ts'
import type { DiffHunk, DiffLine } from '../../view/object-diff.ts'
import { driftSentences, noteWords } from '../../view/panel-words.ts'
import { resourceRow } from '../../view/resource-rows.ts'
import { countOf, fullLabel, objectLabel } from '../../view/words.ts'
import { sheet, View } from '../element.ts'
import { icon } from '../icons.ts'
import { markIcon, markView } from '../mark-view.ts'
import type { Host } from '../message-host.ts'
import { notify, notifyError } from '../notice.ts'
import { DIFF_CSS } from './diff-css.ts'

export type DiffProps = {
  readonly host: Host
  readonly snapshot: ApplicationSnapshot
  /** The object that is shown; the first drifted one when empty. */
  readonly selected: string
  readonly canOpen: boolean
  readonly canEdit: boolean
  readonly now: number
  readonly onSelect: (key: string) => void
  readonly onSync: (ids: readonly ResourceId[]) => void
}

const css = sheet(DIFF_CSS)

/** What differs, object by object: hunks of YAML with who did it beside each line. */
export class DiffView extends View<DiffProps> {
  #diffs: ReadonlyMap<string, KeyedDiff> = new Map()
  #problem = ''
  #loaded: ApplicationSnapshot | undefined
  #showNotes = false

  constructor() {
    super(css)
  }

  protected override received({ snapshot }: DiffProps): void {
    if (this.#loaded?.resources !== snapshot.resources) void this.#load(snapshot)
  }

  protected draw({ snapshot, selected }: DiffProps): TemplateResult {
    const rows = snapshot.resources.filter(({ drift }) => drift.state !== 'synced' || drift.notes.length > 0)
    const drifted = rows.filter(({ drift }) => drift.state !== 'synced')
    const shown = rows.find(({ id }) => resourceKey(id) === selected) ?? drifted[0]
    if (shown === undefined) {
      const words =
        snapshot.sync === 'Synced' ? 'Nothing differs: the cluster is as Git says.' : 'Nothing is compared yet.'
      return html`<div class="empty"><p>${words}</p></div>`
    }
    return html`
      <nav aria-label="Objects that differ">
        <p class="muted head">${countOf(drifted.length, 'object differs', 'objects differ')}</p>
        <ul role="listbox" aria-label="Objects" @keydown=${(event: KeyboardEvent) => this.#onKey(event, rows, shown)}>
          ${rows.map((row) => this.#item(row, row === shown))}
        </ul>
      </nav>
      <section aria-label="Difference">${this.#object(shown)}</section>
    `
  }

  #item(resource: ResourceStatus, selected: boolean): TemplateResult {
    const { key, mark, label, detail } = resourceRow(resource)
    const notes = resource.drift.state === 'synced' ? noteWords(resource.drift.notes) : ''
    return html`<li
      role="option"
      aria-selected=${selected}
      tabindex=${selected ? 0 : -1}
      title=${fullLabel(resource.id)}
      @click=${() => this.props.onSelect(key)}
    >
      ${markIcon(mark)}<span class="cut">${label}</span><span class="muted sub cut">${detail || notes}</span>
    </li>`
  }

  #object({ id, drift }: ResourceStatus): TemplateResult {
    const keyed = this.#diffs.get(resourceKey(id))
    const { now, canOpen } = this.props
    const place = drift.origin === undefined ? undefined : { file: drift.origin.file, ...drift.origin.start }
    return html`
      <header class="row wrap">
        <h2 class="break">${fullLabel(id)}</h2>
        ${markView(DRIFT_MARKS[drift.state])}
        <span class="grow"></span>
        ${
          place === undefined || !canOpen
            ? nothing
            : html`<button @click=${() => this.#open(place)}>${icon('go-to-file')}Open manifest</button>`
        }
        <button ?disabled=${keyed === undefined} @click=${() => void this.#copy(keyed)}>${icon('copy')}Copy</button>
        ${
          drift.state === 'synced' || drift.state === 'unknown'
            ? nothing
            : html`<button @click=${() => this.props.onSync([id])}>${icon('sync')}Sync</button>`
        }
      </header>
      <ul class="sentences">
        ${drift.state === 'changed' ? drift.fields.map((field) => this.#field(id, field)) : driftSentences(drift, now).map((words) => html`<li class="break">${words}</li>`)}
      </ul>
      ${this.#hunks(keyed)} ${drift.notes.length === 0 ? nothing : this.#notes(drift.notes)}
    `
  }

  #field(id: ResourceId, field: FieldDrift): TemplateResult {
    const { place } = field
    const { now, canOpen, canEdit } = this.props
    return html`<li>
      <span class="break">${fieldSentence(field, now)}</span>
      ${
        place === undefined || !canOpen
          ? nothing
          : html`<button class="link" @click=${() => this.#open(place)}>${place.file}:${place.line}</button>`
      }
      ${canEdit ? this.#ignoreButton(id, field) : nothing}
    </li>`
  }

  #ignoreButton(id: ResourceId, field: FieldDrift): TemplateResult {
    return html`<button
      class="link"
      title=${`Write ${field.path} into ignoreDifferences`}
      aria-label=${`Ignore ${fieldName(field.path)}`}
      @click=${() => void this.#ignore(id, field)}
    >
      Ignore this field
    </button>`
  }

  #hunks(keyed: KeyedDiff | undefined): TemplateResult {
    if (this.#problem !== '') return html`<p class="note error" role="alert">${this.#problem}</p>`
    if (keyed === undefined) return html`<p class="muted" role="status">Loading…</p>`
    if (keyed.diff.hunks.length === 0) return html`<p class="muted">There is no text to show.</p>`
    return html`<div class="hunks" tabindex="0" role="region" aria-label="Live against Git">
      <p class="legend"><span class="remove">− cluster</span> <span class="add">+ Git, after a sync</span></p>
      ${keyed.diff.hunks.map((hunk) => this.#hunk(hunk))}
    </div>`
  }

  #hunk(hunk: DiffHunk): TemplateResult {
    let old = hunk.oldStart
    let fresh = hunk.newStart
    return html`<table>
      <caption class="break">
        ${placesOf(hunk) || `line ${hunk.oldStart}`}
      </caption>
      <tbody>
        ${hunk.lines.map((line) => {
          const numbers: readonly [string, string] = [
            line.kind === 'add' ? '' : String(old++),
            line.kind === 'remove' ? '' : String(fresh++),
          ]
          return this.#line(line, numbers)
        })}
      </tbody>
    </table>`
  }

  #line({ kind, text, field }: DiffLine, [old, fresh]: readonly [string, string]): TemplateResult {
    const blame = field?.blame === undefined ? '' : blameWords(field.blame, field.kind === 'removed', this.props.now)
    const sign = kind === 'add' ? '+' : kind === 'remove' ? '−' : ' '
    return html`<tr class=${kind}>
      <td class="blame cut" title=${blame}>${blame}</td>
      <td class="number">${old}</td>
      <td class="number">${fresh}</td>
      <td class="sign">${sign}</td>
      <td class="text">${text}</td>
    </tr>`
  }

  #notes(notes: readonly FieldDrift[]): TemplateResult {
    return html`<details
      ?open=${this.#showNotes}
      @toggle=${(event: Event) => (this.#showNotes = (event.target as HTMLDetailsElement).open)}
    >
      <summary>${noteWords(notes)}</summary>
      <ul class="sentences">
        ${notes.map((field) => html`<li class="break">${fieldSentence(field, this.props.now)}</li>`)}
      </ul>
    </details>`
  }

  #onKey(event: KeyboardEvent, rows: readonly ResourceStatus[], shown: ResourceStatus): void {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    const next = rows[rows.indexOf(shown) + step]
    if (step === 0 || next === undefined) return
    event.preventDefault()
    this.props.onSelect(resourceKey(next.id))
    queueMicrotask(() => this.root.querySelector<HTMLElement>('[aria-selected="true"]')?.focus())
  }

  async #load(snapshot: ApplicationSnapshot): Promise<void> {
    this.#loaded = snapshot
    const { host } = this.props
    try {
      const diffs = await host.request('application/diff', { application: snapshot.application.name })
      if (this.#loaded !== snapshot) return
      this.#diffs = new Map(diffs.map((keyed) => [keyed.key, keyed]))
      this.#problem = ''
    } catch (error) {
      this.#problem = error instanceof Error ? error.message : String(error)
    }
    this.redraw()
  }

  #open(place: Place): void {
    this.props.host
      .request('open/place', place)
      .catch((error: unknown) => notifyError(this, error, `${place.file} could not be opened`))
  }

  async #copy(keyed: KeyedDiff | undefined): Promise<void> {
    if (keyed === undefined) return
    await navigator.clipboard.writeText(unifiedText(keyed))
    notify(this, { severity: 'info', text: 'The difference is in the clipboard.' })
  }

  async #ignore(id: ResourceId, { path }: FieldDrift): Promise<void> {
    const application = this.props.snapshot.application.name
    try {
      const { file, line } = await this.props.host.request('application/ignore', { application, id, path })
      notify(this, { severity: 'info', text: `${objectLabel(id)}: ${fieldName(path)} is ignored by ${file}:${line}` })
    } catch (error) {
      notifyError(this, error, `${fieldName(path)} could not be ignored`)
    }
  }
}

/** Where Git says it; who differs from it stands beside each line. */
function placesOf({ fields, header }: DiffHunk): string {
  const places = fields.flatMap(({ place }) => (place === undefined ? [] : [`${place.file}:${place.line}`]))
  return places.length === 0 ? (header.split(' · ')[0] ?? '') : [...new Set(places)].join(', ')
}

/** As `diff -u` writes it. */
function unifiedText({ diff }: KeyedDiff): string {
  const signs = { add: '+', remove: '-', context: ' ' } as const
  const hunks = diff.hunks.flatMap((hunk) => [
    `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@ ${hunk.header}`,
    ...hunk.lines.map(({ kind, text }) => `${signs[kind]}${text}`),
  ])
  return [`--- ${diff.title} (cluster)`, `+++ ${diff.title} (Git)`, ...hunks, ''].join('\n')
}
