import { html, nothing, type TemplateResult } from 'lit-html'
import { resourceKey, type ResourceId } from '../../model/kubernetes.ts'
import type { ApplicationSnapshot } from '../../model/status.ts'
import { driftSentences, kubectlWords } from '../../view/panel-words.ts'
import { fullLabel } from '../../view/words.ts'
import { define, sheet, View } from '../element.ts'
import { icon } from '../icons.ts'
import { ago, markView } from '../mark-view.ts'
import type { Host } from '../message-host.ts'
import { notify, notifyError } from '../notice.ts'
import type { GraphNode } from './graph-model.ts'

export type DetailsProps = {
  readonly host: Host
  readonly snapshot: ApplicationSnapshot
  readonly node: GraphNode
  readonly canOpen: boolean
  readonly now: number
  readonly onClose: () => void
  readonly onDiff: (key: string) => void
  readonly onLog: (key: string) => void
  readonly onSync: (ids: readonly ResourceId[]) => void
  readonly onDelete: (id: ResourceId, version: string, uid: string) => void
}

const css = sheet(`
:host { display: grid; grid-template-rows: auto minmax(0, 1fr); border-inline-start: 1px solid var(--pl-line); background: var(--pl-bg); min-height: 0; }
header { display: flex; gap: 8px; padding: 10px 12px 6px; align-items: flex-start; }
header h2 { flex: 1; }
.body { overflow: auto; padding: 0 12px 12px; display: grid; gap: 10px; align-content: start; }
.acts { display: flex; flex-wrap: wrap; gap: 6px; }
dl { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 3px 12px; }
dt { color: var(--pl-muted); }
pre { margin: 0; padding: 8px; border: 1px solid var(--pl-line); border-radius: 4px; overflow: auto; max-height: 60vh; white-space: pre; }
.sentences { display: grid; gap: 4px; }
`)

type Side = 'live' | 'desired'

/** One object beside the graph: its states, what is wrong with it and what can be done. */
export class DetailsView extends View<DetailsProps> {
  #text: { readonly key: string; readonly side: Side; readonly yaml: string } | undefined

  constructor() {
    super(css)
  }

  protected draw({ snapshot, node, onClose }: DetailsProps): TemplateResult {
    const { resource } = node
    return html`
      <header>
        <h2 class="break">${resource === undefined ? node.title : fullLabel(resource)}</h2>
        <button class="quiet icon" aria-label="Close details" @click=${onClose}>${icon('close')}</button>
      </header>
      <div class="body">
        <p class="row wrap">
          ${node.mark.word === '' ? nothing : markView(node.mark)}
          ${node.health === undefined || node.health.word === node.mark.word ? nothing : markView(node.health)}
        </p>
        ${resource === undefined ? this.#application(snapshot) : this.#object(snapshot, node, resource)}
      </div>
    `
  }

