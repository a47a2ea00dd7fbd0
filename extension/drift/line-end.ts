import { ThemeColor, window, workspace, type Disposable, type TextEditor } from 'vscode'
import { settings } from '../settings.ts'
import type { DriftDocuments } from './drift-documents.ts'

/** The sentence once more behind the line that the cursor is on, faint; a setting turns it off. */
export class LineEndNotes implements Disposable {
  readonly #documents: DriftDocuments
  readonly #type = window.createTextEditorDecorationType({
    after: { margin: '0 0 0 3em', color: new ThemeColor('editorCodeLens.foreground'), fontStyle: 'italic' },
  })
  readonly #subscriptions: readonly Disposable[]

  constructor(documents: DriftDocuments) {
    this.#documents = documents
    this.#subscriptions = [
      this.#type,
      window.onDidChangeTextEditorSelection(({ textEditor }) => this.#draw(textEditor)),
      window.onDidChangeActiveTextEditor((editor) => this.#draw(editor)),
      workspace.onDidChangeConfiguration(() => this.#draw(window.activeTextEditor)),
      documents.onChange(() => this.#draw(window.activeTextEditor)),
    ]
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose()
  }

  #draw(editor: TextEditor | undefined): void {
    if (editor === undefined || editor.document.uri.scheme !== 'file') return
    const { line } = editor.selection.active
    const here = settings.lineEnd()
      ? this.#documents.notes(editor.document.uri).filter(({ spot }) => spot.line === line)
      : []
    const [first] = here
    if (first === undefined) return editor.setDecorations(this.#type, [])
    const more = here.length === 1 ? '' : ` (and ${here.length - 1} more)`
    const { range } = editor.document.lineAt(line)
    const contentText = `${first.note.message}${more}`
    editor.setDecorations(this.#type, [{ range: range.with(range.end), renderOptions: { after: { contentText } } }])
  }
}
