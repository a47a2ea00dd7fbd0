import type { Command } from 'commander'
import { say, type Io, type SetExit } from '../io.ts'
import { addSessionFlags, applicationNamed, withSession, type SessionFlags } from '../session-flags.ts'

/** `plumbline app terminate-op NAME`. */
export function appTerminateCommand(app: Command, io: Io, setExit: SetExit): void {
  addSessionFlags(app.command('terminate-op <name>'))
    .summary('end the sync that is under way')
    .description(
      'Asks whoever syncs the application, here or on another machine, to end it: running hooks are deleted, what was applied stays.',
    )
    .addHelpText('after', '\nExamples:\n  plumbline app terminate-op guestbook')
    .action(async (name: string, flags: SessionFlags) => {
      await withSession(flags, io, async (session) => {
        const application = await applicationNamed(session, name, io)
        const store = await session.store(application)
        const asked = await store.terminate(application.name, { signal: io.signal })
        say(io, asked ? `${application.name}: the sync is asked to end` : `${application.name}: no sync is under way`)
        setExit(asked ? 0 : 2)
      })
    })
}
