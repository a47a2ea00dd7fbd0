import { html, nothing, type TemplateResult } from 'lit-html'
import type { ContextProbe, ContextShown } from '../../../shared/model/front.ts'
import type { ConfirmProps } from '../../../shared/ui/confirm-dialog.ts'
import { icon } from '../../../shared/ui/icons.ts'
import type { Host } from '../../../shared/ui/message-host.ts'
import { notify, notifyError } from '../../../shared/ui/notice.ts'
import { PageView } from '../page.ts'

type Question =
  | { readonly kind: 'rename' | 'namespace'; readonly context: ContextShown }
  | { readonly kind: 'import' }
  | { readonly kind: 'delete'; readonly context: ContextShown }

/** Contexts of all kubeconfigs: which one this window acts on, whether they answer, and what they are called. */
export class ContextsPage extends PageView<readonly ContextShown[]> {
  protected readonly heading = 'Contexts'
  protected readonly stale = 'contexts'
  #question: Question | undefined
  #probes: ReadonlyMap<string, ContextProbe | 'asking'> = new Map()

  protected async ask(host: Host): Promise<readonly ContextShown[]> {
    return host.request('contexts/list', null)
  }

  protected buttons(): TemplateResult {
    return html`<button @click=${() => this.#show({ kind: 'import' })}>${icon('add')}Import a kubeconfig</button>`
  }

  protected list(contexts: readonly ContextShown[]): TemplateResult {
    return html`<div class="cards" role="list">${contexts.map((context) => this.#card(context))}</div>
      ${this.#dialog()}`
  }

