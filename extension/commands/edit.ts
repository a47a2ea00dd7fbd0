import path from 'node:path'
import { l10n, Range, Selection, Uri, window, workspace, WorkspaceEdit } from 'vscode'
import type { Place } from '../../shared/model/manifest.ts'
import type { App } from '../app.ts'
import { idOfKey } from '../diff/resource-key.ts'
import { ignoreField as ignoreFieldEdit } from '../edits/ignore-field.ts'
import { resourceOf, type ResourceTarget } from './target.ts'

/** Adds a drifted field to the Application's ignoreDifferences: an undoable edit, shown and not saved. */
export async function ignoreField(app: App, argument?: unknown): Promise<void> {
  const target = await resourceOf(argument, app, l10n.t('Of which resource is a field to be ignored?'))
  if (target === undefined) return
  const { pointer } = (argument ?? {}) as { readonly pointer?: unknown }
  const wanted = typeof pointer === 'string' ? pointer : await pickField(app, target)
  if (wanted !== undefined) await ignoreIn(app, target, wanted)
}

/** The edit itself. @returns where it stands @throws Error where the file has no line for it */
export async function ignoreIn(app: App, { application, key }: ResourceTarget, pointer: string): Promise<Place> {
  const place = app.model.application(application)?.sent?.snapshot.application.place
  const { session } = app.model
  if (place === undefined || session === undefined) throw new Error(l10n.t('{0} is in no file here', application))
  const uri = Uri.file(path.join(session.root, place.file))
  const document = await workspace.openTextDocument(uri)
  const lines = document.getText().split(/\r\n|\n/)
  const change = ignoreFieldEdit(lines, place.line, { id: idOfKey(key), pointer })
  if (change === undefined) {
    throw new Error(
      l10n.t('{0} has no line on which ignoreDifferences could be added; it has to be done by hand.', place.file),
    )
  }
  const edit = new WorkspaceEdit()
  const { start, end, text } = change
  edit.replace(uri, new Range(start.line, start.character, end.line, end.character), text)
  await workspace.applyEdit(edit)
  const editor = await window.showTextDocument(document)
  const added = new Range(start.line, 0, start.line + text.split('\n').length - 1, 0)
  editor.selection = new Selection(added.start, added.end)
  editor.revealRange(added)
  return { file: place.file, line: start.line + 1, column: 1 }
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
  return (await window.showQuickPick(items, { placeHolder: l10n.t('Which field is to be ignored?') }))?.label
}