  #application({ conditions, application }: ApplicationSnapshot): TemplateResult {
    return html`
      ${conditions.map(({ type, message }) => html`<p class="note ${type.endsWith('Error') ? 'error' : 'warning'}"><strong>${type}</strong> ${message}</p>`)}
      <dl>
        ${application.sources.map(
          ({ repoURL, path, targetRevision }) =>
            html`<dt>Source</dt>
              <dd class="break">${repoURL} · ${path} · ${targetRevision}</dd>`,
        )}
        <dt>Project</dt>
        <dd class="break">${application.project}</dd>
        <dt>Sync</dt>
        <dd>${application.syncPolicy.automated?.enabled === true ? 'automatic' : 'by hand'}</dd>
        ${
          application.syncPolicy.syncOptions.length === 0
            ? nothing
            : html`<dt>Options</dt>
                <dd class="break">${application.syncPolicy.syncOptions.join(', ')}</dd>`
        }
      </dl>
    `
  }

  #object(snapshot: ApplicationSnapshot, node: GraphNode, id: ResourceId): TemplateResult {
    const { now, canOpen, onDiff, onLog, onSync } = this.props
    const status = snapshot.resources.find((one) => resourceKey(one.id) === node.key)
    const living = snapshot.tree.find(({ uid }) => uid === node.uid)
    const version = status?.version ?? living?.version ?? ''
    const sentences = status === undefined ? [] : driftSentences(status.drift, now)
    const message = status?.health?.message ?? living?.health?.message ?? ''
    const place = status?.drift.origin
    return html`
      ${
        sentences.length === 0
          ? nothing
          : html`<ul class="sentences">
              ${sentences.map((words) => html`<li class="note warning">${words}</li>`)}
            </ul>`
      }
      ${message === '' ? nothing : html`<p class="note ${node.health?.word === 'Degraded' ? 'error' : ''}">${message}</p>`}
      <div class="acts">
        ${status === undefined || status.drift.state === 'synced' ? nothing : html`<button @click=${() => onDiff(node.key)}>${icon('diff-modified')}Diff</button><button @click=${() => onSync([id])}>${icon('sync')}Sync</button>`}
        ${id.kind === 'Pod' && living !== undefined ? html`<button @click=${() => onLog(node.key)}>${icon('list-flat')}Log</button>` : nothing}
        ${place === undefined || !canOpen ? nothing : html`<button @click=${() => this.#open({ file: place.file, ...place.start })}>${icon('go-to-file')}Manifest</button>`}
        <button @click=${() => void this.#copy(kubectlWords(id, snapshot.context))}>${icon('copy')}kubectl</button>
        ${living === undefined ? nothing : html`<button @click=${() => this.props.onDelete(id, version, living.uid)}>${icon('trash')}Delete…</button>`}
      </div>
      <dl>
        ${
          living === undefined
            ? nothing
            : html`<dt>Created</dt>
                <dd>${ago(living.createdAt, now)}</dd>`
        }
        ${
          node.detail === ''
            ? nothing
            : html`<dt>State</dt>
                <dd class="break">${node.detail}</dd>`
        }
        ${
          status?.wave === undefined
            ? nothing
            : html`<dt>Wave</dt>
                <dd>${status.wave}</dd>`
        }
        ${
          place === undefined
            ? nothing
            : html`<dt>From</dt>
                <dd class="break">${place.file}:${place.start.line}</dd>`
        }
      </dl>
      <div class="acts" role="group" aria-label="Show as YAML">
        ${living === undefined ? nothing : this.#sideButton('live', 'Live YAML', node, version)}
        ${status === undefined || status.drift.state === 'extra' ? nothing : this.#sideButton('desired', "Git's YAML", node, version)}
      </div>
      ${this.#text?.key === node.id ? html`<pre tabindex="0" aria-label="YAML">${this.#text.yaml}</pre>` : nothing}
    `
  }

  #sideButton(side: Side, title: string, node: GraphNode, version: string): TemplateResult {
    const shown = this.#text?.key === node.id && this.#text.side === side
    return html`<button aria-pressed=${shown} @click=${() => void this.#show(shown ? undefined : side, node, version)}>
      ${title}
    </button>`
  }

  async #show(side: Side | undefined, node: GraphNode, version: string): Promise<void> {
    const { resource } = node
    if (side === undefined || resource === undefined) {
      this.#text = undefined
      return this.redraw()
    }
    const application = this.props.snapshot.application.name
    try {
      const yaml = await this.props.host.request(
        'application/object',
        { application, id: resource, version, side },
        { signal: this.lifetime },
      )
      this.#text = { key: node.id, side, yaml }
      this.redraw()
    } catch (error) {
      notifyError(this, error, `${fullLabel(resource)} could not be read`)
    }
  }

  #open(place: { readonly file: string; readonly line: number; readonly column: number }): void {
    this.props.host
      .request('open/place', place)
      .catch((error: unknown) => notifyError(this, error, `${place.file} could not be opened`))
  }

  async #copy(text: string): Promise<void> {
    await navigator.clipboard.writeText(text)
    notify(this, { severity: 'info', text: 'The command is in the clipboard.' })
  }
}

define('pl-details', DetailsView)
