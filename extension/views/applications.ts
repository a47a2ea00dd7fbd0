import {
  EventEmitter,
  MarkdownString,
  TreeItem,
  TreeItemCollapsibleState,
  type Disposable,
  type TreeDataProvider,
} from 'vscode'
import { HEALTH_MARKS, SYNC_MARKS } from '../../shared/view/marks.ts'
import { applicationRow } from '../../shared/view/application-row.ts'
import { timeAgo } from '../../shared/view/time.ts'
import { countOf } from '../../shared/view/words.ts'
import type { Change, Known, Model } from '../model.ts'
import { settings } from '../settings.ts'
import { withShortShas } from '../short-shas.ts'
import { markIcon } from './icons.ts'
import { resourceNodes, type ResourceNode } from './tree-nodes.ts'

export type GroupNode = { readonly kind: 'group'; readonly label: string }
export type ApplicationNode = { readonly kind: 'application'; readonly name: string }
type ConditionNode = {
  readonly kind: 'condition'
  readonly application: string
  readonly type: string
  readonly message: string
}
export type Node = GroupNode | ApplicationNode | ConditionNode | ResourceNode

/** Applications, their resources, and what those own. */
export class ApplicationsTree implements TreeDataProvider<Node>, Disposable {
  readonly #model: Model
  readonly #changed = new EventEmitter<Node | undefined>()
  readonly onDidChangeTreeData = this.#changed.event
  readonly #subscription: Disposable
  /** One node per application for as long as it is there, so that a change redraws that node alone. */
  readonly #nodes = new Map<string, ApplicationNode>()

  constructor(model: Model) {
    this.#model = model
    this.#subscription = model.onChange((change) => this.#onChange(change))
  }

  refresh(): void {
    this.#changed.fire(undefined)
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
    if (node === undefined) {
      const groups = [...new Set(this.#model.applications.map(groupOf))].sort()
      if (settings.groupBy() !== 'none') return groups.map((label): GroupNode => ({ kind: 'group', label }))
      return this.#model.applications.map(({ head }) => this.#nodeOf(head.name))
    }
    switch (node.kind) {
      case 'group':
        return this.#model.applications
          .filter((known) => groupOf(known) === node.label)
          .map(({ head }) => this.#nodeOf(head.name))
      case 'application': {
        const sent = this.#model.application(node.name)?.sent
        if (sent === undefined) return []
        const conditions = sent.snapshot.conditions.map(({ type, message }): ConditionNode => ({
          kind: 'condition',
          application: node.name,
          type,
          message,
        }))
        return [...conditions, ...resourceNodes(sent)]
      }
      case 'condition':
        return []
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
        return known === undefined || settings.groupBy() === 'none'
          ? undefined
          : { kind: 'group', label: groupOf(known) }
      }
      case 'condition':
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
    this.#subscription.dispose()
    this.#changed.dispose()
  }

  #nodeOf(name: string): ApplicationNode {
    const node = this.#nodes.get(name) ?? { kind: 'application', name }
    this.#nodes.set(name, node)
    return node
  }

  #parentOf(node: ResourceNode): Node {
    const sent = this.#model.application(node.application)?.sent
    const within = (nodes: readonly ResourceNode[]): ResourceNode | undefined => {
      for (const parent of nodes) {
        if (parent.children.includes(node)) return parent
        const found = within(parent.children)
        if (found !== undefined) return found
      }
      return undefined
    }
    return (sent === undefined ? undefined : within(resourceNodes(sent))) ?? this.#nodeOf(node.application)
  }

  #onChange(change: Change): void {
    const node = change.kind === 'application' ? this.#nodes.get(change.name) : undefined
    this.#changed.fire(node)
  }
}

function groupOf({ head }: Known): string {
  return settings.groupBy() === 'cluster' ? head.context : head.project
}

function groupItem({ label }: GroupNode): TreeItem {
  const item = new TreeItem(label, TreeItemCollapsibleState.Expanded)
  item.id = `group/${label}`
  item.contextValue = 'group'
  return item
}

