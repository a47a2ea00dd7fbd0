import { EventEmitter, l10n, ThemeIcon, window, type Pseudoterminal } from 'vscode'
import { isCancelled, sleep } from '../../shared/base/abort.ts'
import { METHODS } from '../../shared/agent/contract.ts'
import type { App } from '../app.ts'
import { plainText } from '../plain-text.ts'
import { podOf } from './target.ts'

const TAIL = 500
const AGAIN_MS = 1500

/** Follows the log of one container in a terminal of its own, until that is closed. */
export async function showPodLogs(app: App, argument?: unknown): Promise<void> {
  const pod = await podOf(argument, app)
  if (pod === undefined) return
  const place = {
    session: app.connection.session,
    application: pod.application,
    namespace: pod.id.namespace,
    pod: pod.id.name,
  }
  const containers = await app.connection.ask(METHODS.containers, place)
  const names = containers.map(({ name, state, restarts }) => ({
    label: name,
    description: restarts === 0 ? state : l10n.t('{0}, restarted {1} times', state, restarts),
  }))
  const picked =
    names.length > 1
      ? await window.showQuickPick(names, { placeHolder: l10n.t('Of which container?') })
      : (names[0] ?? { label: '' })
  if (picked === undefined) return
  const container = picked.label === '' ? {} : { container: picked.label }
  const follow: Follow = async (since, signal) =>
    app.connection.ask(
      METHODS.logs,
      { ...place, ...container, ...(since === undefined ? { tail: TAIL } : { since }) },
      { signal },
    )
  const name = [pod.id.name, picked.label].filter((part) => part !== '').join('/')
  window.createTerminal({ name, pty: logTerminal(name, follow), iconPath: new ThemeIcon('output') }).show()
}

type Follow = (
  since: string | undefined,
  signal: AbortSignal,
) => Promise<readonly { readonly time: string; readonly text: string }[]>

function logTerminal(name: string, follow: Follow): Pseudoterminal {
  const written = new EventEmitter<string>()
  const abort = new AbortController()
  const run = async (): Promise<void> => {
    let since: string | undefined
    let empty = true
    for (;;) {
      const lines = await follow(since, abort.signal)
      for (const { text } of lines) written.fire(`${plainText(text)}\r\n`)
      if (lines.length > 0) empty = false
      else if (empty && since === undefined)
        written.fire(`\u001B[2m${l10n.t('{0} has logged nothing yet', name)}\u001B[0m\r\n`)
      empty = false
      since = lines.at(-1)?.time || since
      if (since === undefined && lines.length > 0) return
      await sleep(AGAIN_MS, { signal: abort.signal })
    }
  }
  return {
    onDidWrite: written.event,
    open: () => {
      run().catch((error: unknown) => {
        if (isCancelled(error)) return
        const message = error instanceof Error ? error.message : String(error)
        written.fire(`\u001B[31m${plainText(message)}\u001B[0m\r\n`)
      })
    },
    close: () => abort.abort(),
  }
}
