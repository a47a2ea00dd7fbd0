import { l10n, StatusBarAlignment, ThemeColor, window, type Disposable } from 'vscode'
import { driftCounts, driftWords } from '../../shared/view/words.ts'
import type { Model } from '../model.ts'
import { isProductionHere } from '../production-here.ts'

const GATHER_MS = 100

/** Context and overall drift at the left; spins while something is synced. */
export class StatusBar implements Disposable {
  readonly #model: Model
  readonly #item = window.createStatusBarItem('plumbline.context', StatusBarAlignment.Left, 10)
  readonly #subscription: Disposable
  #timer: NodeJS.Timeout | undefined

  constructor(model: Model) {
    this.#model = model
    this.#item.name = 'Plumbline'
    this.#item.command = 'plumbline.switchContext'
    this.#subscription = model.onChange(() => this.#gather())
  }

  dispose(): void {
    clearTimeout(this.#timer)
    this.#subscription.dispose()
    this.#item.dispose()
  }

  /** Hundreds of applications are told of one by one when a workspace opens. */
  #gather(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#draw()
    }, GATHER_MS)
  }

  #draw(): void {
    const { context, applications, session } = this.#model
    if (session === undefined || applications.length === 0) return this.#item.hide()
    const syncing = applications.find((known) => known.syncing !== undefined)
    const resources = applications.flatMap(({ sent }) => sent?.snapshot.resources ?? [])
    const counts = driftCounts(resources)
    const drifted = counts.drifted + counts.missing + counts.extra
    const words = driftWords(counts)
    const production = isProductionHere(context, this.#model)
    if (syncing?.syncing !== undefined) {
      const { done, total } = syncing.syncing
      this.#item.text = `$(sync~spin) ${l10n.t('Syncing {0} {1}/{2}', syncing.head.name, done, total)}`
    } else {
      const state = drifted === 0 ? '$(pass)' : `$(warning) ${drifted}`
      // The wheel of Kubernetes is missing in many fonts.
      const simulated = this.#model.contexts.some((row) => row.name === context && row.simulated)
      this.#item.text = `$(${simulated ? 'beaker' : 'server-environment'}) ${context} ${state}`
    }
    const told = words === '' ? l10n.t('everything is in sync') : words
    this.#item.tooltip = l10n.t(
      'Plumbline: {0}{1}, {2}. Click to act on another context.',
      context,
      production ? ` (${l10n.t('production')})` : '',
      told,
    )
    this.#item.accessibilityInformation = { label: l10n.t('Plumbline, context {0}, {1}', context, told) }
    this.#item.backgroundColor = production ? new ThemeColor('statusBarItem.warningBackground') : undefined
    this.#item.show()
  }
}
