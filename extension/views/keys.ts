import {
  EventEmitter,
  ThemeIcon,
  TreeItem,
  TreeItemCollapsibleState,
  type Disposable,
  type TreeDataProvider,
} from 'vscode'
import type { KeyRow } from '../../shared/agent/contract.ts'
import { timeAgo } from '../../shared/view/time.ts'
import { shortRevision } from '../../shared/view/words.ts'
import { verdictMark } from '../../shared/view/marks.ts'
import type { Known, Model } from '../model.ts'

export type KeyNode = { readonly kind: 'key'; readonly row: KeyRow }
type RepositoryNode = { readonly kind: 'repository'; readonly url: string; readonly users: readonly Known[] }
type Node = KeyNode | RepositoryNode

/** The repositories that applications come from, and the keys whose signatures are trusted. */
export class KeysTree implements TreeDataProvider<Node>, Disposable {
  readonly #model: Model
  readonly #changed = new EventEmitter<undefined>()
  readonly onDidChangeTreeData = this.#changed.event
  readonly #subscription: Disposable

  constructor(model: Model) {
    this.#model = model
    this.#subscription = model.onChange(() => this.#changed.fire(undefined))
  }

  getChildren(node?: Node): Node[] {
    if (node !== undefined) return []
    const users = new Map<string, Known[]>()
    for (const known of this.#model.applications) {
      for (const url of new Set(known.sent?.snapshot.application.sources.map(({ repoURL }) => repoURL))) {
        users.set(url, [...(users.get(url) ?? []), known])
      }
    }
    const repositories = [...users].map(([url, of]): RepositoryNode => ({ kind: 'repository', url, users: of }))
    return [...repositories, ...this.#model.keys.map((row): KeyNode => ({ kind: 'key', row }))]
  }

  getTreeItem(node: Node): TreeItem {
    return node.kind === 'key' ? keyItem(node.row) : repositoryItem(node)
  }

  dispose(): void {
    this.#subscription.dispose()
    this.#changed.dispose()
  }
}

function repositoryItem({ url, users }: RepositoryNode): TreeItem {
  const item = new TreeItem(url === '.' ? 'this repository' : url, TreeItemCollapsibleState.None)
  const snapshot = users[0]?.sent?.snapshot
  const { revision, verdict } = snapshot ?? {}
  item.id = `repository/${url}`
  item.iconPath = new ThemeIcon('repo')
  item.contextValue = 'repository'
  if (revision === undefined) return item
  const mark = verdict === undefined ? '' : ` · ${verdictMark(verdict).word}`
  item.description = `${shortRevision(revision)}${mark} · ${users.map(({ head }) => head.name).join(', ')}`
  item.tooltip = `${revision.subject}\n${revision.author}, ${timeAgo(revision.committedAt, Date.now())}`
  return item
}

function keyItem({ fingerprint, names, format, file, notes }: KeyRow): TreeItem {
  const item = new TreeItem(names[0] ?? fingerprint, TreeItemCollapsibleState.None)
  item.id = `key/${file}/${fingerprint}`
  item.description = [format, fingerprint.slice(-16), ...notes].join(' · ')
  item.tooltip = [fingerprint, ...names, file].join('\n')
  item.iconPath = new ThemeIcon('key')
  item.contextValue = 'key'
  return item
}
