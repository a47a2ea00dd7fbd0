import type { Command } from 'commander'
import type { Application } from '../../shared/model/application.ts'
import type { Session } from '../../shared/session.ts'
import { timeAgo } from '../../shared/view/time.ts'
import { fullLabel } from '../../shared/view/words.ts'
import { CliError } from '../cli-error.ts'
import { formatTable } from '../format/table.ts'
import type { Io } from '../io.ts'
import { outputOption, show, wholeNumber } from '../output.ts'
import { addSessionFlags, applicationNamed, withSession, type SessionFlags } from '../session-flags.ts'

/** `plumbline app history NAME [ID]`. */
export function appHistoryCommand(app: Command, io: Io): void {
  addSessionFlags(app.command('history <name>'))
    .argument('[id]', 'shows what became of each resource in that sync', wholeNumber)
    .summary('list the syncs of an application')
    .addOption(outputOption())
    .addHelpText('after', '\nExamples:\n  plumbline app history guestbook\n  plumbline app history guestbook 3')
    .action(async (name: string, id: number | undefined, flags: SessionFlags) => {
      await withSession(flags, io, async (session) => {
        const application = await applicationNamed(session, name, io)
        if (id === undefined) await list(session, application, flags, io)
        else await results(session, application, id, flags, io)
      })
    })
}

async function list(session: Session, application: Application, flags: SessionFlags, io: Io): Promise<void> {
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
}

async function results(
  session: Session,
  application: Application,
  id: number,
  flags: SessionFlags,
  io: Io,
): Promise<void> {
  const store = await session.store(application)
  const history = await store.history(application.name, { signal: io.signal })
  if (!history.some((entry) => entry.id === id))
    throw new CliError('not-found', `the history of ${application.name} has no entry ${id}`)
  const steps = await store.results(application.name, id, { signal: io.signal })
  show(io, flags.output, {
    table: (options) =>
      formatTable(
        [
          { header: 'PHASE', cell: (step) => step.phase ?? 'Sync' },
          { header: 'RESOURCE', cell: (step) => fullLabel(step.id) },
          { header: 'RESULT', cell: (step) => step.hookPhase ?? step.result },
          { header: 'MESSAGE', cell: (step) => step.message },
        ],
        steps,
        options,
      ),
    data: () => steps,
    names: () => steps.map((step) => fullLabel(step.id)),
  })
}
