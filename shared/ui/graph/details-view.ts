import { html, nothing, type TemplateResult } from 'lit-html'
import { resourceKey, type ResourceId } from '../../model/kubernetes.ts'
import type { ApplicationSnapshot, ResourceStatus, TreeNode } from '../../model/status.ts'
import { driftSentences, kubectlWords } from '../../view/panel-words.ts'
import { fullLabel } from '../../view/words.ts'
import { sheet, View } from '../element.ts'
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

/** What the snapshot says of an object: as managed, and as living in the cluster. */
type Known = {
  readonly status: ResourceStatus | undefined
  readonly living: TreeNode | undefined
  readonly version: string
}

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
        ${application.sources.map((source) => fact('Source', `${source.repoURL} · ${source.path} · ${source.targetRevision}`))}
        ${fact('Project', application.project)}
        ${fact('Sync', application.syncPolicy.automated?.enabled === true ? 'automatic' : 'by hand')}
        ${application.syncPolicy.syncOptions.length === 0 ? nothing : fact('Options', application.syncPolicy.syncOptions.join(', '))}
      </dl>
    `
  }

  #object(snapshot: ApplicationSnapshot, node: GraphNode, id: ResourceId): TemplateResult {
    const status = snapshot.resources.find((one) => resourceKey(one.id) === node.key)
    const living = snapshot.tree.find(({ uid }) => uid === node.uid)
    const version = status?.version ?? living?.version ?? ''
    const sentences = status === undefined ? [] : driftSentences(status.drift, this.props.now)
    const message = status?.health?.message ?? living?.health?.message ?? ''
    const desired = status !== undefined && status.drift.state !== 'extra'
    return html`
      ${sentences.map((words) => html`<p class="note warning">${words}</p>`)}
      ${message === '' ? nothing : html`<p class="note ${node.health?.word === 'Degraded' ? 'error' : ''}">${message}</p>`}
      ${this.#acts(snapshot.context, node, id, { status, living, version })}
      <dl>
        ${living === undefined ? nothing : fact('Created', ago(living.createdAt, this.props.now))}
        ${node.detail === '' ? nothing : fact('State', node.detail)}
        ${status?.wave === undefined ? nothing : fact('Wave', String(status.wave))}
        ${status?.drift.origin === undefined ? nothing : fact('From', `${status.drift.origin.file}:${status.drift.origin.start.line}`)}
      </dl>
      <div class="acts" role="group" aria-label="Show as YAML">
        ${living === undefined ? nothing : this.#sideButton('live', 'Live YAML', node, version)}
        ${desired ? this.#sideButton('desired', "Git's YAML", node, version) : nothing}
      </div>
      ${this.#text?.key === node.id ? html`<pre tabindex="0" aria-label="YAML">${this.#text.yaml}</pre>` : nothing}
    `
  }

  #acts(context: string, node: GraphNode, id: ResourceId, { status, living, version }: Known): TemplateResult {
    const { canOpen, onDiff, onLog, onSync, onDelete } = this.props
    const out = status !== undefined && status.drift.state !== 'synced'
    const place = status?.drift.origin
    return html`<div class="acts">
      ${out ? act('diff-modified', 'Diff', () => onDiff(node.key)) : nothing}
      ${out ? act('sync', 'Sync', () => onSync([id])) : nothing}
      ${id.kind === 'Pod' && living !== undefined ? act('list-flat', 'Log', () => onLog(node.key)) : nothing}
      ${
        place === undefined || !canOpen
          ? nothing
          : act('go-to-file', 'Manifest', () => this.#open({ file: place.file, ...place.start }))
      }
      ${act('copy', 'kubectl', () => void this.#copy(kubectlWords(id, context)))}
      ${living === undefined ? nothing : act('trash', 'Delete…', () => onDelete(id, version, living.uid))}
    </div>`
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

function fact(title: string, value: string | TemplateResult): TemplateResult {
  return html`<dt>${title}</dt>
    <dd class="break">${value}</dd>`
}

function act(picture: string, words: string, onClick: () => void): TemplateResult {
  return html`<button @click=${onClick}>${icon(picture)}${words}</button>`
}
