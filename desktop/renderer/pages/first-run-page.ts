import { html, nothing, type TemplateResult } from 'lit-html'
import type { WorkspaceShown } from '../../../shared/model/front.ts'
import { sheet, View } from '../../../shared/ui/element.ts'
import { icon } from '../../../shared/ui/icons.ts'
import { ago } from '../../../shared/ui/mark-view.ts'
import { notifyError } from '../../../shared/ui/notice.ts'
import type { PageProps } from '../page.ts'
import { TASK_CSS, taskSteps, withPart, type TaskState } from '../task-steps.ts'

const css = sheet(`
:host { display: grid; height: 100%; overflow: auto; padding: clamp(16px, 6vh, 80px) 20px; place-items: start center; }
main { display: grid; gap: 22px; width: min(920px, 100%); }
.lead { font-size: 1.1em; max-width: 62ch; }
.choices { display: grid; gap: 14px; grid-template-columns: repeat(auto-fit, minmax(min(250px, 100%), 1fr)); }
.choice { display: grid; gap: 8px; justify-items: start; align-content: start; padding: 16px; border: 1px solid var(--pl-line); border-radius: 8px; background: var(--pl-raised); }
.choice p { flex: 1; }
.choice svg { width: 22px; height: 22px; color: var(--pl-accent); }
form { display: flex; gap: 6px; width: 100%; flex-wrap: wrap; }
form input { flex: 1 1 140px; min-width: 0; }
.recent { display: grid; gap: 4px; }
${TASK_CSS}
`)

/** The first page: three ways in, and the folders that were open before. */
export class FirstRunPage extends View<PageProps> {
  #recent: readonly WorkspaceShown[] = []
  #tour: TaskState | undefined
  #folder = ''

  constructor() {
    super(css)
  }

  protected override entered(): void {
    queueMicrotask(() => void this.#ask())
  }

  protected draw({ abilities }: PageProps): TemplateResult {
    return html`<main>
      <h1>Plumbline holds your Git repository against your cluster</h1>
      <p class="lead muted">
        It shows what drifted, who did it, and brings the cluster back to Git by a sync that you have seen before it
        runs.
      </p>
      <div class="choices">
        <section class="choice">
          ${icon('beaker')}
          <h2>Try it now on a built-in cluster</h2>
          <p class="muted">A small repository on a cluster inside Plumbline. No Docker, nothing to download.</p>
          ${
            this.#tour === undefined
              ? html`<button class="primary" @click=${() => void this.#start()}>Start the tour</button>`
              : taskSteps(this.#tour)
          }
        </section>
        <section class="choice">
          ${icon('repo')}
          <h2>Open a repository</h2>
          <p class="muted">A folder with Argo CD Application files, or with plain manifests to make one of.</p>
          ${abilities.pickFolders ? html`<button @click=${() => void this.#open()}>Open a folder…</button>` : this.#folderForm()}
        </section>
        <section class="choice">
          ${icon('server-environment')}
          <h2>Use a cluster I have</h2>
          <p class="muted">Contexts of your kubeconfigs. Nothing is contacted before you say so.</p>
          <button @click=${() => this.props.onGo({ page: 'contexts' })}>Choose a context</button>
        </section>
      </div>
      ${this.#recent.length === 0 ? nothing : this.#recentList()}
    </main>`
  }

  #folderForm(): TemplateResult {
    return html`<form @submit=${(event: Event) => (event.preventDefault(), void this.#open(this.#folder))}>
      <input
        aria-label="Folder"
        placeholder="/path/to/repository"
        spellcheck="false"
        required
        .value=${this.#folder}
        @input=${(event: Event) => (this.#folder = (event.target as HTMLInputElement).value)}
      />
      <button type="submit">Open</button>
    </form>`
  }

  #recentList(): TemplateResult {
    return html`<section class="recent">
      <h2>Recent</h2>
      ${this.#recent.map(
        ({ folder, name, openedAt }) =>
          html`<div class="row wrap">
            <button class="link" title=${folder} @click=${() => void this.#open(folder)}>${name}</button>
            <span class="muted break">${folder} · ${ago(openedAt, Date.now())}</span>
          </div>`,
      )}
    </section>`
  }

  async #ask(): Promise<void> {
    this.#recent = await this.props.host.request('workspace/recent', null).catch(() => [])
    this.redraw()
  }

  async #start(): Promise<void> {
    this.#tour = { steps: [], lines: [] }
    this.redraw()
    try {
      await this.props.host.request('workspace/tour', null, {
        onPart: (part) => {
          if (this.#tour !== undefined) this.#tour = withPart(this.#tour, part)
          this.redraw()
        },
      })
      this.props.onGo({ page: 'applications' })
    } catch (error) {
      notifyError(this, error, 'The tour could not be started')
    }
    this.#tour = undefined
    this.redraw()
  }

  async #open(folder?: string): Promise<void> {
    try {
      const state = await this.props.host.request('workspace/open', folder === undefined ? {} : { folder })
      if (state !== null) this.props.onGo({ page: 'applications' })
    } catch (error) {
      notifyError(this, error, 'The folder could not be opened')
    }
  }
}
