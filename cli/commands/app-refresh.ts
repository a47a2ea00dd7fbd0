import type { Command } from 'commander'
import type { Io } from '../io.ts'
import { outputOption } from '../output.ts'
import { addSessionFlags, applicationNamed, withSession, type SessionFlags } from '../session-flags.ts'
import { showApplication } from './app-get.ts'

/** `plumbline app refresh NAME`. */
export function appRefreshCommand(app: Command, io: Io): void {
  addSessionFlags(app.command('refresh <name>'))
    .summary('compare anew')
    .description(
      'Asks Git and the cluster anew and shows the application. --hard also forgets everything that was remembered.',
    )
    .option('--hard', 'forget rendered manifests and earlier verdicts too')
    .addOption(outputOption())
    .addHelpText('after', '\nExamples:\n  plumbline app refresh guestbook --hard')
    .action(async (name: string, flags: SessionFlags & { readonly hard?: boolean }) => {
      await withSession(flags, io, async (session) => {
        const application = await applicationNamed(session, name, io)
        session.source.expire()
        if (flags.hard === true) await session.forget(application)
        showApplication(await session.look(application, { signal: io.signal }), flags, io)
      })
    })
}
