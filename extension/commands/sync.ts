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
import { askForPlan, pruneLines, type PlanQuestion } from './sync-plan.ts'
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
  if (application !== undefined) await askForPlan(questionOf(app, { application }, false))
}

async function planAndSync(app: App, wanted: Wanted): Promise<void> {
  const question = questionOf(app, wanted, true)
  const agreed = await askForPlan(question)
  if (agreed !== undefined && (await isConfirmed(agreed.plan, question.context))) await run(app, wanted, agreed.prune)
}

function questionOf(app: App, wanted: Wanted, offerSync: boolean): PlanQuestion {
  const { application } = wanted
  const { context } = app.model.application(application)?.head ?? app.model
  const { session } = app.connection
  return {
    application,
    context,
    offerSync,
    plan: async ({ prune, signal }) => {
      const { plan, snapshot } = await app.connection.ask(METHODS.plan, { session, ...wanted, prune }, { signal })
      if (plan !== undefined && snapshot.failure === undefined) return plan
      throw new Error(applicationRow(snapshot).failure ?? 'there is no plan')
    },
  }
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
