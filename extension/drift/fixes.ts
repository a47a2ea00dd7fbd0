import {
  CodeAction,
  CodeActionKind,
  l10n,
  Range,
  WorkspaceEdit,
  type CodeActionContext,
  type CodeActionProvider,
  type TextDocument,
} from 'vscode'
import { resourceKey } from '../../shared/model/kubernetes.ts'
import { matchLive } from '../edits/match-live.ts'
import { rangeOf, type DriftDocuments, type PlacedNote } from './drift-documents.ts'

/** What can be done about a drifted field, on its line. */
export class DriftFixes implements CodeActionProvider {
  static readonly kinds = [CodeActionKind.QuickFix]
  readonly #documents: DriftDocuments

  constructor(documents: DriftDocuments) {
    this.#documents = documents
  }

  provideCodeActions(document: TextDocument, range: Range, context: CodeActionContext): CodeAction[] {
    const ours = context.diagnostics.filter(({ source }) => source === 'Plumbline')
    return this.#documents
      .notes(document.uri)
      .filter(({ spot }) => rangeOf(spot, document).intersection(range) !== undefined)
      .flatMap((placed) => {
        const own = ours.filter(({ message }) => message === placed.note.message)
        return fixesOf(placed, document).map((action) => Object.assign(action, { diagnostics: own }))
      })
  }
}

function fixesOf({ note, spot }: PlacedNote, document: TextDocument): readonly CodeAction[] {
  const { resource, application, field } = note
  if (resource === undefined) return []
  const target = { application, key: resourceKey(resource.id) }
  const act = (title: string, command: string, argument: object = target): CodeAction => {
    const action = new CodeAction(title, CodeActionKind.QuickFix)
    action.command = { title, command, arguments: [argument] }
    return action
  }
  const sync = act(l10n.t('Sync {0}', `${resource.id.kind} ${resource.id.name}`), 'plumbline.syncResource')
  sync.isPreferred = true
  const actions = [sync, act(l10n.t('Show the difference'), 'plumbline.diffResource')]
  if (field !== undefined) {
    const lines = Array.from({ length: document.lineCount }, (_, line) => document.lineAt(line).text)
    const change = matchLive(lines, spot, field)
    if (change !== undefined) {
      const action = new CodeAction(l10n.t('Edit the manifest to match the cluster'), CodeActionKind.QuickFix)
      const edit = new WorkspaceEdit()
      const { start, end, text } = change
      edit.replace(document.uri, new Range(start.line, start.character, end.line, end.character), text)
      action.edit = edit
      actions.push(action)
    }
    const ignored = { ...target, pointer: field.path }
    actions.push(
      act(l10n.t('Ignore this field (ignoreDifferences of {0})', application), 'plumbline.ignoreField', ignored),
    )
  }
  if (resource.drift.uid !== undefined) actions.push(act(l10n.t('Open the live object'), 'plumbline.openLive'))
  return actions
}