  #card(context: ContextShown): TemplateResult {
    const { name, cluster, server, user, auth, namespace, file, chosen, current, production, simulated } = context
    return html`<article class="card" role="listitem" aria-label=${name}>
      <div class="row wrap">
        <h2 class="break">${name}</h2>
        ${chosen ? html`<span class="tag">this window</span>` : nothing}
        ${current ? html`<span class="tag">current</span>` : nothing}
        ${production ? html`<span class="tag production">production</span>` : nothing}
        ${simulated ? html`<span class="tag">simulated</span>` : nothing}
      </div>
      <dl>
        ${facts([
          ['Cluster', server === '' ? cluster : `${cluster} · ${server}`],
          ['User', user === '' ? '' : auth === '' ? user : `${user} (${auth})`],
          ['Namespace', namespace],
          ['File', file],
        ])}
        <dt>Answers</dt>
        <dd class="break">${this.#reach(name)}</dd>
      </dl>
      <div class="acts">${this.#acts(context)}</div>
    </article>`
  }

  #acts(context: ContextShown): TemplateResult {
    const { name, chosen, current, production, simulated } = context
    const items = [
      { title: 'Set as current in the kubeconfig', disabled: current || simulated, act: () => this.#use(name) },
      { title: 'Rename…', disabled: simulated, act: () => this.#show({ kind: 'rename', context }) },
      { title: 'Set namespace…', disabled: simulated, act: () => this.#show({ kind: 'namespace', context }) },
      { title: production ? 'Not production' : 'Mark as production', act: () => this.#mark(context) },
      { title: 'Delete…', disabled: simulated, act: () => this.#show({ kind: 'delete', context }) },
    ]
    return html`
      <button ?disabled=${chosen} @click=${() => this.#choose(name)}>Use here</button>
      <button @click=${() => void this.#probe(name)}>${icon('plug')}Test</button>
      <pl-menu .props=${{ title: `More for ${name}`, items }}></pl-menu>
    `
  }

  #reach(name: string): TemplateResult | string {
    const probe = this.#probes.get(name)
    if (probe === undefined) return html`<span class="muted">not asked yet</span>`
    if (probe === 'asking') return html`<span class="muted" role="status">asking…</span>`
    return probe.reachable
      ? html`<span class="row tone-green"
          >${icon('pass')}<span>${probe.version}, in ${Math.round(probe.latencyMs)} ms</span></span
        >`
      : html`<span class="row tone-red">${icon('error')}<span class="break">${probe.message}</span></span>`
  }

  #dialog(): TemplateResult | typeof nothing {
    const question = this.#question
    const { host } = this.props
    switch (question?.kind) {
      case undefined:
        return nothing
      case 'import':
        return this.#form('Import a kubeconfig', 'Import', ['file', 'File', ''], async (file) => {
          const names = await host.request('contexts/import', { file })
          notify(this, { severity: 'info', text: `imported: ${names.join(', ') || 'nothing new'}` })
        })
      case 'rename': {
        const { name } = question.context
        const save = async (to: string): Promise<unknown> => host.request('contexts/rename', { name, to })
        return this.#form(`Rename ${name}`, 'Rename', ['to', 'Name', name], save)
      }
      case 'namespace': {
        const { name, namespace } = question.context
        const save = async (next: string): Promise<unknown> =>
          host.request('contexts/namespace', { name, namespace: next })
        return this.#form(`Namespace of ${name}`, 'Set', ['namespace', 'Namespace', namespace], save)
      }
      case 'delete':
        return this.#deletion(question.context)
    }
  }

  #form(
    title: string,
    button: string,
    [key, label, value]: readonly [string, string, string],
    save: (value: string) => Promise<unknown>,
  ): TemplateResult {
    const field = { key, title: label, description: '', kind: 'text', choices: [], value, required: true }
    const onSubmit = (values: Readonly<Record<string, unknown>>): void =>
      void this.act(title, async () => save(String(values[key]).trim()))
    const props = { title, words: '', button, fields: [field], onClose: () => this.#show(undefined), onSubmit }
    return html`<pl-form-dialog .props=${props}></pl-form-dialog>`
  }

  #deletion({ name, file, production }: ContextShown): TemplateResult {
    const props: ConfirmProps = {
      title: `Delete the context ${name}?`,
      words: `It goes out of ${file}, which is backed up first. The cluster stays as it is.`,
      items: [],
      button: 'Delete',
      danger: true,
      typed: production ? name : '',
      onClose: () => this.#show(undefined),
      onConfirm: (typedName) => void this.#delete(name, typedName),
    }
    return html`<pl-confirm .props=${props}></pl-confirm>`
  }

  async #delete(name: string, typedName: string | undefined): Promise<void> {
    const { host } = this.props
    let token = ''
    const typed = typedName === undefined ? {} : { typedName }
    const done = await this.act(`${name} was not deleted`, async () => {
      token = await host.request('contexts/delete', { name, ...typed })
    })
    if (!done) return
    const undo = (): void =>
      void this.act(`${name} did not come back`, async () => host.request('contexts/undo', { token }))
    notify(this, { severity: 'info', text: `${name} was deleted`, action: { title: 'Undo', act: undo } })
  }

  async #probe(name: string): Promise<void> {
    this.#probes = new Map(this.#probes).set(name, 'asking')
    this.redraw()
    try {
      const probe = await this.props.host.request('contexts/probe', { name })
      this.#probes = new Map(this.#probes).set(name, probe)
    } catch (error) {
      this.#probes = new Map([...this.#probes].filter(([known]) => known !== name))
      notifyError(this, error, `${name} could not be asked`)
    }
    this.redraw()
  }

  #choose(context: string): void {
    void this.act(`${context} is not used here`, async () => this.props.host.request('workspace/context', { context }))
  }

  #use(name: string): void {
    void this.act(`${name} was not made the current context`, async () =>
      this.props.host.request('contexts/use', { name }),
    )
  }

  #mark({ name, production }: ContextShown): void {
    void this.act(`${name} was not marked`, async () =>
      this.props.host.request('contexts/production', { name, production: !production }),
    )
  }

  #show(question: Question | undefined): void {
    this.#question = question
    this.redraw()
  }
}

function facts(all: readonly (readonly [string, string])[]): readonly TemplateResult[] {
  return all
    .filter(([, value]) => value !== '')
    .map(
      ([title, value]) =>
        html`<dt>${title}</dt>
          <dd class="break">${value}</dd>`,
    )
}
