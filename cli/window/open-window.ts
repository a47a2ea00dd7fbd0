import { run } from '../../shared/base/process.ts'
import { untilInterrupted } from '../commands/serve.ts'
import { say, type Io } from '../io.ts'
import { hasBrowser, openBrowser } from '../serve/browser.ts'
import { startWindowServer } from '../serve/start.ts'
import { findElectron, type ElectronFinding } from './electron-binary.ts'
import { offerElectron } from './fetch-electron.ts'

export type WindowOptions = {
  readonly workspace: string
  /** The environment of the window and of its agent: whose state and which contexts they see. */
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Opens the window in Electron, else in a browser, and stays until it is interrupted. Says in one line which it is, and why. */
export async function openWindow(options: WindowOptions, io: Io): Promise<void> {
  const reason = await openElectron(options, io)
  if (reason === undefined || io.signal.aborted) return
  const { workspace, env } = options
  const server = await startWindowServer({ port: 0, env, workspace, named: true })
  try {
    const link = server.link()
    say(io, `\n${reason}, so the window is served to your browser: ${link}`)
    if (io.stdin.isTTY === true && hasBrowser(io)) await openBrowser(link, io)
    await untilInterrupted(io, () => say(io, server.link()))
  } finally {
    await server.close()
  }
}

/** @returns why the window is not in Electron; undefined where it was, and was closed */
async function openElectron({ workspace, env }: WindowOptions, io: Io): Promise<string | undefined> {
  let found = findElectron(env)
  if (found.kind === 'missing' && found.fetch !== undefined) {
    const problem = await offerElectron(found.fetch, io)
    if (problem !== undefined) return problem
    found = findElectron(env)
  }
  if (found.kind !== 'found') return whyNot(found)
  say(io, '\nThe window opens; the cluster serves on after it until you press Ctrl-C here.')
  const end = await run(found.program, [found.app, workspace], { env: { ...env }, signal: io.signal })
  if (end.kind === 'cancelled') return undefined
  if (end.kind === 'exited' && end.code === 0) {
    await untilInterrupted(io, () => undefined)
    return undefined
  }
  const words = end.kind === 'exited' ? end.stderr.trim().split('\n')[0] : ''
  return words ? `Electron could not open it (${words})` : 'Electron could not open it'
}

function whyNot(found: Exclude<ElectronFinding, { readonly kind: 'found' }>): string {
  return found.kind === 'no-display' ? 'There is no display here' : 'Electron is not here'
}
