import { html, nothing, type TemplateResult } from 'lit-html'
import type { KeyShown } from '../../../shared/model/front.ts'
import { icon } from '../../../shared/ui/icons.ts'
import type { Host } from '../../../shared/ui/message-host.ts'
import { notify } from '../../../shared/ui/notice.ts'
import { PageView } from '../page.ts'

/** Keys whose signatures count. */
export class KeysPage extends PageView<readonly KeyShown[]> {
  protected readonly heading = 'Keys'
  protected readonly stale = 'keys'
  #adding = false

  protected async ask(host: Host): Promise<readonly KeyShown[]> {
    return host.request('keys/list', null)
  }

  protected buttons(): TemplateResult {
    return html`<button @click=${() => this.#show(true)}>${icon('add')}Add a key</button>`
  }

  protected list(keys: readonly KeyShown[]): TemplateResult {
    if (keys.length === 0)
      return html`<div class="empty">
          ${icon('key')}
          <p>
            No key is trusted yet. Commits that a policy covers can only be synced once their signer's key stands here.
          </p>
          <button class="primary" @click=${() => this.#show(true)}>Add a trusted key</button>
        </div>
        ${this.#dialog()}`
    return html`<table>
        <thead>
          <tr>
            <th>Who</th>
            <th>Fingerprint</th>
            <th>Kind</th>
            <th></th>
          </tr>
        </thead>
        <tbody>
          ${keys.map((key) => this.#row(key))}
        </tbody>
      </table>
      ${this.#dialog()}`
  }

  #row({ names, fingerprint, format, notes }: KeyShown): TemplateResult {
    return html`<tr>
      <td>${names.join(', ') || 'without a name'}${notes.map((note) => html`<div class="muted">${note}</div>`)}</td>
      <td><code>${fingerprint}</code></td>
      <td>${format}</td>
      <td class="acts">
        <button class="quiet" @click=${() => void this.#remove(fingerprint)}>${icon('trash')}Remove</button>
      </td>
    </tr>`
  }

  #dialog(): TemplateResult | typeof nothing {
    if (!this.#adding) return nothing
    const props = {
      title: 'Add a trusted key',
      words: 'An armored OpenPGP public key, or an ssh public key as it stands in a .pub or allowed_signers file.',
      button: 'Add',
      fields: [
        { key: 'text', title: 'Key', description: '', kind: 'multiline', choices: [], value: '', required: true },
        {
          key: 'name',
          title: 'Name',
          description: 'Of the file that it is kept in; empty: told by the key.',
          kind: 'text',
          choices: [],
          value: '',
          required: false,
        },
      ],
      onClose: () => this.#show(false),
      onSubmit: (values: Readonly<Record<string, unknown>>) =>
        void this.act('The key was not added', async () =>
          this.props.host.request('keys/add', { text: String(values['text']), name: String(values['name']) }),
        ),
    }
    return html`<pl-form-dialog .props=${props}></pl-form-dialog>`
  }

  async #remove(fingerprint: string): Promise<void> {
    const done = await this.act('The key was not removed', async () =>
      this.props.host.request('keys/remove', { fingerprint }),
    )
    if (done) notify(this, { severity: 'info', text: `${fingerprint} is no longer trusted` })
  }

  #show(adding: boolean): void {
    this.#adding = adding
    this.redraw()
  }
}
