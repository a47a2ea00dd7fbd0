import type { Command } from 'commander'
import { timeAgo } from '../../shared/view/time.ts'
import { formatTable } from '../format/table.ts'
import type { Io } from '../io.ts'
import { outputOption, show } from '../output.ts'
import { addSessionFlags, applicationNamed, withSession, type SessionFlags } from '../session-flags.ts'

/** `plumbline app history NAME`. */
export function appHistoryCommand(app: Command, io: Io): void {
  addSessionFlags(app.command('history <name>'))
    .summary('list the syncs of an application')
    .addOption(outputOption())
    .addHelpText('after', '\nExamples:\n  plumbline app history guestbook')
    .action(async (name: string, flags: SessionFlags) => {
      await withSession(flags, io, async (session) => {
        const application = await applicationNamed(session, name, io)
        const store = await session.store(application)
        const history = await store.history(application.name, { signal: io.signal })
        show(io, flags.output, {
          table: (options) =>
            formatTable(
              [
                { header: 'ID', cell: (entry) => String(entry.id), align: 'right' },
                { header: 'REVISION', cell: (entry) => entry.revision.slice(0, 7) },
                { header: 'WHEN', cell: (entry) => timeAgo(entry.deployedAt, Date.now()) },
                { header: 'BY', cell: (entry) => (entry.automated ? 'auto-sync' : entry.initiatedBy) },
              ],
              history,
              options,
            ),
          data: () => history,
          names: () => history.map((entry) => String(entry.id)),
        })
      })
    })
}
