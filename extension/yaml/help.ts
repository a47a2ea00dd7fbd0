import { readFile } from 'node:fs/promises'
import { load } from 'js-yaml'
import {
  CompletionItem,
  CompletionItemKind,
  Diagnostic,
  DiagnosticSeverity,
  extensions,
  Hover,
  languages,
  MarkdownString,
  Range,
  SnippetString,
  Uri,
  window,
  workspace,
  type Disposable,
  type DocumentSelector,
  type ExtensionContext,
  type Position,
  type TextDocument,
} from 'vscode'
import { yamlLines } from '../../shared/view/yaml-lines.ts'
import { keySpan } from '../drift/key-range.ts'
import { problemsIn } from './check.ts'
import { cursorAt, documentAround, type Cursor } from './cursor.ts'
import { resolved, schemaAt, schemaOfKind, type Schema } from './schema.ts'

const YAML: DocumentSelector = { language: 'yaml', scheme: 'file' }
/** Red Hat's extension takes our schema by `yamlValidation` and does all of this, more of it, and for all YAML. */
const OTHER = 'redhat.vscode-yaml'
const PAUSE_MS = 300
const LONGEST = 200_000

/** Completion, hovers and validation of Argo CD's own kinds. */
export class YamlHelp implements Disposable {
  readonly #file: string
  readonly #collection = languages.createDiagnosticCollection('plumbline schema')
  readonly #subscriptions: Disposable[] = []
  readonly #timers = new Map<string, NodeJS.Timeout>()
  #schema: Promise<Schema> | undefined

  constructor(extension: ExtensionContext) {
    this.#file = Uri.joinPath(extension.extensionUri, 'schemas', 'argo-cd.json').fsPath
    this.#subscriptions.push(
      this.#collection,
      languages.registerCompletionItemProvider(
        YAML,
        {
          provideCompletionItems: async (document, position) => this.#complete(document, position),
        },
        ' ',
      ),
      languages.registerHoverProvider(YAML, {
        provideHover: async (document, position) => this.#hover(document, position),
      }),
      workspace.onDidOpenTextDocument((document) => this.#wake(document)),
      workspace.onDidChangeTextDocument(({ document }) => this.#wake(document)),
      workspace.onDidCloseTextDocument(({ uri }) => this.#collection.delete(uri)),
    )
    for (const { document } of window.visibleTextEditors) this.#wake(document)
  }

  dispose(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer)
    for (const subscription of this.#subscriptions) subscription.dispose()
  }

  #wake(document: TextDocument): void {
    if (languages.match(YAML, document) === 0) return
    const key = document.uri.toString()
    clearTimeout(this.#timers.get(key))
    this.#timers.set(
      key,
      setTimeout(() => {
        this.#timers.delete(key)
        void this.#check(document)
      }, PAUSE_MS),
    )
  }

  async #check(document: TextDocument): Promise<void> {
    const text = document.getText()
    if (document.isClosed || text.length > LONGEST || !isWanted(text)) return this.#collection.delete(document.uri)
    const root = await this.#load()
    const lines = text.split(/\r\n|\n/)
    const found: Diagnostic[] = []
    for (let first = 0; first < lines.length;) {
      const [, end] = documentAround(lines, first)
      found.push(...problemsOf(lines.slice(first, end), first, root, document))
      first = end + 1
    }
    this.#collection.set(document.uri, found)
  }

