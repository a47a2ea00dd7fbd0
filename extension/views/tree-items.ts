import { l10n, MarkdownString, TreeItem, TreeItemCollapsibleState } from 'vscode'
import { HEALTH_MARKS, SYNC_MARKS } from '../../shared/view/marks.ts'
import { applicationRow } from '../../shared/view/application-row.ts'
import { timeAgo } from '../../shared/view/time.ts'
import { countOf } from '../../shared/view/words.ts'
import type { Known } from '../model.ts'
import { withShortShas } from '../short-shas.ts'
import { markIcon } from './icons.ts'
import { resourceOf, type ConditionNode, type GroupNode, type KindNode, type ResourceNode } from './tree-nodes.ts'

export function groupItem({ label, count }: GroupNode): TreeItem {
  const item = new TreeItem(label, TreeItemCollapsibleState.Expanded)
  item.description = String(count)
  item.id = `group/${label}`
  item.contextValue = 'group'
  return item
}

export function applicationItem({ head, sent, failure, syncing }: Known): TreeItem {
  const item = new TreeItem(head.name, TreeItemCollapsibleState.Collapsed)
  item.id = `application/${head.name}`
  if (sent === undefined) {
    item.description = failure ?? l10n.t('looking…')
    item.iconPath = markIcon(failure === undefined ? HEALTH_MARKS.Progressing : SYNC_MARKS.Unknown)
    item.contextValue = 'application.unknown'
    if (failure !== undefined) item.tooltip = failure
    return item
  }
  const row = applicationRow(sent.snapshot)
  const progress = syncing === undefined ? '' : `${l10n.t('Syncing {0}/{1}', syncing.done, syncing.total)} · `
  item.description = `${progress}${row.summary}  ${row.destination}  ${row.revision}${row.verdict === undefined ? '' : ` ${row.verdict.glyph}`}`
  item.iconPath = markIcon(syncing === undefined ? row.mark : HEALTH_MARKS.Progressing)
  item.contextValue = `application.${sent.snapshot.sync === 'OutOfSync' ? 'drifted' : 'calm'}`
  item.accessibilityInformation = { label: `${head.name}, ${row.summary}, ${row.destination}` }
  if (failure !== undefined) {
    item.description = `${l10n.t('not looked at since')} ${timeAgo(sent.snapshot.observedAt, Date.now())} · ${failure}`
    item.iconPath = markIcon(SYNC_MARKS.Unknown)
  }
  return item
}

export function kindItem({ application, label, drifted, children }: KindNode): TreeItem {
  const item = new TreeItem(label, TreeItemCollapsibleState.Collapsed)
  item.id = `kind/${application}/${label}`
  const out = drifted === 0 ? '' : ` · ${l10n.t('{0} not in sync', drifted)}`
  item.description = `${countOf(children.length, 'object')}${out}`
  item.iconPath = markIcon(drifted === 0 ? SYNC_MARKS.Synced : SYNC_MARKS.OutOfSync)
  item.contextValue = 'kind'
  return item
}

export function applicationTooltip(
  { application, revision, verdict, observedAt, history }: NonNullable<Known['sent']>['snapshot'],
  row: ReturnType<typeof applicationRow>,
): MarkdownString {
  const text = new MarkdownString(undefined, true)
  const line = (label: string, value: string): void => {
    if (value !== '') text.appendText(`${label}: ${value}`).appendMarkdown('  \n')
  }
  text.appendMarkdown(`**$(${row.mark.codicon}) `).appendText(application.name).appendMarkdown('**  \n')
  text.appendText(row.summary).appendMarkdown('  \n\n')
  line(l10n.t('Project'), application.project)
  line(l10n.t('Destination'), row.destination)
  line(
    l10n.t('Source'),
    application.sources.map(({ repoURL, path, chart }) => `${repoURL} ${chart ?? path}`).join(', '),
  )
  if (revision !== undefined) line(l10n.t('Revision'), `${row.revision} ${revision.subject} (${revision.author})`)
  if (verdict !== undefined) line(l10n.t('Commit'), `${row.verdict?.word ?? ''}: ${verdict.reason}`)
  const last = history.at(-1)
  if (last !== undefined) line(l10n.t('Last sync'), `${timeAgo(last.deployedAt, Date.now())} by ${last.initiatedBy}`)
  line(l10n.t('Looked at'), timeAgo(observedAt, Date.now()))
  if (row.failure !== undefined) line(l10n.t('Problem'), row.failure)
  return text
}

export function conditionItem({ application, type, message }: ConditionNode): TreeItem {
  const item = new TreeItem(type, TreeItemCollapsibleState.None)
  item.id = `condition/${application}/${type}/${message}`
  item.description = withShortShas(message)
  item.tooltip = message
  item.iconPath = markIcon(type.endsWith('Error') ? HEALTH_MARKS.Degraded : SYNC_MARKS.OutOfSync)
  item.contextValue = 'condition'
  return item
}

export function resourceItem({ application, row, children }: ResourceNode, known: Known | undefined): TreeItem {
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
  const pods = PODS.has(row.id.kind)
  item.contextValue = `resource.${managed ? 'managed' : 'owned'}.${row.uid === undefined ? 'absent' : 'live'}.${drifted ? 'drifted' : 'calm'}${pods ? '.pods' : ''}`
  const spoken = [row.label, row.mark.word, row.health?.word ?? '', row.detail].filter((part) => part !== '')
  item.tooltip = spoken.join(' · ')
  item.accessibilityInformation = { label: spoken.join(', ') }
  const { sent } = known ?? {}
  const written = managed && sent?.local === true && resourceOf(sent, row.key)?.drift.origin !== undefined
  const command = written ? 'plumbline.openManifest' : 'plumbline.openLive'
  item.command = { command, title: l10n.t('Open'), arguments: [{ kind: 'resource', application, row, children }] }
  return item
}

/** Kinds with pods at or below them, whose logs can be shown. */
const PODS: ReadonlySet<string> = new Set([
  'Pod',
  'ReplicaSet',
  'Deployment',
  'StatefulSet',
  'DaemonSet',
  'Job',
  'CronJob',
])
