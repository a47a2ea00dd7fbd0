import path from 'node:path'
import type { Command } from 'commander'
import { print, say, type Io } from '../io.ts'
import { portOf } from './api.ts'

type ServeFlags = { readonly port?: string; readonly open?: boolean }

/** `plumbline serve`: the desktop app in a browser. */
export function serveCommand(program: Command, io: Io): void {
  program
    .command('serve')
    .summary('the desktop app in a browser')
    .description(
      'Serves the desktop app to browsers of this machine, for WSL, ssh hosts, containers, and wherever Electron cannot run. It listens on loopback only; the link that it prints lets one browser in, once.',
    )
    .argument('[folder]', 'the repository to open (default: the one that the current folder lies in)')
    .option('--port <n>', 'port to listen on (default: any free one)')
    .option('--open', 'open the link in the default browser')
    .addHelpText('after', SERVE_EXAMPLES)
    .action(async (folder: string | undefined, flags: ServeFlags) => {
      const { startWindowServer } = await import('../serve/start.ts')
      const server = await startWindowServer({
        port: portOf(flags.port),
        env: io.env,
        workspace: path.resolve(io.cwd, folder ?? '.'),
        named: folder !== undefined,
      })
      try {
        print(io, `open ${server.link()}`)
        if (flags.open === true) await (await import('../serve/browser.ts')).openBrowser(server.link(), io)
        await untilInterrupted(io, () => say(io, `open ${server.link()}`))
      } finally {
        await server.close()
      }
    })
}

const SERVE_EXAMPLES = `
Examples:
  plumbline serve --open
  plumbline serve ~/code/infrastructure --port 8440
  ssh -L 8440:127.0.0.1:8440 host plumbline serve --port 8440     # then open the printed link here`

/** Serves on until the interrupt; Enter asks for one more link. */
export async function untilInterrupted(io: Io, onEnter: () => void): Promise<void> {
  if (io.signal.aborted) return
  if (io.stdin.isTTY === true) {
    say(io, 'press Enter for another link, Ctrl-C to end')
    io.stdin.on('data', onEnter)
  }
  await new Promise<void>((resolve) => io.signal.addEventListener('abort', () => resolve(), { once: true }))
  io.stdin.removeListener('data', onEnter)
  io.stdin.pause()
}
