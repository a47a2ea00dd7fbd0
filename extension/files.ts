import { workspace, type Disposable } from 'vscode'
import { METHODS } from '../shared/agent/contract.ts'
import type { Connection } from './agent/connection.ts'

/** Saving several files at once is one change. */
const GATHER_MS = 300

/** Has the agent look again when files of the workspace change: definitions, and manifests that are read as they are. */
export function watchFiles(connection: Connection): Disposable {
  const watcher = workspace.createFileSystemWatcher('**/*.{yaml,yml,json,tpl}')
  let timer: NodeJS.Timeout | undefined
  const onChange = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      const { session } = connection
      if (session === '') return
      // What fails here is told by the next look.
      connection.ask(METHODS.refresh, { session, hard: false }).catch(() => undefined)
    }, GATHER_MS)
  }
  watcher.onDidChange(onChange)
  watcher.onDidCreate(onChange)
  watcher.onDidDelete(onChange)
  return {
    dispose: () => {
      clearTimeout(timer)
      watcher.dispose()
    },
  }
}
