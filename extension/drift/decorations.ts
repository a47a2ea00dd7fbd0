import {
  EventEmitter,
  FileDecoration,
  ThemeColor,
  type Disposable,
  type FileDecorationProvider,
  type Uri,
} from 'vscode'
import { HEALTH_MARKS, SYNC_MARKS } from '../../shared/view/marks.ts'
import { countOf } from '../../shared/view/words.ts'
import type { DriftDocuments } from './drift-documents.ts'

/** A badge in the explorer on every file that has drifted; its folders take on the colour. */
export class DriftDecorations implements FileDecorationProvider, Disposable {
  readonly #documents: DriftDocuments
  readonly #changed = new EventEmitter<Uri[]>()
  readonly onDidChangeFileDecorations = this.#changed.event
  readonly #subscription: Disposable

  constructor(documents: DriftDocuments) {
    this.#documents = documents
    this.#subscription = documents.onChange((uris) => this.#changed.fire([...uris]))
  }

  provideFileDecoration(uri: Uri): FileDecoration | undefined {
    if (uri.scheme !== 'file') return undefined
    const notes = this.#documents.notes(uri)
    const fields = notes.filter(({ note }) => note.field !== undefined).length
    const missing = notes.filter(({ note }) => note.code === 'drift/missing').length
    if (fields > 0) return decoration(SYNC_MARKS.OutOfSync.glyph, countOf(fields, 'drifted field'))
    if (missing > 0)
      return decoration(HEALTH_MARKS.Missing.glyph, `${countOf(missing, 'object')} missing in the cluster`)
    return undefined
  }

  dispose(): void {
    this.#subscription.dispose()
    this.#changed.dispose()
  }
}

function decoration(badge: string, tooltip: string): FileDecoration {
  const made = new FileDecoration(badge, tooltip, new ThemeColor('list.warningForeground'))
  made.propagate = true
  return made
}
