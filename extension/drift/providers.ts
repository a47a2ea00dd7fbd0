import {
  CodeLens,
  EventEmitter,
  Hover,
  l10n,
  MarkdownString,
  Range,
  type CodeLensProvider,
  type Disposable,
  type HoverProvider,
  type Position,
  type TextDocument,
} from 'vscode'
import { resourceKey } from '../../shared/model/kubernetes.ts'
import type { ResourceStatus } from '../../shared/model/status.ts'
import type { Model } from '../model.ts'
import { settings } from '../settings.ts'
import { rangeOf, type DriftDocuments } from './drift-documents.ts'
import { lensTitle, noteMarkdown } from './note-words.ts'
import type { Note } from './notes.ts'

/** Lenses move the text when they come and go, so they wait for the news to end. */
const LENS_WAITS_MS = [300, 2000]
/** Manifests of one file that are told of. */
const MOST_LENSES = 50

/** The whole story of what is marked under the pointer, with what can be done about it. */
export class DriftHovers implements HoverProvider {
  readonly #documents: DriftDocuments

  constructor(documents: DriftDocuments) {
    this.#documents = documents
  }

  provideHover(document: TextDocument, position: Position): Hover | undefined {
    const here = this.#documents.notes(document.uri).filter(({ spot }) => rangeOf(spot, document).contains(position))
    const [first] = here
    if (first === undefined) return undefined
    const texts = here.map(({ note }) => markdownOf(note))
    return new Hover(texts, rangeOf(first.spot, document))
  }
}

const HOVER_COMMANDS = ['plumbline.diffResource', 'plumbline.syncResource', 'plumbline.openLive'] as const

function markdownOf(note: Note): MarkdownString {
  const { resource, application } = note
  if (resource === undefined) return new MarkdownString(noteMarkdown(note, ''), true)
  const argument = encodeURIComponent(JSON.stringify([{ application, key: resourceKey(resource.id) }]))
  const link = (label: string, command: (typeof HOVER_COMMANDS)[number]): string =>
    `[${label}](command:${command}?${argument})`
  const open = resource.drift.uid === undefined ? [] : [link('$(globe) Open live object', 'plumbline.openLive')]
  const actions = [
    link('$(diff) Show diff', 'plumbline.diffResource'),
    link('$(sync) Sync this resource', 'plumbline.syncResource'),
    ...open,
  ]
  const text = new MarkdownString(noteMarkdown(note, actions.join(' \u2002 ')), true)
  text.isTrusted = { enabledCommands: [...HOVER_COMMANDS] }
  return text
}

/** One line over each document that an application deploys: its state, and what can be done. */
export class DriftLenses implements CodeLensProvider, Disposable {
  readonly #model: Model
  readonly #documents: DriftDocuments
  readonly #changed = new EventEmitter<void>()
  readonly onDidChangeCodeLenses = this.#changed.event
  readonly #subscriptions: readonly Disposable[]
  #timer: NodeJS.Timeout | undefined

  constructor(model: Model, documents: DriftDocuments) {
    this.#model = model
    this.#documents = documents
    // Seen in VS Code 1.139: what is told while the editor still draws the lenses of before may be dropped, so it is told
    // once more when all is quiet.
    const tell = (waits: readonly number[]): void => {
      clearTimeout(this.#timer)
      const [wait, ...others] = waits
      if (wait === undefined) return
      this.#timer = setTimeout(() => {
        this.#changed.fire()
        tell(others)
      }, wait)
    }
    const gather = (): void => tell(LENS_WAITS_MS)
    this.#subscriptions = [model.onChange(gather), documents.onChange(gather)]
  }

  provideCodeLenses(document: TextDocument): CodeLens[] {
    if (!settings.codeLens()) return []
    const found = this.#resourcesIn(document)
    // Hundreds of lenses make the editor slow to type in; of many manifests those are told of that need a look.
    const shown =
      found.length <= MOST_LENSES ? found : found.filter(({ resource }) => resource.drift.state !== 'synced')
    return shown.slice(0, MOST_LENSES).flatMap(({ application, resource, line }) => {
      const range = new Range(line, 0, line, 0)
      const argument = { application, key: resourceKey(resource.id) }
      const notes = this.#documents.notes(document.uri).filter(({ note }) => note.resource?.id === resource.id)
      const lens = (title: string, command: string): CodeLens =>
        new CodeLens(range, { title, command, arguments: [argument] })
      const state = lens(
        lensTitle(
          notes.map(({ note }) => note),
          resource,
        ),
        'plumbline.revealResource',
      )
      const graph = lens(l10n.t('Graph'), 'plumbline.openPanel')
      if (resource.drift.state === 'synced') return [state, lens(l10n.t('Open live'), 'plumbline.openLive'), graph]
      const diff = lens(l10n.t('Diff'), 'plumbline.diffResource')
      const sync = lens(l10n.t('Sync'), 'plumbline.syncResource')
      return [state, diff, sync, lens(l10n.t('Rehearse'), 'plumbline.rehearse'), graph]
    })
  }

  dispose(): void {
    clearTimeout(this.#timer)
    for (const subscription of this.#subscriptions) subscription.dispose()
    this.#changed.dispose()
  }

  /** What the applications deploy from a file, and the line on which each document of it starts now. */
  #resourcesIn(document: TextDocument): readonly Found[] {
    const file = this.#documents.fileOf(document.uri)
    if (file === undefined) return []
    const found: Found[] = []
    for (const { head, sent } of this.#model.applications) {
      if (sent?.local !== true) continue
      for (const resource of sent.snapshot.resources) {
        const { origin } = resource.drift
        if (origin?.file !== file) continue
        found.push({ application: head.name, resource, line: documentStart(document, origin.document) })
      }
    }
    return found
  }
}

type Found = { readonly application: string; readonly resource: ResourceStatus; readonly line: number }

/** The first line of content of the n-th document of a file. */
function documentStart(document: TextDocument, wanted: number): number {
  let index = 0
  let start: number | undefined
  for (let line = 0; line < document.lineCount; line += 1) {
    const { text } = document.lineAt(line)
    if (/^---(?:\s|$)/.test(text)) {
      if (start !== undefined) index += 1
      start = undefined
      continue
    }
    if (start === undefined && text.trim() !== '' && !text.startsWith('#')) {
      start = line
      if (index === wanted) return line
    }
  }
  return 0
}
