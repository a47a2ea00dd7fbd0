import { l10n, ProgressLocation, window, type CancellationToken, type Progress } from 'vscode'
import type { SyncResult } from '../../shared/agent/contract.ts'
import { isCancelled } from '../../shared/base/abort.ts'
import type { Cancellable } from '../../shared/model/ports.ts'
import { applicationRow } from '../../shared/view/application-row.ts'
import { outcomeWords } from '../../shared/view/outcome-rows.ts'
import type { App } from '../app.ts'
import { signalOf } from '../signal.ts'
import { tellError } from './tell-error.ts'

/** Runs what changes an application with its progress and a way to cancel, and tells how it ended. */
export async function runOperation(
  app: App,
  application: string,
  title: string,
  work: (options: Cancellable) => Promise<SyncResult>,
): Promise<void> {
  let result: SyncResult | undefined
  try {
    result = await withProgress(title, async (token, progress) => {
      const subscription = app.model.onChange(() => {
        const syncing = app.model.application(application)?.syncing
        if (syncing !== undefined) progress.report({ message: `${syncing.done}/${syncing.total}` })
      })
      try {
        return await work(signalOf(token))
      } finally {
        subscription.dispose()
      }
    })
  } finally {
    app.model.syncEnded(application)
  }
  if (result !== undefined) tellOutcome(app, application, result)
}

function tellOutcome(app: App, application: string, { outcome, snapshot }: SyncResult): void {
  const words = outcome === undefined ? (applicationRow(snapshot).failure ?? 'nothing to do') : outcomeWords(outcome)
  app.log.info(`sync of ${application}: ${words}`)
  for (const step of outcome?.steps ?? [])
    app.log.info(`  ${step.id.kind} ${step.id.name}: ${step.result} ${step.message}`)
  if (outcome?.phase === 'Succeeded') {
    window.setStatusBarMessage(`$(pass) ${application}: ${words}`, 8000)
    return
  }
  const failed = outcome?.steps.find(({ result }) => result === 'SyncFailed')
  const why = failed === undefined ? (outcome?.message ?? '') : `${failed.id.kind} ${failed.id.name}: ${failed.message}`
  void tellError(app, `${application}: ${words}. ${why}`)
}

/** Runs with a notification that can cancel. Undefined where it did. */
export async function withProgress<T>(
  title: string,
  work: (token: CancellationToken, progress: Progress<{ message?: string }>) => Promise<T>,
): Promise<T | undefined> {
  const options = { location: ProgressLocation.Notification, title, cancellable: true }
  try {
    return await window.withProgress(options, async (progress, token) => work(token, progress))
  } catch (error) {
    if (!isCancelled(error)) throw error
    window.setStatusBarMessage(l10n.t('{0}: cancelled', title), 5000)
    return undefined
  }
}
