import { EventEmitter, ThemeColor, ThemeIcon, TreeItem, type Disposable, type TreeDataProvider } from 'vscode'
import type { ContextRow } from '../../shared/agent/contract.ts'
import { SIMULATED_MARK } from '../../shared/view/marks.ts'
import { countOf } from '../../shared/view/words.ts'
import type { Model } from '../model.ts'
import { isProduction } from '../production.ts'
import { settings } from '../settings.ts'

export type ContextNode = { readonly kind: 'context'; readonly row: ContextRow }

/** The contexts that may be acted on; the chosen one is marked. */
export class ClustersTree implements TreeDataProvider<ContextNode>, Disposable {
  readonly #model: Model
  readonly #changed = new EventEmitter<undefined>()
  readonly onDidChangeTreeData = this.#changed.event
  readonly #subscription: Disposable

  constructor(model: Model) {
    this.#model = model
    this.#subscription = model.onChange(({ kind }) => {
      if (kind === 'all') this.#changed.fire(undefined)
    })
  }

  getChildren(node?: ContextNode): ContextNode[] {
    return node === undefined ? this.#model.contexts.map((row) => ({ kind: 'context', row })) : []
  }

  getTreeItem({ row }: ContextNode): TreeItem {
    const chosen = row.name === this.#model.context || (this.#model.context === '' && row.current)
    const production = isProduction(row.name, settings.productionContexts())
    const here = this.#model.applications.filter(({ head }) => head.context === row.name).length
    const words = [
      row.simulated ? SIMULATED_MARK.word : '',
      production ? 'production' : '',
      here === 0 ? '' : countOf(here, 'application'),
      chosen ? 'current' : '',
    ].filter((word) => word !== '')
    const item = new TreeItem(row.name)
    item.id = `context/${row.name}`
    item.description = words.join(' · ')
    item.contextValue = `context.${chosen ? 'chosen' : 'other'}`
    item.iconPath = chosen
      ? new ThemeIcon('circle-filled', new ThemeColor('charts.green'))
      : new ThemeIcon(row.simulated ? SIMULATED_MARK.codicon : 'circle-outline')
    item.tooltip = [row.server, row.user, row.namespace === '' ? '' : `namespace ${row.namespace}`]
      .filter((word) => word !== '')
      .join('\n')
    item.accessibilityInformation = { label: [row.name, ...words].join(', ') }
    return item
  }

  dispose(): void {
    this.#subscription.dispose()
    this.#changed.dispose()
  }
}