function applicationItem({ head, sent, failure, syncing }: Known): TreeItem {
  const item = new TreeItem(head.name, TreeItemCollapsibleState.Collapsed)
  item.id = `application/${head.name}`
  if (sent === undefined) {
    item.description = failure ?? 'looking…'
    item.iconPath = markIcon(failure === undefined ? HEALTH_MARKS.Progressing : SYNC_MARKS.Unknown)
    item.contextValue = 'application.unknown'
    if (failure !== undefined) item.tooltip = failure
    return item
  }
  const row = applicationRow(sent.snapshot)
  const progress = syncing === undefined ? '' : `Syncing ${syncing.done}/${syncing.total} · `
  item.description = `${progress}${row.summary}  ${row.destination}  ${row.revision}${row.verdict === undefined ? '' : ` ${row.verdict.glyph}`}`
  item.iconPath = markIcon(syncing === undefined ? row.mark : HEALTH_MARKS.Progressing)
  item.contextValue = `application.${sent.snapshot.sync === 'OutOfSync' ? 'drifted' : 'calm'}`
  item.accessibilityInformation = { label: `${head.name}, ${row.summary}, ${row.destination}` }
  return item
}

function applicationTooltip(
  { application, revision, verdict, observedAt, history }: NonNullable<Known['sent']>['snapshot'],
  row: ReturnType<typeof applicationRow>,
): MarkdownString {
  const text = new MarkdownString(undefined, true)
  const line = (label: string, value: string): void => {
    if (value !== '') text.appendText(`${label}: ${value}`).appendMarkdown('  \n')
  }
  text.appendMarkdown(`**$(${row.mark.codicon}) `).appendText(application.name).appendMarkdown('**  \n')
  text.appendText(row.summary).appendMarkdown('  \n\n')
  line('Project', application.project)
  line('Destination', row.destination)
  line('Source', application.sources.map(({ repoURL, path, chart }) => `${repoURL} ${chart ?? path}`).join(', '))
  if (revision !== undefined) line('Revision', `${row.revision} ${revision.subject} (${revision.author})`)
  if (verdict !== undefined) line('Commit', `${row.verdict?.word ?? ''}: ${verdict.reason}`)
  const last = history.at(-1)
  if (last !== undefined) line('Last sync', `${timeAgo(last.deployedAt, Date.now())} by ${last.initiatedBy}`)
  line('Looked at', timeAgo(observedAt, Date.now()))
  if (row.failure !== undefined) line('Problem', row.failure)
  return text
}

function conditionItem({ application, type, message }: ConditionNode): TreeItem {
  const item = new TreeItem(type, TreeItemCollapsibleState.None)
  item.id = `condition/${application}/${type}/${message}`
  item.description = withShortShas(message)
  item.tooltip = message
  item.iconPath = markIcon(type.endsWith('Error') ? HEALTH_MARKS.Degraded : SYNC_MARKS.OutOfSync)
  item.contextValue = 'condition'
  return item
}

function resourceItem({ application, row, children }: ResourceNode, known: Known | undefined): TreeItem {
  const open = children.length === 0 ? TreeItemCollapsibleState.None : TreeItemCollapsibleState.Collapsed
  const item = new TreeItem(row.label, open)
  const managed = row.depth === 0
  item.id = `resource/${application}/${row.key}/${row.depth}`
  // What is healthy and in sync needs no words; its mark says it.
  const health =
    row.health === undefined || row.health.word === 'Healthy' || row.health === row.mark ? '' : row.health.word
  item.description = [row.detail, health].filter((part) => part !== '').join(' · ')
  item.iconPath = markIcon(row.mark)
  const drifted = managed && row.mark.word !== 'Synced'
  item.contextValue = `resource.${managed ? 'managed' : 'owned'}.${row.uid === undefined ? 'absent' : 'live'}.${drifted ? 'drifted' : 'calm'}`
  const spoken = [row.label, row.mark.word, row.health?.word ?? '', row.detail].filter((part) => part !== '')
  item.tooltip = spoken.join(' · ')
  item.accessibilityInformation = { label: spoken.join(', ') }
  const resource = known?.sent?.snapshot.resources.find(({ id }) => managed && id === row.id)
  const command =
    resource?.drift.origin !== undefined && known?.sent?.local === true
      ? 'plumbline.openManifest'
      : 'plumbline.openLive'
  item.command = { command, title: 'Open', arguments: [{ kind: 'resource', application, row, children }] }
  return item
}

/** What stands over the tree while something is wrong; empty when nothing is. */
export function applicationsMessage({
  agent,
  problem,
  failures,
}: Pick<Model, 'agent' | 'problem' | 'failures'>): string {
  if (agent.kind === 'waiting') return `The agent ended (${agent.reason}). It is started again by itself.`
  if (problem !== undefined) return problem
  const [first] = failures
  return first === undefined ? '' : `${countOf(failures.length, 'file')} could not be read: ${first.message}`
}
