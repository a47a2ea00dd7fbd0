import path from 'node:path'
import { Range, Selection, Uri, window, workspace, WorkspaceEdit } from 'vscode'
import type { App } from '../app.ts'
import { idOfKey } from '../diff/resource-key.ts'
import { ignoreField as ignoreFieldEdit } from '../edits/ignore-field.ts'
import { resourceOf } from './target.ts'

/** Adds a drifted field to the Application's ignoreDifferences: an undoable edit, shown and not saved. */
export async function ignoreField(app: App, argument?: unknown): Promise<void> {
  const target = await resourceOf(argument, app, 'Of which resource is a field to be ignored?')
  const { pointer } = (argument ?? {}) as { readonly pointer?: unknown }
  const { session } = app.model
  if (target === undefined || session === undefined) return
  const wanted = typeof pointer === 'string' ? pointer : await pickField(app, target)
  const place = app.model.application(target.application)?.sent?.snapshot.application.place
  if (wanted === undefined || place === undefined) return
  const uri = Uri.file(path.join(session.root, place.file))
  const document = await workspace.openTextDocument(uri)
  const lines = document.getText().split(/\r\n|\n/)
  const change = ignoreFieldEdit(lines, place.line, { id: idOfKey(target.key), pointer: wanted })
  if (change === undefined) {
    const message = `${place.file} has no line on which ignoreDifferences could be added; it has to be done by hand.`
    void window.showWarningMessage(message)
    return
  }
  const edit = new WorkspaceEdit()
  const { start, end, text } = change
  edit.replace(uri, new Range(start.line, start.character, end.line, end.character), text)
  await workspace.applyEdit(edit)
  const editor = await window.showTextDocument(document)
  const added = new Range(start.line, 0, start.line + text.split('\n').length - 1, 0)
  editor.selection = new Selection(added.start, added.end)
  editor.revealRange(added)
}

async function pickField(
  app: App,
  target: { readonly application: string; readonly key: string },
): Promise<string | undefined> {
  const resources = app.model.application(target.application)?.sent?.snapshot.resources ?? []
  const fields = resources.find(
    ({ id }) => idOfKey(target.key).name === id.name && idOfKey(target.key).kind === id.kind,
  )
  const items = (fields?.drift.fields ?? []).map((field) => ({ label: field.path, description: field.kind }))
  return (await window.showQuickPick(items, { placeHolder: 'Which field is to be ignored?' }))?.label
}

/** A new Application for a folder of manifests, as a text that the person saves where it belongs. */
export async function createApplication(app: App, argument?: unknown): Promise<void> {
  const folder = argument instanceof Uri ? argument : await pickFolder()
  if (folder === undefined) return
  const root = app.model.session?.root ?? workspace.workspaceFolders?.[0]?.uri.fsPath ?? ''
  const relative = path.relative(root, folder.fsPath).split(path.sep).join('/')
  if (relative.startsWith('..')) {
    void window.showWarningMessage('The folder lies outside of the open repository.')
    return
  }
  const suggested = (path.basename(folder.fsPath) || 'application').toLowerCase().replaceAll(/[^a-z0-9-]/g, '-')
  const name = await window.showInputBox({
    title: 'New application (1 of 2)',
    prompt: 'Its name',
    value: suggested,
    validateInput: nameProblem,
  })
  if (name === undefined) return
  const namespace = await window.showInputBox({
    title: 'New application (2 of 2)',
    prompt: 'The namespace that it goes to',
    value: name,
    validateInput: nameProblem,
  })
  if (namespace === undefined) return
  const content = applicationText(name, namespace, relative === '' ? '.' : relative)
  await window.showTextDocument(await workspace.openTextDocument({ language: 'yaml', content }))
}

async function pickFolder(): Promise<Uri | undefined> {
  const defaultUri = workspace.workspaceFolders?.[0]?.uri
  const picked = await window.showOpenDialog({
    title: 'Create an application from a folder',
    openLabel: 'Use this folder',
    canSelectFiles: false,
    canSelectFolders: true,
    ...(defaultUri === undefined ? {} : { defaultUri }),
  })
  return picked?.[0]
}

function nameProblem(text: string): string | undefined {
  const fits = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(text)
  return fits ? undefined : 'Lower case letters, digits and dashes, at most 63'
}

function applicationText(name: string, namespace: string, folder: string): string {
  return [
    'apiVersion: argoproj.io/v1alpha1',
    'kind: Application',
    'metadata:',
    `  name: ${name}`,
    '  namespace: argocd',
    'spec:',
    '  project: default',
    '  source:',
    '    repoURL: .',
    '    targetRevision: HEAD',
    `    path: ${JSON.stringify(folder).slice(1, -1) === folder && !/[:#]/.test(folder) ? folder : JSON.stringify(folder)}`,
    '  destination:',
    '    server: https://kubernetes.default.svc',
    `    namespace: ${namespace}`,
    '  syncPolicy:',
    '    syncOptions:',
    '      - CreateNamespace=true',
    '',
  ].join('\n')
}