  async #complete(document: TextDocument, position: Position): Promise<CompletionItem[]> {
    const found = await this.#schemaAround(document, position)
    if (found === undefined) return []
    const { cursor, schema, root } = found
    if (cursor.key === undefined) {
      const map = schemaAt(schema, root, cursor.path)
      return Object.entries(map?.properties ?? {})
        .filter(([name]) => !cursor.siblings.has(name))
        .map(([name, field]) => keyItem(name, resolved(field, root), map?.required?.includes(name) === true))
    }
    const value = schemaAt(schema, root, [...cursor.path, cursor.key])
    return valuesOf(value).map((text) => new CompletionItem(text, CompletionItemKind.Value))
  }

  async #hover(document: TextDocument, position: Position): Promise<Hover | undefined> {
    const found = await this.#schemaAround(
      document,
      position.with({ character: document.lineAt(position).text.length }),
    )
    if (found === undefined) return undefined
    const { cursor, schema, root } = found
    const indent = document.lineAt(position).text.search(/[^\s-]/)
    const { start, end } = keySpan(document.lineAt(position).text, Math.max(indent, 0))
    if (cursor.key === undefined || position.character < start || position.character > end) return undefined
    const field = schemaAt(schema, root, [...cursor.path, cursor.key])
    if (field?.description === undefined) return undefined
    return new Hover(new MarkdownString(field.description), new Range(position.line, start, position.line, end))
  }

  async #schemaAround(
    document: TextDocument,
    position: Position,
  ): Promise<{ readonly cursor: Cursor; readonly schema: Schema; readonly root: Schema } | undefined> {
    if (extensions.getExtension(OTHER) !== undefined) return undefined
    const text = document.getText()
    if (text.length > LONGEST || !isWanted(text)) return undefined
    const lines = text.split(/\r\n|\n/)
    const kind = kindOf(lines, position.line)
    const root = await this.#load()
    const schema = kind === undefined ? undefined : schemaOfKind(root, kind)
    return schema === undefined
      ? undefined
      : { cursor: cursorAt(lines, position.line, position.character), schema, root }
  }

  async #load(): Promise<Schema> {
    this.#schema ??= readFile(this.#file, 'utf8').then((text) => JSON.parse(text) as Schema)
    return this.#schema
  }
}

/** A word that stands in every document that is meant; looked for before anything is read. */
function isWanted(text: string): boolean {
  return extensions.getExtension(OTHER) === undefined && text.includes('argoproj.io/')
}

function kindOf(lines: readonly string[], line: number): string | undefined {
  const [first, end] = documentAround(lines, line)
  const own = lines.slice(first, end)
  if (!own.some((text) => /^apiVersion:\s*["']?argoproj\.io\//.test(text))) return undefined
  return own.map((text) => /^kind:\s*["']?(\w+)/.exec(text)?.[1]).find((kind) => kind !== undefined)
}

function problemsOf(
  lines: readonly string[],
  first: number,
  root: Schema,
  document: TextDocument,
): readonly Diagnostic[] {
  const kind = kindOf(lines, 0)
  const schema = kind === undefined ? undefined : schemaOfKind(root, kind)
  if (schema === undefined) return []
  const text = lines.join('\n')
  try {
    const places = yamlLines(text)
    return problemsIn(load(text), schema, root).map(({ pointer, kind: code, message }) => {
      const line = Math.min(first + (places.get(pointer) ?? 1) - 1, document.lineCount - 1)
      const { text: shown } = document.lineAt(line)
      const { start, end } = keySpan(shown, shown.search(/[^\s-]|$/))
      const severity = code === 'missing-field' ? DiagnosticSeverity.Warning : DiagnosticSeverity.Error
      const diagnostic = new Diagnostic(new Range(line, start, line, end), message, severity)
      diagnostic.source = 'Argo CD'
      diagnostic.code = code
      return diagnostic
    })
  } catch {
    // Somebody is in the middle of typing it; what is broken is told when it is rendered.
    return []
  }
}

function keyItem(name: string, field: Schema, required: boolean): CompletionItem {
  const item = new CompletionItem(name, required ? CompletionItemKind.Class : CompletionItemKind.Property)
  if (field.description !== undefined) item.documentation = new MarkdownString(field.description)
  item.sortText = `${required ? 0 : 1}${name}`
  const nested = field.type === 'object' || field.properties !== undefined
  item.insertText = new SnippetString(
    nested ? `${name}:\n  $0` : field.type === 'array' ? `${name}:\n  - $0` : `${name}: $0`,
  )
  return item
}

function valuesOf(schema: Schema | undefined): readonly string[] {
  if (schema === undefined) return []
  return schema.enum ?? (schema.type === 'boolean' ? ['true', 'false'] : (schema.examples ?? []))
}
