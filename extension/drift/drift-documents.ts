import path from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  Diagnostic,
  DiagnosticRelatedInformation,
  DiagnosticSeverity,
  EventEmitter,
  l10n,
  languages,
  Location,
  Position,
  Range,
  Uri,
  workspace,
  type Disposable,
  type TextDocument,
  type TextDocumentChangeEvent,
} from 'vscode'
import { METHODS } from '../../shared/agent/contract.ts'
import { resourceKey } from '../../shared/model/kubernetes.ts'
import type { Connection } from '../agent/connection.ts'
import type { Model } from '../model.ts'
import { settings } from '../settings.ts'
import { objectUri } from '../diff/object-uri.ts'
import { keySpan } from './key-range.ts'
import { mapLines } from './line-map.ts'
import { notesByFile, noteKey, type Note, type Severity } from './notes.ts'
import { shiftSpot, type Spot } from './shift.ts'

/** News of drift is gathered for this long, so that a rollout draws once. */
const GATHER_MS = 60
/** All extensions of a window share one thread; a turn of ours takes no longer than this. */
const SLICE_MS = 10
/** Texts that were typed in are drawn anew this often. */
const MOVE_MS = 120
/** Sentences say how long ago; they are told anew this often. */
const AGE_MS = 60_000
const DOCUMENTATION = Uri.parse('https://argo-cd.readthedocs.io/en/stable/user-guide/diffing/')

/** A note with where it stands in the text as it is now. */
export type PlacedNote = { readonly note: Note; readonly spot: Spot }

const SEVERITIES: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
}

/** Every drifted field on its line: in Problems, and for hovers, lenses, quick fixes and badges. */
export class DriftDocuments implements Disposable {
  readonly #model: Model
  readonly #connection: Connection
  readonly #collection = languages.createDiagnosticCollection('plumbline')
  readonly #changed = new EventEmitter<readonly Uri[]>()
  readonly onChange = this.#changed.event
  readonly #places = new Map<string, readonly PlacedNote[]>()
  readonly #subscriptions: readonly Disposable[]
  #timer: NodeJS.Timeout | undefined
  readonly #moved = new Set<string>()
  #moveTimer: NodeJS.Timeout | undefined
  readonly #ageTimer: NodeJS.Timeout

