import { html, nothing, type TemplateResult } from 'lit-html'
import type { FormField, FormValue, RepositoryShown } from '../../../shared/model/front.ts'
import { icon } from '../../../shared/ui/icons.ts'
import type { Host } from '../../../shared/ui/message-host.ts'
import { notify } from '../../../shared/ui/notice.ts'
import { repositoryName } from '../../../shared/view/panel-words.ts'
import { countOf } from '../../../shared/view/words.ts'
import { PageView } from '../page.ts'

type Tested = { readonly ok: boolean; readonly message: string }

const KEPT = 'Kept in the keychain of this machine, never in a file of Plumbline.'
/** A browser has no keychain that we could ask. */
const KEPT_IN_MEMORY = 'Kept in memory until `plumbline serve` ends.'

const FIELDS: readonly FormField[] = [
  field('url', 'URL', 'https://, ssh:// or git@host:path', 'text', true),
  field('username', 'User', 'For https; empty where a token is enough.', 'text', false),
  field('secret', 'Password or token', '', 'secret', false),
  field(
    'sshKey',
    'SSH private key',
    'The key, or the path of its file. Empty: what your ssh agent has.',
    'multiline',
    false,
  ),
]

/** Repositories that applications come from, and what opens them. */
export class RepositoriesPage extends PageView<readonly RepositoryShown[]> {
  protected readonly heading = 'Repositories'
  protected readonly stale = 'repositories'
  #adding = false
  #tested: ReadonlyMap<string, Tested | 'asking'> = new Map()

  protected async ask(host: Host): Promise<readonly RepositoryShown[]> {
    return host.request('repositories/list', null)
  }

  protected buttons(): TemplateResult {
    return html`<button @click=${() => this.#show(true)}>${icon('add')}Add a repository</button>`
  }

  protected list(repositories: readonly RepositoryShown[]): TemplateResult {
    if (repositories.length === 0)
      return html`<div class="empty">
          ${icon('repo')}
          <p>No application names a repository yet.</p>
          <button class="primary" @click=${() => this.#show(true)}>Add a repository</button>
        </div>
        ${this.#dialog()}`
    return html`<div class="cards" role="list">${repositories.map((repository) => this.#card(repository))}</div>
      ${this.#dialog()}`
  }

  #card({ url, kind, folder, branch, credential, applications }: RepositoryShown): TemplateResult {
    const tested = this.#tested.get(url)
    return html`<article class="card" role="listitem">
      <div class="row wrap">
        <h2 class="break" title=${url}>${kind === 'local' ? repositoryName(url) : url}</h2>
        <span class="tag">${kind}</span>
      </div>
      <p class="muted break">
        ${[branch, folder, countOf(applications, 'application')].filter((part) => part !== '').join(' · ')}
      </p>
      <p class="muted break">${credential === 'none' ? 'no credential' : credential}</p>
      ${
        tested === undefined
          ? nothing
          : tested === 'asking'
            ? html`<p class="muted" role="status">Asking…</p>`
            : html`<p class="note ${tested.ok ? '' : 'error'}" role="status">${tested.message}</p>`
      }
      <div class="acts">
        <button @click=${() => void this.#test(url)}>${icon('plug')}Test</button>
        ${
          kind === 'local'
            ? nothing
            : html`<button class="quiet" @click=${() => void this.#remove(url)}>${icon('trash')}Forget</button>`
        }
      </div>
    </article>`
  }

  #dialog(): TemplateResult | typeof nothing {
    if (!this.#adding) return nothing
    const onSubmit = (values: Readonly<Record<string, FormValue>>): void => {
      const [url = '', username = '', secret = '', sshKey = ''] = FIELDS.map(({ key }) => String(values[key] ?? ''))
      const asked = { url, username, secret, sshKey }
      void this.act('The repository was not added', async () => this.props.host.request('repositories/add', asked))
    }
    const words = this.props.abilities.front === 'browser' ? KEPT_IN_MEMORY : KEPT
    const props = {
      title: 'Add a repository',
      words,
      button: 'Add',
      fields: FIELDS,
      onClose: () => this.#show(false),
      onSubmit,
    }
    return html`<pl-form-dialog .props=${props}></pl-form-dialog>`
  }

  async #test(url: string): Promise<void> {
    this.#tested = new Map(this.#tested).set(url, 'asking')
    this.redraw()
    const tested = await this.props.host.request('repositories/test', { url }).catch((error: unknown): Tested => ({
      ok: false,
      message: error instanceof Error ? error.message : String(error),
    }))
    this.#tested = new Map(this.#tested).set(url, tested)
    this.redraw()
  }

  async #remove(url: string): Promise<void> {
    const done = await this.act(`${url} was not forgotten`, async () =>
      this.props.host.request('repositories/remove', { url }),
    )
    if (done) notify(this, { severity: 'info', text: `${url} and its credential are forgotten` })
  }

  #show(adding: boolean): void {
    this.#adding = adding
    this.redraw()
  }
}

function field(key: string, title: string, description: string, kind: FormField['kind'], required: boolean): FormField {
  return { key, title, description, kind, choices: [], value: '', required }
}
