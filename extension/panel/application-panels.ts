import {
  l10n,
  Uri,
  ViewColumn,
  window,
  type Disposable,
  type ExtensionContext,
  type WebviewOptions,
  type WebviewPanel,
  type WebviewPanelSerializer,
} from 'vscode'
import { hostEventOf, hostFailureOf } from '../../shared/agent/panel-answers.ts'
import { openHostChannel } from '../../shared/view/host-channel.ts'
import type { App } from '../app.ts'
import { panelAnswersOf } from './answers.ts'
import { panelPage } from './page.ts'
import { readPanelTarget, type PanelTarget } from './panel-target.ts'

const VIEW_TYPE = 'plumbline.application'

type Open = { readonly panel: WebviewPanel; navigate(target: PanelTarget): void }

/** The panels of applications: one each, back in their places after a reload of the window. */
export class ApplicationPanels implements WebviewPanelSerializer, Disposable {
  readonly #app: App
  readonly #folder: Uri
  readonly #open = new Map<string, Open>()
  readonly #serializer: Disposable

  constructor(app: App, extension: ExtensionContext) {
    this.#app = app
    this.#folder = Uri.joinPath(extension.extensionUri, 'dist', 'ui')
    this.#serializer = window.registerWebviewPanelSerializer(VIEW_TYPE, this)
  }

  show(target: PanelTarget): void {
    const known = this.#open.get(target.application)
    if (known !== undefined) {
      known.panel.reveal()
      known.navigate(target)
      return
    }
    const options = { ...this.#options(), retainContextWhenHidden: true }
    this.#fill(window.createWebviewPanel(VIEW_TYPE, target.application, ViewColumn.Active, options), target)
  }

  /** After a reload: the panel's own state says whose it is; its title does where the page had not started yet. */
  async deserializeWebviewPanel(panel: WebviewPanel, state: unknown): Promise<void> {
    const target = readPanelTarget(state) ?? readPanelTarget({ application: panel.title })
    if (target === undefined || this.#open.has(target.application)) return panel.dispose()
    panel.webview.options = this.#options()
    this.#fill(panel, target)
  }

  dispose(): void {
    this.#serializer.dispose()
    for (const { panel } of this.#open.values()) panel.dispose()
  }

  #options(): WebviewOptions {
    return { enableScripts: true, enableForms: false, enableCommandUris: false, localResourceRoots: [this.#folder] }
  }

  #fill(panel: WebviewPanel, target: PanelTarget): void {
    const app = this.#app
    const { webview } = panel
    const watched = new Set<string>()
    const post = (text: string): void => void webview.postMessage(text)
    const channel = openHostChannel(panelAnswersOf(app, watched), post, hostFailureOf)
    const subscriptions = [
      webview.onDidReceiveMessage((text: unknown) => {
        if (typeof text === 'string') channel.receive(text)
      }),
      app.connection.onEvent((event) => {
        const told = hostEventOf(event, watched)
        if (told !== undefined) channel.tell(told)
      }),
      app.connection.onAgent((state) => {
        const message =
          state.kind === 'waiting' ? l10n.t('The agent ended ({0}). It is started again by itself.', state.reason) : ''
        channel.tell({ kind: 'agent', state: state.kind === 'running' ? 'running' : 'restarting', message })
      }),
    ]
    panel.onDidDispose(() => {
      this.#open.delete(target.application)
      channel.dispose()
      for (const subscription of subscriptions) subscription.dispose()
    })
    const navigate = ({ application, tab = 'graph', key }: PanelTarget): void => {
      const query = key === undefined ? '' : `?key=${encodeURIComponent(key)}`
      channel.tell({ kind: 'navigate', route: `#/applications/${encodeURIComponent(application)}/${tab}${query}` })
    }
    panel.iconPath = Uri.joinPath(this.#folder, '..', '..', 'media', 'plumbline.svg')
    webview.html = panelPage(webview, Uri.joinPath(this.#folder, 'panel.js'), target)
    this.#open.set(target.application, { panel, navigate })
  }
}
