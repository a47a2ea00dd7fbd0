import { EventEmitter, l10n, ThemeColor, ThemeIcon, TreeItem, type Disposable, type TreeDataProvider } from 'vscode'
import type { ContextRow } from '../../shared/agent/contract.ts'
import type { ClusterRow } from '../../shared/model/cluster.ts'
import { SIMULATED_MARK } from '../../shared/view/marks.ts'
import { countOf } from '../../shared/view/words.ts'
import type { Model } from '../model.ts'
import { isProductionHere } from '../production-here.ts'

/** A context, a cluster on this machine, or both where the one leads to the other. */
export type ContextNode = {
  readonly kind: 'context'
  readonly row: Pick<ContextRow, 'name' | 'server' | 'namespace' | 'user' | 'simulated' | 'current'>
  readonly cluster?: ClusterRow
}

/** The contexts that may be acted on and the clusters of this machine; the chosen one is marked. */
export class ClustersTree implements TreeDataProvider<ContextNode>, Disposable {
  readonly #model: Model
  readonly #changed = new EventEmitter<undefined>()
  readonly onDidChangeTreeData = this.#changed.event
  readonly #subscription: Disposable

  constructor(model: Model) {
    this.#model = model
    this.#subscription = model.onChange(({ kind }) => {
      if (kind !== 'application') this.#changed.fire(undefined)
    })
  }

  getChildren(node?: ContextNode): ContextNode[] {
    return node === undefined ? contextNodes(this.#model.contexts, this.#model.clusters) : []
  }

  getTreeItem({ row, cluster }: ContextNode): TreeItem {
    const chosen = row.name === this.#model.context || (this.#model.context === '' && row.current)
    const here = this.#model.applications.filter(({ head }) => head.context === row.name).length
    const words = [
      row.simulated ? SIMULATED_MARK.word : '',
      cluster === undefined || cluster.provider === 'embedded' ? '' : cluster.provider,
      cluster?.version ?? '',
      cluster === undefined || cluster.state === 'unknown' ? '' : cluster.state,
      isProductionHere(row.name, this.#model) ? l10n.t('production') : '',
      here === 0 ? '' : countOf(here, 'application'),
      chosen ? l10n.t('current') : '',
    ].filter((word) => word !== '')
    const item = new TreeItem(row.name)
    item.id = `context/${row.name}/${cluster?.id ?? ''}`
    item.description = words.join(' · ')
    const local = cluster === undefined ? '' : `.local.${cluster.actions.join('.')}`
    item.contextValue = `context.${chosen ? 'chosen' : 'other'}${local}`
    item.iconPath = iconOf(row.simulated, chosen, cluster)
    item.tooltip = [
      row.server,
      row.user,
      row.namespace === '' ? '' : l10n.t('namespace {0}', row.namespace),
      cluster?.detail ?? '',
    ]
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

/** Every context with the cluster that it leads to, then the clusters that no context leads to yet. */
export function contextNodes(contexts: readonly ContextRow[], clusters: readonly ClusterRow[]): ContextNode[] {
  const left = new Map(clusters.map((cluster) => [cluster.context, cluster]))
  const nodes = contexts.map((row): ContextNode => {
    const cluster = left.get(row.name)
    left.delete(row.name)
    return { kind: 'context', row, ...(cluster === undefined ? {} : { cluster }) }
  })
  const others = [...left.values()].map((cluster): ContextNode => {
    const { context, simulated } = cluster
    const row = { name: context, server: '', namespace: '', user: '', simulated, current: false }
    return { kind: 'context', row, cluster }
  })
  return [...nodes, ...others]
}

function iconOf(simulated: boolean, chosen: boolean, cluster: ClusterRow | undefined): ThemeIcon {
  if (cluster?.state === 'failed') return new ThemeIcon('error', new ThemeColor('charts.red'))
  const busy = ['creating', 'starting', 'stopping', 'deleting'].includes(cluster?.state ?? '')
  if (busy) return new ThemeIcon('sync~spin', new ThemeColor('charts.blue'))
  if (chosen) return new ThemeIcon('circle-filled', new ThemeColor('charts.green'))
  return new ThemeIcon(simulated ? SIMULATED_MARK.codicon : 'circle-outline')
}
