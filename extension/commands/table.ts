import { commands, type Disposable } from 'vscode'
import { isCancelled } from '../../shared/base/abort.ts'
import type { App } from '../app.ts'
import { startEmbedded, switchContext } from './clusters.ts'
import { COMMAND_IDS, type CommandId } from './command-ids.ts'
import { tellError } from './tell-error.ts'
import { createApplication, ignoreField } from './edit.ts'
import { copyKubectl, diffApplication, diffResource, openLive, openManifest, showHistory } from './look.ts'
import { exportDiagnostics, refresh } from './refresh.ts'
import { dryRun, syncApplication, syncResource } from './sync.ts'
import { addKey, removeKey, verifyCommit } from './trust.ts'

type Run = (app: App, argument?: unknown) => Promise<void> | void

const TABLE: Readonly<Record<CommandId, Run>> = {
  'plumbline.addKey': addKey,
  'plumbline.copyKubectl': copyKubectl,
  'plumbline.createApplication': createApplication,
  'plumbline.diffApplication': diffApplication,
  'plumbline.diffResource': diffResource,
  'plumbline.dryRun': dryRun,
  'plumbline.exportDiagnostics': exportDiagnostics,
  'plumbline.hardRefresh': (app, argument) => refresh(app, argument, true),
  'plumbline.ignoreField': ignoreField,
  'plumbline.openLive': openLive,
  'plumbline.openManifest': openManifest,
  'plumbline.refresh': (app, argument) => refresh(app, argument, false),
  'plumbline.removeKey': removeKey,
  'plumbline.restartAgent': (app) => app.connection.restart(),
  'plumbline.revealResource': (app, argument) => app.reveal(argument),
  'plumbline.showHistory': showHistory,
  'plumbline.showLog': (app) => app.log.show(),
  'plumbline.startEmbedded': startEmbedded,
  'plumbline.switchContext': switchContext,
  'plumbline.syncApplication': syncApplication,
  'plumbline.syncResource': syncResource,
  'plumbline.verifyCommit': verifyCommit,
}

/** Registers every command under one runner, which tells a failure once and never a cancellation. */
export function registerCommands(app: App): readonly Disposable[] {
  return COMMAND_IDS.map((id) =>
    commands.registerCommand(id, async (argument?: unknown) => {
      try {
        await TABLE[id](app, argument)
      } catch (error) {
        if (isCancelled(error)) return
        const message = error instanceof Error ? error.message : String(error)
        app.log.error(`${id}: ${message}`)
        await tellError(app, `Plumbline: ${message}`)
      }
    }),
  )
}
