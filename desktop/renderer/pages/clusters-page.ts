import { html, nothing, type TemplateResult } from 'lit-html'
import type { ClusterAction, ClusterShown } from '../../../shared/model/front.ts'
import type { ConfirmProps } from '../../../shared/ui/confirm-dialog.ts'
import { icon } from '../../../shared/ui/icons.ts'
import { ago, markView } from '../../../shared/ui/mark-view.ts'
import type { MenuItem } from '../../../shared/ui/menu.ts'
import type { Host } from '../../../shared/ui/message-host.ts'
import { notify } from '../../../shared/ui/notice.ts'
import { clusterMark } from '../../../shared/view/cluster-mark.ts'
import { countOf } from '../../../shared/view/words.ts'
import { PageView } from '../page.ts'

type Question = { readonly kind: 'delete' | 'load-image' | 'export-logs'; readonly cluster: ClusterShown }

const WORDS: Readonly<Record<ClusterAction, string>> = {
  start: 'Start',
  stop: 'Stop',
  delete: 'Delete…',
  use: 'Set as current',
  'install-agent': 'Install agent',
  'load-image': 'Load an image…',
  'export-logs': 'Export logs…',
}

/** Actions that stand on the card itself; the others are behind the dots. */
const SHOWN: readonly ClusterAction[] = ['start', 'stop', 'use']

/** Clusters of this machine and those of contexts, a card each. */
export class ClustersPage extends PageView<readonly ClusterShown[]> {
  protected readonly heading = 'Clusters'
  protected readonly stale = 'clusters'
  #question: Question | undefined
  #busy: ReadonlyMap<string, string> = new Map()

  protected async ask(host: Host): Promise<readonly ClusterShown[]> {
    return host.request('clusters/list', null)
  }

  protected buttons(): TemplateResult {
    return html`<button class="primary" @click=${() => this.#new()}>${icon('add')}New cluster</button>`
  }

  protected list(clusters: readonly ClusterShown[]): TemplateResult {
    if (clusters.length === 0)
      return html`<div class="empty">
        ${icon('server-environment')}
        <p>There is no cluster yet.</p>
        <button class="primary" @click=${() => this.#new()}>Make one</button>
      </div>`
    return html`<div class="cards" role="list">${clusters.map((cluster) => this.#card(cluster))}</div>
      ${this.#dialog()}`
  }

  #card(cluster: ClusterShown): TemplateResult {
    const { name, provider, version, nodes, state, message, createdAt, applications, current, production, simulated } =
      cluster
    const busy = this.#busy.get(name)
    const facts = [
      provider,
      version,
      nodes > 0 ? countOf(nodes, 'node') : '',
      applications > 0 ? countOf(applications, 'application') : '',
    ].filter((fact) => fact !== '')
    return html`<article class="card" role="listitem" aria-label=${name}>
      <div class="row wrap">
        <h2 class="break">${name}</h2>
        ${current ? html`<span class="tag">current</span>` : nothing}
        ${production ? html`<span class="tag production">production</span>` : nothing}
        ${simulated ? html`<span class="tag">simulated</span>` : nothing}
      </div>
      <p class="row wrap">
        ${markView(clusterMark(state === 'broken' ? 'failed' : state))}<span class="muted">${facts.join(' · ')}</span>
      </p>
      ${createdAt === '' ? nothing : html`<p class="muted">made ${ago(createdAt, Date.now())}</p>`}
      ${message === '' ? nothing : html`<p class=${state === 'broken' ? 'note error' : 'muted break'}>${message}</p>`}
      ${busy === undefined ? nothing : html`<p class="muted break" role="status">${busy}</p>`}
      <div class="acts">${this.#acts(cluster)}</div>
    </article>`
  }

  #acts(cluster: ClusterShown): TemplateResult {
    const { name, actions } = cluster
    const busy = this.#busy.has(name)
    const hidden: readonly MenuItem[] = actions
      .filter((action) => !SHOWN.includes(action))
      .map((action) => ({ title: WORDS[action], disabled: busy, act: () => this.#choose(action, cluster) }))
    return html`
      ${actions
        .filter((action) => SHOWN.includes(action))
        .map(
          (action) =>
            html`<button ?disabled=${busy} @click=${() => this.#choose(action, cluster)}>${WORDS[action]}</button>`,
        )}
      ${hidden.length === 0 ? nothing : html`<pl-menu .props=${{ title: `More for ${name}`, items: hidden }}></pl-menu>`}
    `
  }

  #choose(action: ClusterAction, cluster: ClusterShown): void {
    if (action === 'delete' || action === 'load-image' || action === 'export-logs')
      this.#show({ kind: action, cluster })
    else void this.#run(action, cluster, {})
  }

  #dialog(): TemplateResult | typeof nothing {
    if (this.#question === undefined) return nothing
    const { kind, cluster } = this.#question
    if (kind === 'delete') return this.#deletion(cluster)
    const image = kind === 'load-image'
    const title = image ? `Load an image into ${cluster.name}` : `Export the logs of ${cluster.name}`
    const label = image ? 'Image' : 'Folder'
    const field = {
      key: 'argument',
      title: label,
      description: '',
      kind: 'text',
      choices: [],
      value: '',
      required: true,
    }
    const onSubmit = ({ argument }: Readonly<Record<string, unknown>>): void =>
      void this.#run(kind, cluster, { argument: String(argument) })
    const props = {
      title,
      words: '',
      button: image ? 'Load' : 'Export',
      fields: [field],
      onClose: this.#close,
      onSubmit,
    }
    return html`<pl-form-dialog .props=${props}></pl-form-dialog>`
  }

  #deletion(cluster: ClusterShown): TemplateResult {
    const { name, ours, production, applications } = cluster
    const more = applications === 0 ? '' : ` ${countOf(applications, 'application')} of this workspace go there.`
    const props: ConfirmProps = {
      title: `Delete ${name}?`,
      words: `The cluster and everything in it are gone then.${more}${ours ? '' : ' Plumbline did not make it.'}`,
      items: [],
      button: `Delete ${name}`,
      danger: true,
      typed: ours && !production ? '' : name,
      onClose: this.#close,
      onConfirm: (typedName) => void this.#run('delete', cluster, typedName === undefined ? {} : { typedName }),
    }
    return html`<pl-confirm .props=${props}></pl-confirm>`
  }

  async #run(
    action: ClusterAction,
    { name, provider }: ClusterShown,
    more: { readonly argument?: string; readonly typedName?: string },
  ): Promise<void> {
    const what = `${WORDS[action].replace('…', '')} ${name}`
    this.#say(name, `${what}…`)
    const done = await this.act(what, async () =>
      this.props.host.request(
        'clusters/act',
        { name, provider, action, ...more },
        { onPart: (part) => this.#say(name, part.kind === 'step' ? part.name : part.text) },
      ),
    )
    this.#busy = new Map([...this.#busy].filter(([known]) => known !== name))
    if (done) notify(this, { severity: 'info', text: `${what}: done` })
    this.redraw()
  }

  #say(name: string, words: string): void {
    this.#busy = new Map(this.#busy).set(name, words)
    this.redraw()
  }

  #new(): void {
    this.props.onGo({ page: 'clusters', name: 'new' })
  }

  #show(question: Question | undefined): void {
    this.#question = question
    this.redraw()
  }

  readonly #close = (): void => this.#show(undefined)
}
