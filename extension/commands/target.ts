import { l10n, window } from 'vscode'
import { applicationRow } from '../../shared/view/application-row.ts'
import { treeRows } from '../../shared/view/tree-rows.ts'
import type { ResourceStatus, TreeNode } from '../../shared/model/status.ts'
import { resourceKey, type ResourceId } from '../../shared/model/kubernetes.ts'
import { DRIFT_MARKS } from '../../shared/view/marks.ts'
import { objectLabel } from '../../shared/view/words.ts'
import type { App } from '../app.ts'

/** What a command is about, as trees, lenses and quick fixes hand it over. */
export type ResourceTarget = { readonly application: string; readonly key: string }

/** The application of an argument, else of the text that is open, else the one that the person picks. */
export async function applicationOf(argument: unknown, app: App, placeHolder: string): Promise<string | undefined> {
  const named = nameIn(argument)
  if (named !== undefined) return named
  const uri = window.activeTextEditor?.document.uri
  const here = new Set(uri === undefined ? [] : app.documents.notes(uri).map(({ note }) => note.application))
  const [only] = here
  if (only !== undefined && here.size === 1) return only
  const { applications } = app.model
  if (applications.length === 1) return applications[0]?.head.name
  if (applications.length === 0) {
    void window.showInformationMessage(l10n.t('There is no application in this workspace.'))
    return undefined
  }
  const items = applications.map(({ head, sent }) => {
    const row = sent === undefined ? undefined : applicationRow(sent.snapshot)
    return { label: head.name, description: row === undefined ? '' : `$(${row.mark.codicon}) ${row.summary}` }
  })
  return (await window.showQuickPick(items, { placeHolder, matchOnDescription: true }))?.label
}

/** The resource of an argument, else the one that the person picks. */
export async function resourceOf(
  argument: unknown,
  app: App,
  placeHolder: string,
): Promise<ResourceTarget | undefined> {
  const given = resourceIn(argument)
  if (given !== undefined) return given
  const application = await applicationOf(argument, app, placeHolder)
  const sent = application === undefined ? undefined : app.model.application(application)?.sent
  if (application === undefined || sent === undefined) return undefined
  const items = treeRows(sent.snapshot)
    .filter(({ depth }) => depth === 0)
    .map((row) => ({
      label: row.label,
      description: `$(${row.mark.codicon}) ${row.mark.word} ${row.detail}`,
      key: row.key,
    }))
  const picked = await window.showQuickPick(items, { placeHolder, matchOnDescription: true })
  return picked === undefined ? undefined : { application, key: picked.key }
}

/** Anything that is in the cluster, what controllers made included: of an argument, else picked. */
export async function liveObjectOf(
  argument: unknown,
  app: App,
  placeHolder: string,
): Promise<ResourceTarget | undefined> {
  const given = resourceIn(argument)
  if (given !== undefined) return given
  const application = await applicationOf(argument, app, placeHolder)
  const sent = application === undefined ? undefined : app.model.application(application)?.sent
  if (application === undefined || sent === undefined) return undefined
  const items = sent.snapshot.tree.map(({ id, info }) => ({
    label: objectLabel(id),
    description: [id.namespace, info].filter((word) => word !== '').join(' · '),
    key: resourceKey(id),
  }))
  const picked = await window.showQuickPick(items, { placeHolder, matchOnDescription: true })
  return picked === undefined ? undefined : { application, key: picked.key }
}

/** A pod: of an argument, the one below it where there is only one, else picked. */
export async function podOf(
  argument: unknown,
  app: App,
): Promise<{ readonly application: string; readonly id: ResourceId } | undefined> {
  const given = resourceIn(argument)
  const placeHolder = l10n.t('The log of which pod is to be shown?')
  const application = given?.application ?? (await applicationOf(argument, app, placeHolder))
  const tree = application === undefined ? [] : (app.model.application(application)?.sent?.snapshot.tree ?? [])
  const pods = tree.filter((node) => node.id.kind === 'Pod' && node.id.group === '')
  const below = given === undefined ? pods : podsBelow(tree, given.key)
  const [only] = below
  if (application === undefined) return undefined
  if (only === undefined) {
    void window.showInformationMessage(l10n.t('{0} has no pod here.', application))
    return undefined
  }
  if (below.length === 1) return { application, id: only.id }
  const items = below.map(({ id, info }) => ({ label: id.name, description: `${id.namespace} · ${info}`, id }))
  const picked = await window.showQuickPick(items, { placeHolder })
  return picked === undefined ? undefined : { application, id: picked.id }
}

