import type { ExtensionContext, LogOutputChannel } from 'vscode'
import type { Connection } from './agent/connection.ts'
import type { DriftDocuments } from './drift/drift-documents.ts'
import type { Model } from './model.ts'

/** Everything that a command may use. */
export type App = {
  readonly extension: ExtensionContext
  readonly model: Model
  readonly connection: Connection
  readonly documents: DriftDocuments
  readonly log: LogOutputChannel
  /** Shows an application or a resource in the tree. */
  reveal(argument: unknown): Promise<void>
}
