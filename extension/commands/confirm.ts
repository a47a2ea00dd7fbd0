import { l10n, window } from 'vscode'
import type { Plan } from '../../shared/model/plan.ts'
import { planRows } from '../../shared/view/plan-rows.ts'
import type { App } from '../app.ts'
import { isProductionHere } from '../production-here.ts'

/** Deletions of a plan are listed and confirmed; on a production context its name is typed. */
export async function confirmPlan(app: App, plan: Plan, context: string): Promise<boolean> {
  return confirmLoss(app, pruneLines(plan), context, l10n.t('This sync deletes from {0}:', context))
}

/**
 * Asks before something is lost; without a loss only a production context asks.
 * @param lost what is deleted, one line each
 */
export async function confirmLoss(
  app: App,
  lost: readonly string[],
  context: string,
  question: string,
): Promise<boolean> {
  if (isProductionHere(context, app.model)) {
    const loss = lost.length === 0 ? '' : `; ${l10n.t('this deletes {0}', lost.join(', '))}`
    const prompt = l10n.t('{0} is a production context. Type its name to go on{1}.', context, loss)
    return (await window.showInputBox({ prompt, ignoreFocusOut: true })) === context
  }
  if (lost.length === 0) return true
  const yes = l10n.t('Delete')
  const detail = lost.join('\n')
  return (await window.showWarningMessage(question, { modal: true, detail }, yes)) === yes
}

/** What a prune deletes, one line each. */
function pruneLines(plan: Plan): readonly string[] {
  return planRows(plan)
    .filter(({ mark, readiness }) => mark.word === 'prune' && readiness === 'ready')
    .map(({ label }) => label)
}
