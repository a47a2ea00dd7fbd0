import { l10n, window } from 'vscode'
import { METHODS } from '../../shared/agent/contract.ts'
import { fullLabel } from '../../shared/view/words.ts'
import type { App } from '../app.ts'
import { confirmLoss } from './confirm.ts'
import { withProgress } from './run-operation.ts'
import { applicationOf, liveObjectOf, objectOf } from './target.ts'
import { signalOf } from '../signal.ts'

/** Asks whoever syncs the application, here or elsewhere, to end it. What was applied stays. */
export async function terminate(app: App, argument?: unknown): Promise<void> {
  const application = await applicationOf(argument, app, l10n.t('Whose sync is to be terminated?'))
  if (application === undefined) return
  const asked = await app.connection.ask(METHODS.terminate, { session: app.connection.session, application })
  const words = asked
    ? l10n.t('{0}: the sync is asked to end', application)
    : l10n.t('{0}: no sync is under way', application)
  window.setStatusBarMessage(`$(debug-stop) ${words}`, 6000)
}

/** Deletes one object from the cluster, the very one that was seen. What Git has comes back with the next sync. */
export async function deleteResource(app: App, argument?: unknown): Promise<void> {
  const target = await liveObjectOf(argument, app, l10n.t('Which object is to be deleted from the cluster?'))
  const object = target === undefined ? undefined : objectOf(target, app)
  if (target === undefined || object === undefined) return
  const { application } = target
  const label = fullLabel(object.id)
  const { context } = app.model.application(application)?.head ?? app.model
  if (!(await confirmLoss(app, [label], context, l10n.t('Delete from {0}?', context)))) return
  const params = { session: app.connection.session, application, id: object.id }
  const done = await withProgress(l10n.t('Deleting {0}', label), async (token) => {
    await app.connection.ask(METHODS.deleteResource, params, signalOf(token))
    return true
  })
  if (done === true) window.setStatusBarMessage(`$(trash) ${l10n.t('{0} is deleted', label)}`, 6000)
}
