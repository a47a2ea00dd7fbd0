import type { Command } from 'commander'
import { PRUNE_CONFIRMED } from '../../shared/core/guards.ts'
import type { StepReadiness } from '../../shared/model/plan.ts'
import { planWords } from '../../shared/view/plan-rows.ts'
import { fullLabel } from '../../shared/view/words.ts'
import { CliError } from '../cli-error.ts'
import { confirm } from '../confirm.ts'
import { failedPass } from '../explain.ts'
import { addProductionFlag, guardProduction, type ProductionFlags } from '../production-guard.ts'
import { say, type ExitCode, type Io, type SetExit } from '../io.ts'
import { addSessionFlags, applicationNamed, withSession, type SessionFlags } from '../session-flags.ts'
import type { Session } from '../../shared/session.ts'
import { stepLine } from './app-sync.ts'

type Flags = SessionFlags &
  ProductionFlags & { readonly cascade: boolean; readonly yes?: boolean; readonly confirm?: boolean }

/** `plumbline app delete NAME`. */
export function appDeleteCommand(app: Command, io: Io, setExit: SetExit): void {
  addProductionFlag(addSessionFlags(app.command('delete <name>')))
    .summary('remove an application from the cluster')
    .description(
      'Deletes every object that the application owns (its tracking id and its inventory both say so) and forgets its records. ' +
        'What its sync options keep stays (Delete=false, and definitions always); where one asks for a confirmation ' +
        '(Delete=confirm, Prune=confirm) nothing is deleted without it. The Application file in Git is yours and stays.',
    )
    .option('--no-cascade', 'leave the objects and only forget the records')
    .option('--confirm', 'say yes to what asks for it with Delete=confirm or Prune=confirm')
    .option('-y, --yes', 'do not ask')
    .addHelpText(
      'after',
      '\nExamples:\n  plumbline app delete guestbook\n  plumbline app delete guestbook --no-cascade --yes',
    )
    .action(async (name: string, flags: Flags) => {
      await withSession(flags, io, async (session) => setExit(await remove(session, name, flags, io)))
    })
}

async function remove(session: Session, name: string, flags: Flags, io: Io): Promise<ExitCode> {
  const application = await applicationNamed(session, name, io)
  const agreed = flags.confirm === true ? { confirmed: true } : {}
  const request = { prune: true, dryRun: true, teardown: true, ...agreed }
  if (flags.cascade) {
    const { plan, snapshot } = await session.sync(application, { request, signal: io.signal })
    if (plan === undefined) throw failedPass(snapshot)
    for (const step of plan.steps)
      say(io, `− ${fullLabel(step.id)}${step.readiness.kind === 'ready' ? '' : `: ${step.readiness.reason}`}`)
    if (plan.steps.length > 0) say(io, `on ${snapshot.context}: ${planWords(plan)}`)
    const asking = plan.steps.filter(({ readiness }) => isAsking(readiness)).length
    if (asking > 0)
      throw new CliError('refused', `${asking} of them ask for a confirmation; nothing was deleted`, 'say --confirm')
  }
  if (flags.yes !== true && !(await confirm(`Delete ${application.name}?`, io)))
    throw new CliError('refused', 'nothing was deleted')
  if (flags.cascade) {
    await guardProduction((await session.clusterOf(application)).context, flags, io)
    const { outcome } = await session.sync(application, { request: { ...request, dryRun: false }, signal: io.signal })
    for (const step of outcome?.steps ?? []) say(io, stepLine(step, io))
    if (outcome?.phase !== 'Succeeded') {
      say(io, `${application.name}: ${outcome?.message ?? 'the deletion did not begin'}; its records stay`)
      return 2
    }
  }
  const store = await session.store(application)
  await store.drop(application.name, { signal: io.signal })
  say(io, `${application.name} is deleted`)
  return 0
}

function isAsking(readiness: StepReadiness): boolean {
  return readiness.kind === 'refused' && readiness.rule === PRUNE_CONFIRMED
}
