import { EventEmitter, l10n, TreeItem, type Disposable, type TreeDataProvider } from 'vscode'
import { applicationRow } from '../../shared/view/application-row.ts'
import { countOf } from '../../shared/view/words.ts'
import type { Change, Known, Model } from '../model.ts'
import { settings } from '../settings.ts'
import { applicationItem, applicationTooltip, conditionItem, groupItem, kindItem, resourceItem } from './tree-items.ts'
import {
  filterWords,
  fitsFilter,
  resourceNodes,
  shownNodes,
  type ApplicationNode,
  type ConditionNode,
  type GroupNode,
  type KindNode,
  type Node,
  type ResourceNode,
} from './tree-nodes.ts'

/** News of many applications is told at once, and the editor asks for what it shows. */
const GATHER_MS = 100

/** Applications, their resources, and what those own. */
export class ApplicationsTree implements TreeDataProvider<Node>, Disposable {
  readonly #model: Model
  readonly #changed = new EventEmitter<Node | Node[] | undefined>()
  readonly onDidChangeTreeData = this.#changed.event
  readonly #subscription: Disposable
  /** One node per application for as long as it is there, so that a change redraws that node alone. */
  readonly #nodes = new Map<string, ApplicationNode>()
  readonly #stale = new Set<string>()
  #all = false
  #timer: NodeJS.Timeout | undefined
  #filter: readonly string[] = []

  constructor(model: Model) {
    this.#model = model
    this.#subscription = model.onChange((change) => this.#onChange(change))
  }

  refresh(): void {
    this.#all = true
    this.#gather()
  }

  filter(text: string): void {
    this.#filter = filterWords(text)
    this.refresh()
  }

  getTreeItem(node: Node): TreeItem {
    switch (node.kind) {
      case 'group':
        return groupItem(node)
      case 'application': {
        const known = this.#model.application(node.name)
        return known === undefined ? new TreeItem(node.name) : applicationItem(known)
      }
      case 'condition':
        return conditionItem(node)
      case 'kind':
        return kindItem(node)
      case 'resource':
        return resourceItem(node, this.#model.application(node.application))
    }
  }

  /** Tooltips are made when somebody points. */
  resolveTreeItem(item: TreeItem, node: Node): TreeItem {
    const sent = node.kind === 'application' ? this.#model.application(node.name)?.sent : undefined
    if (sent !== undefined) item.tooltip = applicationTooltip(sent.snapshot, applicationRow(sent.snapshot))
    return item
  }

  getChildren(node?: Node): Node[] {
    if (node === undefined) return settings.groupBy() === 'none' ? this.#applications() : this.#groups()
    switch (node.kind) {
      case 'group':
        return this.#applications(node.label)
      case 'application':
        return this.#below(node)
      case 'condition':
        return []
      case 'kind':
      case 'resource':
        return [...node.children]
    }
  }

  /** What stands over a node; `reveal` asks. */
  getParent(node: Node): Node | undefined {
    switch (node.kind) {
      case 'group':
        return undefined
      case 'application': {
        const known = this.#model.application(node.name)
        if (known === undefined || settings.groupBy() === 'none') return undefined
        return this.#groups().find(({ label }) => label === groupOf(known))
      }
      case 'condition':
      case 'kind':
        return this.#nodeOf(node.application)
      case 'resource':
        return this.#parentOf(node)
    }
  }

  /** The node of an application, or of one of its managed resources. */
  find(application: string, key?: string): Node | undefined {
    const sent = this.#model.application(application)?.sent
    if (key === undefined || sent === undefined) return this.#nodeOf(application)
    return resourceNodes(sent).find(({ row }) => row.key === key)
  }

  dispose(): void {
    clearTimeout(this.#timer)
    this.#subscription.dispose()
    this.#changed.dispose()
  }

  #applications(group?: string): ApplicationNode[] {
    return this.#model.applications
      .filter((known) => (group === undefined || groupOf(known) === group) && fitsFilter(known, this.#filter))
      .map(({ head }) => this.#nodeOf(head.name))
  }

  #groups(): GroupNode[] {
    const counts = new Map<string, number>()
    for (const known of this.#model.applications) {
      if (fitsFilter(known, this.#filter)) counts.set(groupOf(known), (counts.get(groupOf(known)) ?? 0) + 1)
    }
    return [...counts]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([label, count]): GroupNode => ({ kind: 'group', label, count }))
  }

  #below({ name }: ApplicationNode): Node[] {
    const sent = this.#model.application(name)?.sent
    if (sent === undefined) return []
    const conditions = sent.snapshot.conditions.map(({ type, message }): ConditionNode => ({
      kind: 'condition',
      application: name,
      type,
      message,
    }))
    return [...conditions, ...shownNodes(sent)]
  }

  #nodeOf(name: string): ApplicationNode {
    const node = this.#nodes.get(name) ?? { kind: 'application', name }
    this.#nodes.set(name, node)
    return node
  }

  #parentOf(node: ResourceNode): Node {
    const sent = this.#model.application(node.application)?.sent
    const within = (nodes: readonly (KindNode | ResourceNode)[]): Node | undefined => {
      for (const parent of nodes) {
        if (parent.children.includes(node)) return parent
        const found = within(parent.children)
        if (found !== undefined) return found
      }
      return undefined
    }
    return (sent === undefined ? undefined : within(shownNodes(sent))) ?? this.#nodeOf(node.application)
  }

  #onChange(change: Change): void {
    if (change.kind === 'machine') return
    // In which group an application stands, and whether it fits a filter, may have changed with it.
    const inPlace = settings.groupBy() !== 'state' && this.#filter.length === 0
    if (change.kind === 'application' && inPlace) this.#stale.add(change.name)
    else this.#all = true
    this.#gather()
  }

  #gather(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      const nodes = [...this.#stale].flatMap((name) => this.#nodes.get(name) ?? [])
      this.#changed.fire(this.#all || nodes.length === 0 ? undefined : nodes)
      this.#stale.clear()
      this.#all = false
    }, GATHER_MS)
  }
}

function groupOf({ head, sent }: Known): string {
  switch (settings.groupBy()) {
    case 'cluster':
      return head.context
    case 'state':
      return sent === undefined ? 'Unknown' : sent.snapshot.sync
    default:
      return head.project
  }
}

/** What stands over the tree while something is wrong; empty when nothing is. */
export function applicationsMessage({
  agent,
  problem,
  failures,
}: Pick<Model, 'agent' | 'problem' | 'failures'>): string {
  if (agent.kind === 'waiting') return l10n.t('The agent ended ({0}). It is started again by itself.', agent.reason)
  if (problem !== undefined) return problem
  const [first] = failures
  return first === undefined
    ? ''
    : l10n.t('{0} could not be read: {1}', countOf(failures.length, 'file'), first.message)
}
