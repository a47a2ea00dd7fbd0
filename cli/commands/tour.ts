import type { Command } from 'commander'
import type { Io } from '../io.ts'
import type { RunCommand } from '../tour/tour.ts'
import { portOf } from './api.ts'

/** `plumbline tour`: what `npm start` runs. */
export function tourCommand(program: Command, run: RunCommand, io: Io): void {
  program
    .command('tour')
    .summary('see everything once, on a repository and a cluster of its own')
    .description(
      'Makes a small Git repository, starts an embedded cluster, and walks from the first sync to drift, healing, a new commit and a prune.',
    )
    .option('--once', 'end after the walk instead of serving on')
    .option('--window', 'open the window on the repository afterwards; in a browser where there is no Electron')
    .option('--port <n>', 'port of the embedded cluster (default: any free one)')
    .addHelpText('after', '\nExamples:\n  plumbline tour\n  plumbline tour --once')
    .action(async (flags: { readonly once?: boolean; readonly window?: boolean; readonly port?: string }) => {
      const { tour } = await import('../tour/tour.ts')
      const { once = false, window = false } = flags
      await tour({ once, window, ...(flags.port === undefined ? {} : { port: portOf(flags.port) }) }, run, io)
    })
}
