import { html, nothing, type TemplateResult } from 'lit-html'
import type { FolderOffer, FormField, FormValue, NewApplication } from '../../shared/model/front.ts'
import { DialogView, type DialogParts } from '../../shared/ui/dialog.ts'
import { sheet } from '../../shared/ui/element.ts'
import type { Host } from '../../shared/ui/message-host.ts'
import { notify } from '../../shared/ui/notice.ts'
import { countOf } from '../../shared/view/words.ts'
import { formField } from './form-fields.ts'

export type NewApplicationProps = {
  readonly host: Host
  /** The context of this window. */
  readonly context: string
  readonly onClose: () => void
}

const css = sheet(
  `.two { display: grid; gap: 10px 16px; grid-template-columns: repeat(auto-fit, minmax(min(240px, 100%), 1fr)); }`,
)

/** A guided form: choose a folder, and the rest is proposed. It ends in a file that the person sees. */
export class NewApplicationDialog extends DialogView<NewApplicationProps> {
  #folders: readonly FolderOffer[] | undefined
  #values: Readonly<Record<string, FormValue>> = {}
  #problem = ''
  #busy = false

  constructor() {
    super(css)
  }

  protected override entered(): void {
    queueMicrotask(() => void this.#ask())
  }

  protected parts(): DialogParts {
    return {
      title: 'New application',
      body: html`
        ${this.#folders === undefined ? html`<p class="muted" role="status">Looking for folders with manifests…</p>` : this.#form(this.#folders)}
        ${this.#problem === '' ? nothing : html`<p class="note error" role="alert">${this.#problem}</p>`}
      `,
      buttons: html`
        <button @click=${() => this.close()}>Cancel</button>
        <button
          class="primary"
          ?disabled=${this.#busy || this.#problemOf() !== ''}
          title=${this.#problemOf()}
          @click=${() => void this.#create()}
        >
          Write ${this.#text('file') || 'the file'}
        </button>
      `,
    }
  }

  #form(folders: readonly FolderOffer[]): TemplateResult {
    const offers = folders.map(({ path }) => path)
    const path = this.#field('path', 'Folder', this.#offerWords(), folders.length > 0 ? 'choice' : 'text', offers)
    return html`
      <div class="two">${path} ${this.#field('name', 'Name', '', 'text')}</div>
      <div class="two">
        ${this.#field('namespace', 'Namespace', 'where its objects go', 'text')}
        ${this.#field('revision', 'Revision', 'a branch, tag or commit; WORKTREE for files on disk', 'text')}
      </div>
      ${this.#field('createNamespace', 'Make the namespace', 'where it is not there yet', 'boolean')}
      ${this.#field('automated', 'Sync automatically', 'whenever Git moves', 'boolean')}
      ${this.#values['automated'] === true ? html`${this.#field('prune', 'Prune', 'delete what Git no longer has', 'boolean')} ${this.#field('selfHeal', 'Self-heal', 'bring back what was changed by hand', 'boolean')}` : nothing}
      <details>
        <summary>More</summary>
        <div class="two">
          ${this.#field('project', 'Project', '', 'text')}
          ${this.#field('file', 'File', 'where the Application is written', 'text')}
        </div>
      </details>
    `
  }

  #offerWords(): string {
    const offer = this.#folders?.find(({ path }) => path === this.#text('path'))
    return offer === undefined ? '' : `${offer.type}, ${countOf(offer.objects, 'object')}`
  }

  #field(
    key: string,
    title: string,
    description: string,
    kind: FormField['kind'],
    choices: readonly string[] = [],
  ): TemplateResult {
    const value = this.#values[key] ?? (kind === 'boolean' ? false : '')
    return formField({ key, title, description, kind, choices, value, required: false }, value, (next) =>
      this.#set(key, next),
    )
  }

  #set(key: string, value: FormValue): void {
    this.#values = { ...this.#values, [key]: value }
    if (key === 'path') this.#propose(String(value))
    if (key === 'name') this.#values = { ...this.#values, file: `apps/${String(value)}.yaml` }
    this.redraw()
  }

  #propose(path: string): void {
    const name = nameOf(path)
    this.#values = { ...this.#values, path, name, namespace: name, file: `apps/${name}.yaml` }
  }

  #problemOf(): string {
    if (!/^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/.test(this.#text('name')))
      return 'The name has to be small letters, digits and dashes.'
    if (this.#text('path') === '') return 'Which folder?'
    return this.#text('file') === '' ? 'Where should the file be?' : ''
  }

  async #ask(): Promise<void> {
    try {
      this.#folders = await this.props.host.request('applications/folders', null, { signal: this.lifetime })
    } catch (error) {
      this.#folders = []
      this.#problem = error instanceof Error ? error.message : String(error)
    }
    this.#values = { revision: 'HEAD', project: 'default', createNamespace: true }
    this.#propose(this.#folders[0]?.path ?? '')
    this.redraw()
  }

  async #create(): Promise<void> {
    this.#busy = true
    this.#problem = ''
    this.redraw()
    try {
      const { file, line } = await this.props.host.request('applications/create', this.#application())
      notify(this, { severity: 'info', text: `Written: ${file}:${line}. Commit it when you like it.` })
      this.close()
    } catch (error) {
      this.#problem = error instanceof Error ? error.message : String(error)
    }
    this.#busy = false
    this.redraw()
  }

  #application(): NewApplication {
    const yes = (key: string): boolean => this.#values[key] === true
    return {
      name: this.#text('name'),
      project: this.#text('project') || 'default',
      path: this.#text('path'),
      revision: this.#text('revision') || 'HEAD',
      context: this.props.context,
      namespace: this.#text('namespace'),
      createNamespace: yes('createNamespace'),
      automated: yes('automated'),
      prune: yes('automated') && yes('prune'),
      selfHeal: yes('automated') && yes('selfHeal'),
      file: this.#text('file'),
    }
  }

  #text(key: string): string {
    return String(this.#values[key] ?? '').trim()
  }
}

/** The folder's last part, as a Kubernetes name. */
function nameOf(path: string): string {
  const last = path.split('/').findLast((part) => part !== '' && part !== '.') ?? 'application'
  return (
    last
      .toLowerCase()
      .replaceAll(/[^a-z0-9-]+/g, '-')
      .replaceAll(/^-+|-+$/g, '') || 'application'
  )
}
