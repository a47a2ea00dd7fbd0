import type { Command } from 'commander'
import type { Pass } from '../../shared/core/status.ts'
import { resourceKey, type ResourceId } from '../../shared/model/kubernetes.ts'
import type { StepOutcome, SyncEvent } from '../../shared/model/outcome.ts'
import type { Application } from '../../shared/model/application.ts'
import type { Session } from '../../shared/session.ts'
import { applicationRow } from '../../shared/view/application-row.ts'
import { planRows, planWords } from '../../shared/view/plan-rows.ts'
import { fullLabel } from '../../shared/view/words.ts'
import { failedPass } from '../explain.ts'
import { paintFor } from '../format/colour.ts'
import { startProgress, type Progress } from '../format/progress.ts'
import { planTable } from '../format/tables.ts'
import { say, type ExitCode, type Io } from '../io.ts'
import { outputOption, show } from '../output.ts'
import type { SetExit } from '../program.ts'
import { addSessionFlags, applicationNamed, withSession, type SessionFlags } from '../session-flags.ts'
import { showApplication } from './app-get.ts'
import { resourceFilter } from './resource-filter.ts'
import { addRevisionFlags, revisionOf, type RevisionFlags } from './revision-flags.ts'

type Flags = SessionFlags &
  RevisionFlags & {
    readonly prune?: boolean
    readonly dryRun?: boolean
    readonly resource?: readonly string[]
  }

/** `plumbline app sync NAME`. */
export function appSyncCommand(app: Command, io: Io, setExit: SetExit): void {
  addRevisionFlags(addSessionFlags(app.command('sync <name>')))
    .summary('bring the cluster to what Git wants')
    .description(
      'Applies what differs and nothing else. Each step carries the state that it was planned on, so that what was shown is what is done.',
    )
    .option('--prune', 'delete what Git no longer has')
    .option('--dry-run', 'show the plan and do nothing')
    .option('--resource <[GROUP:]KIND:[NAMESPACE/]NAME...>', 'only these resources')
    .addOption(outputOption())
    .addHelpText(
      'after',
      '\nExamples:\n  plumbline app sync guestbook --dry-run\n  plumbline app sync guestbook --prune\n  plumbline app sync guestbook --resource apps:Deployment:guestbook-ui',
    )
    .action(async (name: string, flags: Flags) => {
      await withSession(flags, io, async (session) => {
        const application = await applicationNamed(session, name, io)
        setExit(
          flags.dryRun === true
            ? await dryRun(session, application, flags, io)
            : await sync(session, application, flags, io),
        )
      })
    })
}

function requestOf(flags: Flags): {
  readonly prune: boolean
  readonly dryRun: boolean
  readonly only?: (id: ResourceId) => boolean
} {
  const only = flags.resource === undefined ? {} : { only: resourceFilter(flags.resource) }
  return { prune: flags.prune === true, dryRun: flags.dryRun === true, ...only }
}

async function dryRun(session: Session, application: Application, flags: Flags, io: Io): Promise<ExitCode> {
  const pass = await session.sync(application, { ...revisionOf(flags), request: requestOf(flags), signal: io.signal })
  const { plan } = pass
  if (plan === undefined) throw failedPass(pass.snapshot)
  show(io, flags.output, {
    table: (options) => planTable(planRows(plan), options),
    data: () => plan,
    names: () => plan.steps.map((step) => fullLabel(step.id)),
  })
  say(
    io,
    plan.steps.length === 0
      ? `${application.name} is in sync; a sync would do nothing`
      : `a sync would: ${planWords(plan)}`,
  )
  return plan.steps.some((step) => step.readiness.kind === 'refused' && step.action !== 'prune') ? 2 : 0
}

async function sync(session: Session, application: Application, flags: Flags, io: Io): Promise<ExitCode> {
  const progress = startProgress(io.stderr, Date.now)
  const told = new Set<string>()
  let pass: Pass
  try {
    pass = await session.sync(application, {
      ...revisionOf(flags),
      request: requestOf(flags),
      signal: io.signal,
      report: (event) => {
        if (event.kind === 'step-ended') told.add(resourceKey(event.outcome.id))
        tell(event, progress, io)
      },
    })
  } finally {
    progress.end()
  }
  const { snapshot, outcome } = pass
  if (flags.output !== 'table') showApplication(pass, flags, io)
  if (snapshot.failure !== undefined) throw failedPass(snapshot)
  // Steps that were refused before the first write never started, and are told of here.
  for (const step of outcome?.steps ?? []) if (!told.has(resourceKey(step.id))) progress.line(stepLine(step, io))
  say(
    io,
    `${application.name}: ${outcome?.message ?? 'nothing to do'} · ${applicationRow(snapshot).summary} · ${snapshot.context}`,
  )
  return outcome?.phase === 'Succeeded' ? 0 : 2
}

function tell(event: SyncEvent, progress: Progress, io: Io): void {
  switch (event.kind) {
    case 'step-ended':
      progress.line(stepLine(event.outcome, io))
      progress.update({ done: event.done, total: event.total })
      return
    case 'planned':
      progress.update({ done: 0, total: event.total })
      return
    case 'waiting':
      progress.update({ done: 0, total: 0, waiting: event.reason })
      return
    case 'retrying':
      progress.line(`attempt ${event.attempt} failed: ${event.reason}; the next in ${event.afterMs / 1000} s`)
      return
    case 'step-started':
    case 'ended':
  }
}

/** `✓ Deployment guest/guestbook-ui configured`. */
export function stepLine({ id, result, message }: StepOutcome, io: Io): string {
  const paint = paintFor(io.stderr, io.env)
  const good = result === 'Synced' || result === 'Pruned'
  const glyph = good ? paint('green', '✓') : result === 'PruneSkipped' ? paint('yellow', '−') : paint('red', '✗')
  return `${glyph} ${fullLabel(id)} ${result === 'PruneSkipped' ? `not pruned: ${message}` : message}`
}
