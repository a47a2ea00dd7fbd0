import type { Command } from 'commander'
import type { Io, SetExit } from '../io.ts'
import { appDeleteCommand } from './app-delete.ts'
import { appDiffCommand } from './app-diff.ts'
import { appGetCommand } from './app-get.ts'
import { appHistoryCommand } from './app-history.ts'
import { appListCommand } from './app-list.ts'
import { appManifestsCommand } from './app-manifests.ts'
import { appRefreshCommand } from './app-refresh.ts'
import { appRehearseCommand } from './app-rehearse.ts'
import { appResourcesCommand, appTreeCommand } from './app-resources.ts'
import { appResourceCommands } from './app-resource.ts'
import { appRollbackCommand } from './app-rollback.ts'
import { appSyncCommand } from './app-sync.ts'
import { appTerminateCommand } from './app-terminate-op.ts'
import { appWaitCommand } from './app-wait.ts'

/** `plumbline app ...`: one verb a file. */
export function appCommands(program: Command, io: Io, setExit: SetExit): void {
  const app = program.command('app').summary('applications: list, diff, rehearse, sync and the rest')
  appListCommand(app, io)
  appGetCommand(app, io)
  appResourcesCommand(app, io)
  appTreeCommand(app, io)
  appHistoryCommand(app, io)
  appManifestsCommand(app, io)
  appDiffCommand(app, io, setExit)
  appRehearseCommand(app, io, setExit)
  appSyncCommand(app, io, setExit)
  appRollbackCommand(app, io, setExit)
  appTerminateCommand(app, io, setExit)
  appResourceCommands(app, io, setExit)
  appRefreshCommand(app, io)
  appWaitCommand(app, io)
  appDeleteCommand(app, io, setExit)
}
