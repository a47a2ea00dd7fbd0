import type { ExtensionContext, LogOutputChannel } from 'vscode'
import type { Connection } from './agent/connection.ts'
import type { Credentials } from './credentials.ts'
import type { DriftDocuments } from './drift/drift-documents.ts'
import type { Model } from './model.ts'
import type { PanelTarget } from './panel/panel-target.ts'

/** Everything that a command may use. */
export type App = {
  readonly extension: ExtensionContext
  readonly model: Model
  readonly connection: Connection
  readonly documents: DriftDocuments
  readonly credentials: Credentials
  readonly log: LogOutputChannel
  /** Shows an application or a resource in the tree. */
  reveal(argument: unknown): Promise<void>
  /** What is selected in the tree. */
  selected(): readonly unknown[]
  /** Narrows the tree to what has a text in its name, its state or its kind; empty shows all. */
  readonly filter: { get(): string; set(text: string): void }
  /** Opens an application's panel, or shows the one that is open. */
  openPanel(target: PanelTarget): void
}
