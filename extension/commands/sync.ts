import { l10n } from 'vscode'
import { METHODS, type SyncResult } from '../../shared/agent/contract.ts'
import type { Plan } from '../../shared/model/plan.ts'
import { applicationRow } from '../../shared/view/application-row.ts'
import type { App } from '../app.ts'
import { confirmPlan } from './confirm.ts'
import { runOperation } from './run-operation.ts'
import { toggledParams } from './sync-options.ts'
import { askForPlan, type PlanQuestion } from './sync-plan.ts'
import { applicationOf, resourceOf, selectedTargets } from './target.ts'

type Wanted = { readonly application: string; readonly only?: readonly string[] }

/** Shows the plan of a whole application, and syncs it when that is confirmed. */
export async function syncApplication(app: App, argument?: unknown): Promise<void> {
  const application = await applicationOf(argument, app, l10n.t('Which application is to be synced?'))
  if (application !== undefined) await planAndSync(app, { application })
}

/** The same for one resource. A quick fix on a line asks no more than it has to. */
export async function syncResource(app: App, argument?: unknown): Promise<void> {
  const target = await resourceOf(argument, app, l10n.t('Which resource is to be synced?'))
  if (target !== undefined) await planAndSync(app, { application: target.application, only: [target.key] })
}

/** Everything that is selected in the tree, application by application. */
export async function syncSelected(app: App, argument?: unknown, selection?: unknown): Promise<void> {
  for (const wanted of await selectedTargets(argument, selection, app)) await planAndSync(app, wanted)
}

/** Only shows what a sync would do. */
export async function dryRun(app: App, argument?: unknown): Promise<void> {
  const application = await applicationOf(argument, app, l10n.t('Of which application is the plan to be shown?'))
  if (application !== undefined) await askForPlan(questionOf(app, { application }, false))
}

async function planAndSync(app: App, wanted: Wanted): Promise<void> {
  const { application } = wanted
  const question = questionOf(app, wanted, true)
  const agreed = await askForPlan(question)
  if (agreed === undefined || !(await confirmPlan(app, agreed.plan, question.context))) return
  await runOperation(app, application, l10n.t('Syncing {0}', application), async (options) => {
    const params = { session: app.connection.session, ...wanted, ...toggledParams(agreed.toggles) }
    return app.connection.ask(METHODS.sync, params, options)
  })
}

function questionOf(app: App, wanted: Wanted, offerSync: boolean): PlanQuestion {
  const { application } = wanted
  const { context } = app.model.application(application)?.head ?? app.model
  return {
    title: offerSync ? l10n.t('Sync {0}', application) : l10n.t('Plan of {0}', application),
    context,
    button: offerSync ? (resources) => l10n.t('Sync {0} on {1}', resources, context) : undefined,
    options: true,
    plan: async ({ toggles, signal }) => {
      const params = { session: app.connection.session, ...wanted, ...toggledParams(toggles) }
      return planOf(await app.connection.ask(METHODS.plan, params, { signal }))
    },
  }
}

/** @throws Error with the reason why there is none */
export function planOf({ plan, snapshot }: SyncResult): Plan {
  if (plan !== undefined && snapshot.failure === undefined) return plan
  throw new Error(applicationRow(snapshot).failure ?? l10n.t('there is no plan'))
}