/**
 * What is selected in the tree, by application; a whole application counts for its resources. Without a selection the
 * person picks resources of one application.
 */
export async function selectedTargets(
  argument: unknown,
  selection: unknown,
  app: App,
): Promise<readonly { readonly application: string; readonly only?: readonly string[] }[]> {
  const nodes: readonly unknown[] = Array.isArray(selection) ? selection : app.selected()
  const whole = new Set(nodes.flatMap((node) => (isApplicationNode(node) ? [node.name] : [])))
  const parts = new Map<string, string[]>()
  for (const target of nodes.map(resourceIn)) {
    if (target === undefined || whole.has(target.application)) continue
    parts.set(target.application, [...(parts.get(target.application) ?? []), target.key])
  }
  if (whole.size + parts.size > 0) {
    return [
      ...[...whole].map((application) => ({ application })),
      ...[...parts].map(([application, only]) => ({ application, only })),
    ]
  }
  const application = await applicationOf(argument, app, l10n.t('Of which application are resources to be synced?'))
  const resources =
    application === undefined ? [] : (app.model.application(application)?.sent?.snapshot.resources ?? [])
  const items = resources.map((resource) => ({
    label: objectLabel(resource.id),
    description: DRIFT_MARKS[resource.drift.state].word,
    picked: resource.drift.state !== 'synced',
    key: resourceKey(resource.id),
  }))
  if (application === undefined || items.length === 0) return []
  const placeHolder = l10n.t('Which resources are to be synced?')
  const picked = await window.showQuickPick(items, { placeHolder, canPickMany: true })
  return picked === undefined || picked.length === 0 ? [] : [{ application, only: picked.map(({ key }) => key) }]
}

/** The managed resource that a target names, as it was last seen. */
export function resourceStatus(target: ResourceTarget, app: App): ResourceStatus | undefined {
  const resources = app.model.application(target.application)?.sent?.snapshot.resources
  return resources?.find(({ id }) => resourceKey(id) === target.key)
}

/** Id and version of anything in an application's tree, owned objects too. */
export function objectOf(
  target: ResourceTarget,
  app: App,
): { readonly id: ResourceId; readonly version: string } | undefined {
  const snapshot = app.model.application(target.application)?.sent?.snapshot
  return (
    snapshot?.resources.find(({ id }) => resourceKey(id) === target.key) ??
    snapshot?.tree.find(({ id }) => resourceKey(id) === target.key)
  )
}

function nameIn(argument: unknown): string | undefined {
  if (typeof argument === 'string') return argument
  const { kind, name, application } = (argument ?? {}) as Partial<Record<'kind' | 'name' | 'application', unknown>>
  if (typeof application === 'string') return application
  return kind === 'application' && typeof name === 'string' ? name : undefined
}

export function resourceIn(argument: unknown): ResourceTarget | undefined {
  const { application, key, row } = (argument ?? {}) as Partial<Record<'application' | 'key' | 'row', unknown>>
  if (typeof application !== 'string') return undefined
  if (typeof key === 'string') return { application, key }
  const inRow = ((row ?? {}) as { readonly key?: unknown }).key
  return typeof inRow === 'string' ? { application, key: inRow } : undefined
}

function isApplicationNode(node: unknown): node is { readonly kind: 'application'; readonly name: string } {
  const { kind, name } = (node ?? {}) as { readonly kind?: unknown; readonly name?: unknown }
  return kind === 'application' && typeof name === 'string'
}

/** The pods that descend from an object, itself included. */
function podsBelow(tree: readonly TreeNode[], key: string): readonly TreeNode[] {
  const own = tree.find(({ id }) => resourceKey(id) === key)
  const family = new Set(own === undefined ? [] : [own.uid])
  for (let grown = -1; grown !== family.size;) {
    grown = family.size
    for (const { uid, parents } of tree) if (parents.some((parent) => family.has(parent))) family.add(uid)
  }
  return tree.filter(({ uid, id }) => family.has(uid) && id.kind === 'Pod')
}
