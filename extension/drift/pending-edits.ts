import {
  Diagnostic,
  DiagnosticSeverity,
  EventEmitter,
  languages,
  window,
  workspace,
  type Disposable,
  type TextDocument,
  type TextDocumentChangeEvent,
  type Uri,
} from 'vscode'
import { METHODS } from '../../shared/agent/contract.ts'
import type { Connection } from '../agent/connection.ts'
import type { Model } from '../model.ts'
import { settings } from '../settings.ts'
import { rangeOf, type DriftDocuments, type PlacedNote } from './drift-documents.ts'
import { pendingNotes } from './pending-notes.ts'
import { readsFile } from './reads-file.ts'
import { shiftSpot } from './shift.ts'

/** A pause in typing after which the agent is asked. */
const PAUSE_MS = 350
/** Squiggles move with the text by themselves; Problems follow after this. */
const DRAW_MS = 120
/** Longer texts are no manifests that somebody types in. */
const LONGEST = 2_000_000

const SEVERITIES = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
} as const

type Watched = { timer?: NodeJS.Timeout; abort?: AbortController; draw?: NodeJS.Timeout; notes: readonly PlacedNote[] }

/** What a sync of the text as it stands in the editor would change, marked while it is typed. */
export class PendingEdits implements Disposable {
  readonly #model: Model
  readonly #connection: Connection
  readonly #documents: DriftDocuments
  readonly #collection = languages.createDiagnosticCollection('plumbline edits')
  readonly #changed = new EventEmitter<Uri>()
  readonly onChange = this.#changed.event
  readonly #watched = new Map<string, Watched>()
  readonly #subscriptions: readonly Disposable[]

  constructor(model: Model, connection: Connection, documents: DriftDocuments) {
    this.#model = model
    this.#connection = connection
    this.#documents = documents
    this.#subscriptions = [
      this.#collection,
      this.#changed,
      workspace.onDidChangeTextDocument((event) => this.#onEdit(event)),
      workspace.onDidSaveTextDocument((document) => this.#wake(document)),
      workspace.onDidCloseTextDocument((document) => this.#forget(document.uri)),
      window.onDidChangeVisibleTextEditors((editors) => {
        for (const { document } of editors) if (!this.#watched.has(document.uri.toString())) this.#wake(document)
      }),
      model.onChange((change) => {
        if (change.kind !== 'machine') this.#wakeAll(change.kind === 'application' ? change.name : undefined)
      }),
      workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('plumbline.pendingEdits')) this.#wakeAll()
      }),
    ]
  }

  notes(uri: Uri): readonly PlacedNote[] {
    return this.#watched.get(uri.toString())?.notes ?? []
  }

  dispose(): void {
    for (const { timer, draw, abort } of this.#watched.values()) {
      clearTimeout(timer)
      clearTimeout(draw)
      abort?.abort()
    }
    for (const subscription of this.#subscriptions) subscription.dispose()
  }

  /** What an application is compared with has changed, and so has what an edit would change. */
  #wakeAll(name?: string): void {
    for (const { document } of window.visibleTextEditors) this.#wake(document, name)
  }

  #wake(document: TextDocument, application?: string): void {
    const file = this.#documents.fileOf(document.uri)
    const wanted = settings.pendingEdits() && file !== undefined && document.languageId === 'yaml'
    const readers = wanted ? this.#model.applications.filter((known) => readsFile(known, file)) : []
    if (readers.length === 0) return this.#forget(document.uri)
    if (application !== undefined && !readers.some(({ head }) => head.name === application)) return
    const watched = this.#of(document.uri)
    clearTimeout(watched.timer)
    watched.abort?.abort()
    watched.timer = setTimeout(() => void this.#ask(document, file ?? ''), PAUSE_MS)
  }

  async #ask(document: TextDocument, file: string): Promise<void> {
    const watched = this.#of(document.uri)
    const { session } = this.#connection
    const text = document.getText()
    if (session === '' || document.isClosed || text.length > LONGEST) return
    const abort = new AbortController()
    watched.abort = abort
    const { version } = document
    const params = { session, file, text, beside: this.#unsavedBeside(document) }
    try {
      const previews = await this.#connection.ask(METHODS.preview, params, { signal: abort.signal })
      // Whoever went on typing has asked anew.
      if (document.isClosed || document.version !== version) return
      watched.notes = pendingNotes(previews, file).map((note) => ({
        note,
        spot: { line: Math.min(note.line - 1, document.lineCount - 1), character: note.column - 1 },
      }))
      this.#draw(document)
    } catch {
      // Withdrawn, or told by the tree: the agent ended, the session is another.
    }
  }

  #unsavedBeside(document: TextDocument): readonly { readonly file: string; readonly text: string }[] {
    return workspace.textDocuments.flatMap((other) => {
      const file = other === document || !other.isDirty ? undefined : this.#documents.fileOf(other.uri)
      return file === undefined ? [] : [{ file, text: other.getText() }]
    })
  }

  #onEdit({ document, contentChanges }: TextDocumentChangeEvent): void {
    const watched = this.#watched.get(document.uri.toString())
    if (watched !== undefined && watched.notes.length > 0 && contentChanges.length > 0) {
      watched.notes = watched.notes.map(({ note, spot }) => {
        let moved = spot
        for (const { range, text } of contentChanges)
          moved = shiftSpot(moved, { start: range.start, end: range.end, text })
        return { note, spot: moved }
      })
      clearTimeout(watched.draw)
      watched.draw = setTimeout(() => this.#draw(document), DRAW_MS)
    }
    this.#wake(document)
  }

  #draw(document: TextDocument): void {
    const notes = this.notes(document.uri)
    const diagnostics = notes.map(({ note, spot }) => {
      const diagnostic = new Diagnostic(rangeOf(spot, document), note.message, SEVERITIES[note.severity])
      diagnostic.source = 'Plumbline'
      diagnostic.code = note.code
      return diagnostic
    })
    this.#collection.set(document.uri, diagnostics)
    this.#changed.fire(document.uri)
  }

  #of(uri: Uri): Watched {
    const key = uri.toString()
    const watched = this.#watched.get(key) ?? { notes: [] }
    this.#watched.set(key, watched)
    return watched
  }

  #forget(uri: Uri): void {
    const watched = this.#watched.get(uri.toString())
    if (watched === undefined) return
    clearTimeout(watched.timer)
    clearTimeout(watched.draw)
    watched.abort?.abort()
    this.#watched.delete(uri.toString())
    this.#collection.delete(uri)
    this.#changed.fire(uri)
  }
}
