import { window } from 'vscode'
import { applicationRow } from '../../shared/view/application-row.ts'
import { treeRows } from '../../shared/view/tree-rows.ts'
import type { ResourceStatus } from '../../shared/model/status.ts'
import { resourceKey, type ResourceId } from '../../shared/model/kubernetes.ts'
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
    void window.showInformationMessage('There is no application in this workspace.')
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

function resourceIn(argument: unknown): ResourceTarget | undefined {
  const { application, key, row } = (argument ?? {}) as Partial<Record<'application' | 'key' | 'row', unknown>>
  if (typeof application !== 'string') return undefined
  if (typeof key === 'string') return { application, key }
  const inRow = ((row ?? {}) as { readonly key?: unknown }).key
  return typeof inRow === 'string' ? { application, key: inRow } : undefined
}
