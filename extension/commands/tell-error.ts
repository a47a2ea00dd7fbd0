import { l10n, window } from 'vscode'
import type { App } from '../app.ts'

/** Tells a failure, with the way to the whole of it. */
export async function tellError(app: App, message: string): Promise<void> {
  const log = l10n.t('Show Log')
  if ((await window.showErrorMessage(message, log)) === log) app.log.show()
}
