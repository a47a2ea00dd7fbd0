import { commands, type Disposable } from 'vscode'
import { isCancelled } from '../../shared/base/abort.ts'
import type { App } from '../app.ts'
import { filterTree, groupTree, openPanel } from './arrange.ts'
import { startEmbedded, switchContext } from './clusters.ts'
import { COMMAND_IDS, type CommandId } from './command-ids.ts'
import { ignoreField } from './edit.ts'
import { rollback, showHistory } from './history.ts'
import { createCluster, deleteCluster, startCluster, stopCluster } from './local-clusters.ts'
import { copyKubectl, diffApplication, diffResource, openLive, openManifest } from './look.ts'
import { createApplication } from './new-application.ts'
import { deleteResource, terminate } from './operate.ts'
import { showPodLogs } from './pod-logs.ts'
import { exportDiagnostics, refresh } from './refresh.ts'
import { rehearse } from './rehearse.ts'
import { addCredential, removeCredential, testRepository, tryTour } from './repositories.ts'
import { dryRun, syncApplication, syncResource, syncSelected } from './sync.ts'
import { tellError } from './tell-error.ts'
import { addKey, removeKey, verifyCommit } from './trust.ts'

/** @param selection everything that is selected, where a tree's menu calls */
type Run = (app: App, argument?: unknown, selection?: unknown) => Promise<void> | void

const TABLE: Readonly<Record<CommandId, Run>> = {
  'plumbline.addCredential': addCredential,
  'plumbline.addKey': addKey,
  'plumbline.clearFilter': (app) => app.filter.set(''),
  'plumbline.copyKubectl': copyKubectl,
  'plumbline.createApplication': createApplication,
  'plumbline.createCluster': createCluster,
  'plumbline.deleteCluster': deleteCluster,
  'plumbline.deleteResource': deleteResource,
  'plumbline.diffApplication': diffApplication,
  'plumbline.diffResource': diffResource,
  'plumbline.dryRun': dryRun,
  'plumbline.exportDiagnostics': exportDiagnostics,
  'plumbline.filter': filterTree,
  'plumbline.groupBy': groupTree,
  'plumbline.hardRefresh': (app, argument) => refresh(app, argument, true),
  'plumbline.ignoreField': ignoreField,
  'plumbline.openLive': openLive,
  'plumbline.openManifest': openManifest,
  'plumbline.openPanel': openPanel,
  'plumbline.refresh': (app, argument) => refresh(app, argument, false),
  'plumbline.rehearse': rehearse,
  'plumbline.removeCredential': removeCredential,
  'plumbline.removeKey': removeKey,
  'plumbline.restartAgent': (app) => app.connection.restart(),
  'plumbline.revealResource': (app, argument) => app.reveal(argument),
  'plumbline.rollback': rollback,
  'plumbline.showHistory': showHistory,
  'plumbline.showLog': (app) => app.log.show(),
  'plumbline.showPodLogs': showPodLogs,
  'plumbline.startCluster': startCluster,
  'plumbline.startEmbedded': startEmbedded,
  'plumbline.stopCluster': stopCluster,
  'plumbline.switchContext': switchContext,
  'plumbline.syncApplication': syncApplication,
  'plumbline.syncResource': syncResource,
  'plumbline.syncSelected': syncSelected,
  'plumbline.terminate': terminate,
  'plumbline.testRepository': testRepository,
  'plumbline.tryTour': tryTour,
  'plumbline.verifyCommit': verifyCommit,
}

/** Registers every command under one runner, which tells a failure once and never a cancellation. */
export function registerCommands(app: App): readonly Disposable[] {
  return COMMAND_IDS.map((id) =>
    commands.registerCommand(id, async (argument?: unknown, selection?: unknown) => {
      try {
        await TABLE[id](app, argument, selection)
      } catch (error) {
        if (isCancelled(error)) return
        const message = error instanceof Error ? error.message : String(error)
        app.log.error(`${id}: ${message}`)
        await tellError(app, `Plumbline: ${message}`)
      }
    }),
  )
}
