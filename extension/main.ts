import {
  commands,
  languages,
  window,
  workspace,
  type Disposable,
  type Event,
  type DocumentSelector,
  type ExtensionContext,
} from 'vscode'
import { Connection } from './agent/connection.ts'
import type { App } from './app.ts'
import { registerCommands } from './commands/table.ts'
import { Credentials } from './credentials.ts'
import { ObjectDocuments } from './diff/object-documents.ts'
import { DriftDecorations } from './drift/decorations.ts'
import { DriftDocuments } from './drift/drift-documents.ts'
import { DriftFixes } from './drift/fixes.ts'
import { LineEndNotes } from './drift/line-end.ts'
import { PendingEdits } from './drift/pending-edits.ts'
import { DriftHovers, DriftLenses } from './drift/providers.ts'
import { watchFiles } from './files.ts'
import { Model } from './model.ts'
import { ApplicationPanels } from './panel/application-panels.ts'
import { ApplicationsTree, applicationsMessage } from './views/applications.ts'
import { ClustersTree } from './views/clusters.ts'
import { keepContextKeys } from './views/context-keys.ts'
import { KeysTree } from './views/keys.ts'
import { StatusBar } from './views/status-bar.ts'
import { YamlHelp } from './yaml/help.ts'

/** Settings that a session is opened with. */
const OF_SESSION = ['plumbline.kubeconfig', 'plumbline.applications', 'plumbline.trustedManagers'] as const

/** How often the clusters of this machine are looked for while they are shown. */
const CLUSTERS_MS = 15_000

type Own = <T extends Disposable>(resource: T) => T

/** Called when a view is first seen or a YAML file first opened. Registers, and leaves all work to the agent. */
export function activate(extension: ExtensionContext): void {
  const own: Own = (resource) => {
    extension.subscriptions.push(resource)
    return resource
  }
  const log = own(window.createOutputChannel('Plumbline', { log: true }))
  const model = new Model()
  const connection = own(new Connection(extension, model, log))
  const documents = own(new DriftDocuments(model, connection))
  const tree = registerViews(model, connection, own)
  const credentials = new Credentials(extension.secrets, connection)
  own(
    connection.onAgent(({ kind }) => {
      if (kind === 'running') void credentials.tell()
    }),
  )
  own(new ObjectDocuments(model, connection))
  own(new PendingEdits(model, connection, documents))
  own(new YamlHelp(extension))
  registerLanguage(model, documents, own)
  const app: App = {
    extension,
    model,
    connection,
    documents,
    credentials,
    log,
    ...tree,
    openPanel: (target) => panels.show(target),
  }
  const panels = own(new ApplicationPanels(app, extension))
  extension.subscriptions.push(...registerCommands(app))
  own(watchFiles(connection))
  own(
    workspace.onDidChangeConfiguration((event) => {
      if (OF_SESSION.some((name) => event.affectsConfiguration(name)) && model.session !== undefined)
        void connection.open()
    }),
  )
  // A workspace that is not trusted is looked at by nobody but the editor: rendering runs what it brings.
  if (workspace.isTrusted) connection.start()
  else own(workspace.onDidGrantWorkspaceTrust(() => connection.start()))
}

function registerViews(model: Model, connection: Connection, own: Own): Pick<App, 'reveal' | 'selected' | 'filter'> {
  const tree = own(new ApplicationsTree(model))
  const options = { treeDataProvider: tree, showCollapseAll: true, canSelectMany: true }
  const view = own(window.createTreeView('plumbline.applications', options))
  own(
    model.onChange(() => {
      view.message = applicationsMessage(model)
    }),
  )
  const clusters = own(window.createTreeView('plumbline.clusters', { treeDataProvider: own(new ClustersTree(model)) }))
  const look = (): void => {
    if (clusters.visible && model.agent.kind === 'running') void connection.readClusters()
  }
  own(clusters.onDidChangeVisibility(look))
  own(connection.onAgent(look))
  // The first look starts the embedded cluster.
  own(once(model.onChange, () => model.applications.some(({ sent }) => sent !== undefined), look))
  // Clusters come and go by other hands too.
  const timer = setInterval(look, CLUSTERS_MS)
  own({ dispose: () => clearInterval(timer) })
  own(window.registerTreeDataProvider('plumbline.keys', own(new KeysTree(model))))
  own(new StatusBar(model))
  own(keepContextKeys(model))
  own(
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('plumbline.groupBy')) tree.refresh()
    }),
  )
  return {
    selected: () => view.selection,
    filter: treeFilter(tree),
    reveal: async (argument) => {
      const { application, key } = (argument ?? {}) as { readonly application?: unknown; readonly key?: unknown }
      if (typeof application !== 'string') return
      const node = tree.find(application, typeof key === 'string' ? key : undefined)
      if (node !== undefined) await view.reveal(node, { select: true, focus: true, expand: true })
    },
  }
}

function once(event: Event<unknown>, holds: () => boolean, act: () => void): Disposable {
  const subscription = event(() => {
    if (!holds()) return
    subscription.dispose()
    act()
  })
  return subscription
}

function treeFilter(tree: ApplicationsTree): App['filter'] {
  let filter = ''
  return {
    get: () => filter,
    set: (text) => {
      filter = text
      tree.filter(text)
      void commands.executeCommand('setContext', 'plumbline.filtered', text !== '')
    },
  }
}

const YAML: DocumentSelector = { scheme: 'file', pattern: '**/*.{yaml,yml,json}' }

function registerLanguage(model: Model, documents: DriftDocuments, own: Own): void {
  own(window.registerFileDecorationProvider(own(new DriftDecorations(documents))))
  own(new LineEndNotes(documents))
  own(languages.registerHoverProvider(YAML, new DriftHovers(documents)))
  own(languages.registerCodeLensProvider(YAML, own(new DriftLenses(model, documents))))
  const fixes = new DriftFixes(documents)
  own(languages.registerCodeActionsProvider(YAML, fixes, { providedCodeActionKinds: DriftFixes.kinds }))
}
