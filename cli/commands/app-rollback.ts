import type { Command } from 'commander'
import type { Pass } from '../../shared/core/status.ts'
import { rollback, RollbackError } from '../../shared/session/rollback.ts'
import { applicationRow } from '../../shared/view/application-row.ts'
import { planRows, planWords } from '../../shared/view/plan-rows.ts'
import { fullLabel } from '../../shared/view/words.ts'
import { CliError } from '../cli-error.ts'
import { startProgress } from '../format/progress.ts'
import { planTable } from '../format/tables.ts'
import { say, type ExitCode, type Io, type SetExit } from '../io.ts'
import { outputOption, show, wholeNumber } from '../output.ts'
import { addProductionFlag, guardProduction, type ProductionFlags } from '../production-guard.ts'
import { addSessionFlags, applicationNamed, withSession, type SessionFlags } from '../session-flags.ts'
import { teller } from './app-sync.ts'

type Flags = SessionFlags & ProductionFlags & { readonly prune?: boolean; readonly dryRun?: boolean }

/** `plumbline app rollback NAME [ID]`. */
export function appRollbackCommand(app: Command, io: Io, setExit: SetExit): void {
  addProductionFlag(addSessionFlags(app.command('rollback <name>')))
    .argument('[id]', 'of `plumbline app history`; the sync before the last when absent', wholeNumber)
    .summary('bring the cluster back to an earlier sync')
    .description('Syncs to the source and revision of an earlier sync. Hooks do not run. Git is not touched.')
    .option('--prune', 'delete what the earlier revision does not have')
    .option('--dry-run', 'show the plan and do nothing')
    .addOption(outputOption())
    .addHelpText(
      'after',
      '\nExamples:\n  plumbline app rollback guestbook\n  plumbline app rollback guestbook 3 --prune',
    )
    .action(async (name: string, id: number | undefined, flags: Flags) => {
      await withSession(flags, io, async (session) => {
        const application = await applicationNamed(session, name, io)
        if (flags.prune === true && flags.dryRun !== true)
          await guardProduction((await session.clusterOf(application)).context, flags, io)
        const progress = startProgress(io.stderr, Date.now)
        const options = { prune: flags.prune === true, dryRun: flags.dryRun === true, signal: io.signal }
        try {
          const asked = { ...options, ...(id === undefined ? {} : { id }), report: teller(progress, io) }
          const { entry, pass } = await rollback(session, application, asked)
          progress.end()
          say(io, `back to ${entry.id}: ${entry.revision.slice(0, 7)} of ${entry.deployedAt}; hooks do not run`)
          setExit(ended(pass, flags, io))
        } catch (error) {
          if (RollbackError.is(error)) throw new CliError('refused', error.message)
          throw error
        } finally {
          progress.end()
        }
      })
    })
}

function ended({ plan, outcome, snapshot }: Pass, flags: Flags, io: Io): ExitCode {
  if (snapshot.failure !== undefined)
    throw new CliError('refused', snapshot.conditions[0]?.message ?? snapshot.failure.message)
  if (flags.dryRun === true && plan !== undefined) {
    show(io, flags.output, {
      table: (options) => planTable(planRows(plan), options),
      data: () => plan,
      names: () => plan.steps.map((step) => fullLabel(step.id)),
    })
    say(io, `a rollback would: ${planWords(plan)}`)
    return 0
  }
  say(io, `${outcome?.message ?? 'nothing to do'} · ${applicationRow(snapshot).summary} · ${snapshot.context}`)
  return outcome?.phase === 'Succeeded' ? 0 : 2
}
