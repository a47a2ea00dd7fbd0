import { l10n, window } from 'vscode'
import { METHODS } from '../../shared/agent/contract.ts'
import type { HistoryDetail } from '../../shared/model/front.ts'
import { verdictMark } from '../../shared/view/marks.ts'
import { timeAgo } from '../../shared/view/time.ts'
import { shortSha } from '../../shared/view/words.ts'
import type { App } from '../app.ts'
import { confirmPlan } from './confirm.ts'
import { runOperation } from './run-operation.ts'
import { planOf } from './sync.ts'
import { toggledParams } from './sync-options.ts'
import { askForPlan } from './sync-plan.ts'
import { applicationOf } from './target.ts'

/** The last syncs with their commits, newest first; the one that is picked can be gone back to. */
export async function showHistory(app: App, argument?: unknown): Promise<void> {
  const application = await applicationOf(argument, app, l10n.t('Whose history is to be shown?'))
  if (application === undefined) return
  const history = await historyOf(app, application)
  if (history.length === 0) {
    void window.showInformationMessage(l10n.t('{0} has not been synced from here yet.', application))
    return
  }
  const title = l10n.t('History of {0}', application)
  const picked = await window.showQuickPick(history.map(itemOf), {
    title,
    placeHolder: l10n.t('{0} syncs, newest first; pick one to roll back to it', history.length),
    matchOnDescription: true,
    matchOnDetail: true,
  })
  if (picked !== undefined && picked.index > 0) await rollBackTo(app, application, picked.detailOf)
}

/** Brings the cluster back to an earlier sync, after its plan was shown. Git is not touched. */
export async function rollback(app: App, argument?: unknown): Promise<void> {
  const application = await applicationOf(argument, app, l10n.t('Which application is to be rolled back?'))
  if (application === undefined) return
  const [, ...earlier] = await historyOf(app, application)
  if (earlier.length === 0) {
    void window.showInformationMessage(l10n.t('{0} has no earlier sync to go back to.', application))
    return
  }
  const picked = await window.showQuickPick(
    earlier.map((detail, index) => itemOf(detail, index + 1)),
    { title: l10n.t('Roll back {0}', application), placeHolder: l10n.t('To which sync?'), matchOnDescription: true },
  )
  if (picked !== undefined) await rollBackTo(app, application, picked.detailOf)
}

async function historyOf(app: App, application: string): Promise<readonly HistoryDetail[]> {
  return app.connection.ask(METHODS.history, { session: app.connection.session, application })
}

async function rollBackTo(app: App, application: string, { entry }: HistoryDetail): Promise<void> {
  const { context } = app.model.application(application)?.head ?? app.model
  const params = { session: app.connection.session, application, id: entry.id }
  const agreed = await askForPlan({
    title: l10n.t('Roll back {0} to {1}', application, shortSha(entry.revision)),
    context,
    button: (resources) => l10n.t('Roll back {0} on {1}', resources, context),
    options: true,
    plan: async ({ toggles: { prune }, signal }) =>
      planOf(await app.connection.ask(METHODS.rollback, { ...params, prune, dryRun: true }, { signal })),
  })
  if (agreed === undefined || !(await confirmPlan(app, agreed.plan, context))) return
  const { prune } = toggledParams(agreed.toggles)
  await runOperation(app, application, l10n.t('Rolling {0} back', application), async (options) =>
    app.connection.ask(METHODS.rollback, { ...params, prune, dryRun: false }, options),
  )
}

type Item = {
  readonly label: string
  readonly description: string
  readonly detail: string
  readonly index: number
  readonly detailOf: HistoryDetail
}

function itemOf(detailOf: HistoryDetail, index: number): Item {
  const { entry, subject, author, verdict } = detailOf
  const icon = verdict === undefined ? 'git-commit' : verdictMark(verdict).codicon
  const who = entry.automated ? l10n.t('auto-sync') : entry.initiatedBy
  const deployed = index === 0 ? [l10n.t('deployed')] : []
  return {
    label: `$(${icon}) ${shortSha(entry.revision)} ${subject}`,
    description: [timeAgo(entry.deployedAt, Date.now()), who, ...deployed].join(' · '),
    detail: [entry.deployedAt, author, verdict === undefined ? '' : verdictMark(verdict).word]
      .filter((word) => word !== '')
      .join(' · '),
    index,
    detailOf,
  }
}
