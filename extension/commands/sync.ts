import { ProgressLocation, window, type CancellationToken, type Progress } from 'vscode'
import { METHODS, type SyncResult } from '../../shared/agent/contract.ts'
import { isCancelled } from '../../shared/base/abort.ts'
import type { Plan } from '../../shared/model/plan.ts'
import { applicationRow } from '../../shared/view/application-row.ts'
import { outcomeWords } from '../../shared/view/outcome-rows.ts'
import type { App } from '../app.ts'
import { isProduction } from '../production.ts'
import { settings } from '../settings.ts'
import { signalOf } from '../signal.ts'
import { confirmPlan, pruneLines, stepsToRun } from './sync-plan.ts'
import { applicationOf, resourceOf } from './target.ts'
import { tellError } from './tell-error.ts'

type Wanted = { readonly application: string; readonly only?: readonly string[] }

/** Shows the plan of a whole application, and syncs it when that is confirmed. */
export async function syncApplication(app: App, argument?: unknown): Promise<void> {
  const application = await applicationOf(argument, app, 'Which application is to be synced?')
  if (application !== undefined) await planAndSync(app, { application })
}

/** The same for one resource. A quick fix on a line asks no more than it has to. */
export async function syncResource(app: App, argument?: unknown): Promise<void> {
  const target = await resourceOf(argument, app, 'Which resource is to be synced?')
  if (target !== undefined) await planAndSync(app, { application: target.application, only: [target.key] })
}

/** Only shows what a sync would do. */
export async function dryRun(app: App, argument?: unknown): Promise<void> {
  const application = await applicationOf(argument, app, 'Of which application is the plan to be shown?')
  if (application !== undefined) await planAndSync(app, { application })
}

async function planAndSync(app: App, wanted: Wanted): Promise<void> {
  const { context } = app.model.application(wanted.application)?.head ?? app.model
  let prune = false
  for (;;) {
    const plan = await planOf(app, wanted, prune)
    if (plan === undefined) return
    if (stepsToRun(plan) === 0 && !plan.steps.some(({ action }) => action !== 'none')) {
      void window.showInformationMessage(`${wanted.application} is in sync; a sync would do nothing.`)
      return
    }
    const choice = await confirmPlan(plan, { application: wanted.application, context, prune })
    if (choice === undefined) return
    if (choice === 'toggle-prune') prune = !prune
    else if (await isConfirmed(plan, context)) return run(app, wanted, prune)
    else return
  }
}

async function planOf(app: App, wanted: Wanted, prune: boolean): Promise<Plan | undefined> {
  const title = `Planning the sync of ${wanted.application}`
  const result = await withProgress(title, async (token) =>
    app.connection.ask(METHODS.plan, { session: app.connection.session, ...wanted, prune }, signalOf(token)),
  )
  if (result === undefined) return undefined
  if (result.plan !== undefined && result.snapshot.failure === undefined) return result.plan
  throw new Error(applicationRow(result.snapshot).failure ?? 'there is no plan')
}

/** Deletions are listed and confirmed; on a production context its name is typed. */
async function isConfirmed(plan: Plan, context: string): Promise<boolean> {
  const lost = pruneLines(plan)
  const production = isProduction(context, settings.productionContexts())
  if (production) {
    const prompt = `${context} is a production context. Type its name to go on${lost.length === 0 ? '' : `; this deletes ${lost.join(', ')}`}.`
    const typed = await window.showInputBox({ prompt, ignoreFocusOut: true })
    return typed === context
  }
  if (lost.length === 0) return true
  const yes = 'Delete'
  const detail = lost.join('\n')
  const answer = await window.showWarningMessage(`This sync deletes from ${context}:`, { modal: true, detail }, yes)
  return answer === yes
}

async function run(app: App, wanted: Wanted, prune: boolean): Promise<void> {
  const { application } = wanted
  let result: SyncResult | undefined
  try {
    result = await withProgress(`Syncing ${application}`, async (token, progress) => {
      const subscription = app.model.onChange(() => {
        const syncing = app.model.application(application)?.syncing
        if (syncing !== undefined) progress.report({ message: `${syncing.done}/${syncing.total}` })
      })
      try {
        const params = { session: app.connection.session, ...wanted, prune }
        return await app.connection.ask(METHODS.sync, params, signalOf(token))
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
async function withProgress<T>(
  title: string,
  work: (token: CancellationToken, progress: Progress<{ message?: string }>) => Promise<T>,
): Promise<T | undefined> {
  const options = { location: ProgressLocation.Notification, title, cancellable: true }
  try {
    return await window.withProgress(options, async (progress, token) => work(token, progress))
  } catch (error) {
    if (isCancelled(error)) return undefined
    throw error
  }
}