  constructor(model: Model, connection: Connection) {
    this.#model = model
    this.#connection = connection
    this.#subscriptions = [
      this.#collection,
      this.#changed,
      model.onChange(({ kind }) => {
        if (kind !== 'machine') this.#gather()
      }),
      workspace.onDidChangeTextDocument((event) => this.#onEdit(event)),
      workspace.onDidOpenTextDocument((document) => void this.#align(document)),
      workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('plumbline.inlineDrift')) this.#gather()
      }),
    ]
    this.#ageTimer = setInterval(() => this.#gather(), AGE_MS)
  }

  /** The notes of a document, where they stand now. */
  notes(uri: Uri): readonly PlacedNote[] {
    return this.#places.get(uri.toString()) ?? []
  }

  /** A file's name as places have it: relative to the repository's root. Undefined outside of it. */
  fileOf(uri: Uri): string | undefined {
    const { session } = this.#model
    if (session === undefined || uri.scheme !== 'file') return undefined
    const file = path.relative(session.root, uri.fsPath).split(path.sep).join('/')
    return file.startsWith('../') ? undefined : file
  }

  dispose(): void {
    clearTimeout(this.#timer)
    clearTimeout(this.#moveTimer)
    clearInterval(this.#ageTimer)
    for (const subscription of this.#subscriptions) subscription.dispose()
  }

  #gather(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#rebuild()
    }, GATHER_MS)
  }

  #rebuild(): void {
    const { session } = this.#model
    const sent = this.#model.applications.flatMap((known) => (known.sent === undefined ? [] : [known.sent]))
    const wanted =
      session === undefined || !settings.inlineDrift()
        ? new Map<string, readonly Note[]>()
        : notesByFile(sent, Date.now())
    const fresh = new Map<string, readonly PlacedNote[]>()
    const documents: TextDocument[] = []
    for (const [file, notes] of wanted) {
      const uri = Uri.file(path.join(session?.root ?? '', file))
      const key = uri.toString()
      const known = this.#places.get(key)
      // Notes of a snapshot that is not new are the very same.
      if (known?.length === notes.length && known.every(({ note }, index) => note === notes[index])) {
        fresh.set(key, known)
        continue
      }
      const document = openDocument(uri)
      if (document !== undefined) documents.push(document)
      // Until a text has been lined up with its commit, what is known of the same notes is nearer than the commit's lines.
      const before = new Map(this.notes(uri).map(({ note, spot }) => [placeKey(note), spot]))
      fresh.set(
        key,
        notes.map((note) => ({ note, spot: before.get(placeKey(note)) ?? spotOf(note) })),
      )
    }
    const changed = [...new Set([...this.#places.keys(), ...fresh.keys()])].filter(
      (key) => this.#places.get(key) !== fresh.get(key) && !sameNotes(this.#places.get(key), fresh.get(key)),
    )
    this.#places.clear()
    for (const [key, notes] of fresh) this.#places.set(key, notes)
    void this.#drawAll(changed)
    if (changed.length > 0) this.#changed.fire(changed.map((key) => Uri.parse(key)))
    for (const document of documents) if (changed.includes(document.uri.toString())) void this.#align(document)
  }

  /** Draws what thousands of files say without keeping the editor's other extensions waiting. */
  async #drawAll(keys: readonly string[]): Promise<void> {
    let since = performance.now()
    for (const key of keys) {
      if (performance.now() - since > SLICE_MS) {
        await nextTurn()
        since = performance.now()
      }
      // What stands there by now: a newer look may have come in between.
      this.#draw(Uri.parse(key))
    }
  }

  /** Lines a text up with the commit that its notes speak of. */
  async #align(document: TextDocument): Promise<void> {
    const notes = this.notes(document.uri)
    const application = notes[0]?.note.application
    const { session } = this.#model
    const file = this.fileOf(document.uri)
    if (application === undefined || session === undefined || file === undefined) return
    const { version } = document
    const params = { session: session.session, application, file }
    const committed = await this.#connection.ask(METHODS.committedText, params).catch(() => null)
    // What was typed meanwhile has moved the places already.
    if (committed === null || document.isClosed || document.version !== version) return
    const current = this.notes(document.uri)
    if (current.length === 0) return
    const lineOf = mapLines(committed.replaceAll('\r\n', '\n'), document.getText().replaceAll('\r\n', '\n'))
    if (lineOf === undefined) return
    const aligned = current.map(({ note }) => ({
      note,
      spot: { line: Math.min(lineOf(note.line - 1), document.lineCount - 1), character: note.column - 1 },
    }))
    this.#places.set(document.uri.toString(), aligned)
    this.#draw(document.uri)
    this.#changed.fire([document.uri])
  }

  #onEdit({ document, contentChanges }: TextDocumentChangeEvent): void {
    const key = document.uri.toString()
    const notes = this.#places.get(key)
    if (notes === undefined || contentChanges.length === 0) return
    // Changes are told from the end of the text to its start, so that each is true where it stands.
    const moved = notes.map(({ note, spot }) => {
      let at = spot
      for (const { range, text } of contentChanges) at = shiftSpot(at, { start: range.start, end: range.end, text })
      return { note, spot: at }
    })
    this.#places.set(key, moved)
    // Squiggles move with the text by themselves; Problems follow when the typing pauses.
    this.#moved.add(key)
    this.#moveTimer ??= setTimeout(() => this.#drawMoved(), MOVE_MS)
  }

  #drawMoved(): void {
    this.#moveTimer = undefined
    for (const key of this.#moved) this.#draw(Uri.parse(key))
    this.#moved.clear()
  }

  #draw(uri: Uri): void {
    const notes = this.notes(uri)
    if (notes.length === 0) return this.#collection.delete(uri)
    const document = openDocument(uri)
    this.#collection.set(
      uri,
      notes.map((placed) => this.#diagnosticOf(placed, document)),
    )
  }

  #diagnosticOf({ note, spot }: PlacedNote, document: TextDocument | undefined): Diagnostic {
    const diagnostic = new Diagnostic(rangeOf(spot, document), note.message, SEVERITIES[note.severity])
    diagnostic.source = 'Plumbline'
    diagnostic.code = { value: note.code, target: DOCUMENTATION }
    const { resource, application } = note
    if (resource !== undefined && resource.drift.state === 'changed') {
      const uri = objectUri({
        application,
        key: resourceKey(resource.id),
        side: 'live',
        name: `${resource.id.kind} ${resource.id.name}`,
      })
      const where = new Location(uri, new Position(0, 0))
      diagnostic.relatedInformation = [
        new DiagnosticRelatedInformation(where, l10n.t('the live object in {0}', this.#model.context)),
      ]
    }
    return diagnostic
  }
}

/** Where a squiggle goes: under the key at the spot. */
export function rangeOf({ line, character }: Spot, document: TextDocument | undefined): Range {
  if (document === undefined || line >= document.lineCount) return new Range(line, character, line, character + 1)
  const { start, end } = keySpan(document.lineAt(line).text, character)
  return new Range(line, start, line, end)
}

function spotOf({ line, column }: Note): Spot {
  return { line: line - 1, character: column - 1 }
}

/** The same note at the same place of the same commit: its spot in the text still holds. */
function placeKey(note: Note): string {
  return `${noteKey(note)}\n${note.line}:${note.column}`
}

function sameNotes(before: readonly PlacedNote[] | undefined, after: readonly PlacedNote[] | undefined): boolean {
  if (before?.length !== after?.length) return false
  return (before ?? []).every(({ note }, index) => {
    const other = after?.[index]?.note
    return (
      other !== undefined &&
      placeKey(note) === placeKey(other) &&
      note.message === other.message &&
      note.resource === other.resource
    )
  })
}

function openDocument(uri: Uri): TextDocument | undefined {
  return workspace.textDocuments.find((document) => document.uri.toString() === uri.toString())
}
