import { languages, window, workspace, type Disposable, type DocumentSelector, type ExtensionContext } from 'vscode'
import { Connection } from './agent/connection.ts'
import type { App } from './app.ts'
import { registerCommands } from './commands/table.ts'
import { ObjectDocuments } from './diff/object-documents.ts'
import { DriftDecorations } from './drift/decorations.ts'
import { DriftDocuments } from './drift/drift-documents.ts'
import { DriftFixes } from './drift/fixes.ts'
import { LineEndNotes } from './drift/line-end.ts'
import { DriftHovers, DriftLenses } from './drift/providers.ts'
import { watchFiles } from './files.ts'
import { Model } from './model.ts'
import { ApplicationsTree, applicationsMessage } from './views/applications.ts'
import { ClustersTree } from './views/clusters.ts'
import { keepContextKeys } from './views/context-keys.ts'
import { KeysTree } from './views/keys.ts'
import { StatusBar } from './views/status-bar.ts'

/** Settings that a session is opened with. */
const OF_SESSION = ['plumbline.kubeconfig', 'plumbline.applications', 'plumbline.trustedManagers'] as const

/** Called when a view is first seen or a YAML file first opened. Registers, and leaves all work to the agent. */
export function activate(extension: ExtensionContext): void {
  const own = <T extends Disposable>(resource: T): T => {
    extension.subscriptions.push(resource)
    return resource
  }
  const log = own(window.createOutputChannel('Plumbline', { log: true }))
  const model = new Model()
  const connection = own(new Connection(extension, model, log))
  const documents = own(new DriftDocuments(model, connection))
  const tree = own(new ApplicationsTree(model))
  const view = own(window.createTreeView('plumbline.applications', { treeDataProvider: tree, showCollapseAll: true }))
  own(
    model.onChange(() => {
      view.message = applicationsMessage(model)
    }),
  )
  own(window.registerTreeDataProvider('plumbline.clusters', own(new ClustersTree(model))))
  own(window.registerTreeDataProvider('plumbline.keys', own(new KeysTree(model))))
  own(new StatusBar(model))
  own(keepContextKeys(model))
  own(new ObjectDocuments(model, connection))
  own(window.registerFileDecorationProvider(own(new DriftDecorations(documents))))
  own(new LineEndNotes(documents))
  registerLanguage(model, documents, own)

  const app: App = {
    extension,
    model,
    connection,
    documents,
    log,
    reveal: async (argument) => {
      const { application, key } = (argument ?? {}) as { readonly application?: unknown; readonly key?: unknown }
      if (typeof application !== 'string') return
      const node = tree.find(application, typeof key === 'string' ? key : undefined)
      if (node !== undefined) await view.reveal(node, { select: true, focus: true, expand: true })
    },
  }
  extension.subscriptions.push(...registerCommands(app))
  own(watchFiles(connection))
  own(
    workspace.onDidChangeConfiguration((event) => {
      if (OF_SESSION.some((name) => event.affectsConfiguration(name)) && model.session !== undefined)
        void connection.open()
      if (event.affectsConfiguration('plumbline.groupBy')) tree.refresh()
    }),
  )
  // A workspace that is not trusted is looked at by nobody but the editor: rendering runs what it brings.
  if (workspace.isTrusted) connection.start()
  else own(workspace.onDidGrantWorkspaceTrust(() => connection.start()))
}

const YAML: DocumentSelector = { scheme: 'file', pattern: '**/*.{yaml,yml,json}' }

function registerLanguage(
  model: Model,
  documents: DriftDocuments,
  own: <T extends Disposable>(resource: T) => T,
): void {
  own(languages.registerHoverProvider(YAML, new DriftHovers(documents)))
  own(languages.registerCodeLensProvider(YAML, own(new DriftLenses(model, documents))))
  const fixes = new DriftFixes(documents)
  own(languages.registerCodeActionsProvider(YAML, fixes, { providedCodeActionKinds: DriftFixes.kinds }))
}
