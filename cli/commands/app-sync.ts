import type { Command } from 'commander'
import type { SyncRequest } from '../../shared/core/guards.ts'
import { resourceKey } from '../../shared/model/kubernetes.ts'
import type { StepOutcome, SyncEvent } from '../../shared/model/outcome.ts'
import type { Application } from '../../shared/model/application.ts'
import type { Session } from '../../shared/session.ts'
import { syncOrGoBack, type GuardedSync } from '../../shared/session/rollback-on-degraded.ts'
import { applicationRow } from '../../shared/view/application-row.ts'
import { effectWords } from '../../shared/view/effect-words.ts'
import { planRows, planWords } from '../../shared/view/plan-rows.ts'
import { rehearsalSummary } from '../../shared/view/rehearsal-words.ts'
import { duration } from '../../shared/view/time.ts'
import { fullLabel } from '../../shared/view/words.ts'
import { failedPass } from '../explain.ts'
import { paintFor } from '../format/colour.ts'
import { startProgress, type Progress, type ProgressState } from '../format/progress.ts'
import { planTable } from '../format/tables.ts'
import { say, type ExitCode, type Io, type SetExit } from '../io.ts'
import { outputOption, show } from '../output.ts'
import { addProductionFlag, guardProduction, type ProductionFlags } from '../production-guard.ts'
import { addSessionFlags, applicationNamed, withSession, type SessionFlags } from '../session-flags.ts'
import { agreeToNothing } from './agree-to-nothing.ts'
import { showApplication } from './app-get.ts'
import { addRevisionFlags, revisionOf, type RevisionFlags } from './revision-flags.ts'
import { addRequestFlags, DEGRADED_PATIENCE_MS, requestOf, type RequestFlags } from './sync-request-flags.ts'

type Flags = SessionFlags &
  RevisionFlags &
  ProductionFlags &
  RequestFlags & {
    readonly dryRun?: boolean
    readonly rollbackOnDegraded?: boolean
    readonly requireRehearsal?: boolean
  }

/** `plumbline app sync NAME`. */
export function appSyncCommand(app: Command, io: Io, setExit: SetExit): void {
  addProductionFlag(addRequestFlags(addRevisionFlags(addSessionFlags(app.command('sync <name>')))))
    .summary('bring the cluster to what Git wants')
    .description(
      'Applies what differs and nothing else. Each step carries the state that it was planned on, so that what was shown is what is done.',
    )
    .option('--dry-run', 'show the plan and do nothing')
    .option('--require-rehearsal', 'only when a rehearsal of exactly this plan has passed')
    .option('--rollback-on-degraded', 'go back to the last healthy revision when the application comes out degraded')
    .addOption(outputOption())
    .addHelpText(
      'after',
      '\nExamples:\n  plumbline app sync guestbook --dry-run\n  plumbline app sync guestbook --prune\n  plumbline app sync guestbook --require-rehearsal\n  plumbline app sync guestbook --resource apps:Deployment:guestbook-ui',
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

async function dryRun(session: Session, application: Application, flags: Flags, io: Io): Promise<ExitCode> {
  const pass = await session.sync(application, {
    ...revisionOf(flags),
    request: requestOf(flags, application, true),
    signal: io.signal,
  })
  const { plan } = pass
  if (plan === undefined) throw failedPass(pass.snapshot)
  show(io, flags.output, {
    table: (options) => planTable(planRows(plan), options),
    data: () => plan,
    names: () => plan.steps.map((step) => fullLabel(step.id)),
  })
  for (const step of plan.steps) {
    for (const effect of step.effects) say(io, `${fullLabel(step.id)}: ${effectWords(effect)}`)
  }
  say(
    io,
    plan.steps.length === 0
      ? `${application.name} is in sync; a sync would do nothing`
      : `a sync would: ${planWords(plan)}`,
  )
  return plan.steps.some((step) => step.readiness.kind === 'refused' && step.action !== 'prune') ? 2 : 0
}

async function sync(session: Session, application: Application, flags: Flags, io: Io): Promise<ExitCode> {
  const request = await allowedRequest(session, application, flags, io)
  await agreeToNothing(session, application, flags, io)
  if (flags.prune === true) await guardProduction((await session.clusterOf(application)).context, flags, io)
  const progress = startProgress(io.stderr, Date.now)
  const told = new Set<string>()
  const tell = teller(progress, io)
  const options = {
    ...revisionOf(flags),
    request,
    signal: io.signal,
    report: (event: SyncEvent) => {
      if (event.kind === 'step-ended') told.add(resourceKey(event.outcome.id))
      tell(event)
    },
  }
  let done: GuardedSync
  try {
    done =
      flags.rollbackOnDegraded === true
        ? await syncOrGoBack(session, application, options, flags.timeout ?? DEGRADED_PATIENCE_MS)
        : { pass: await session.sync(application, options) }
  } finally {
    progress.end()
  }
  const { pass, rolledBack } = done
  const { snapshot, outcome } = pass
  if (flags.output !== 'table') showApplication(pass, flags, io)
  if (snapshot.failure !== undefined) throw failedPass(snapshot)
  // Steps that were refused before the first write never started, and are told of here.
  for (const step of outcome?.steps ?? []) if (!told.has(resourceKey(step.id))) progress.line(stepLine(step, io))
  say(
    io,
    `${application.name}: ${outcome?.message ?? 'nothing to do'} · ${applicationRow(snapshot).summary} · ${snapshot.context}`,
  )
  if (rolledBack !== undefined) {
    const { entry, pass: back } = rolledBack
    say(io, `it came out degraded; back to ${entry.id} (${entry.revision.slice(0, 7)}): ${back.outcome?.message ?? ''}`)
    return 2
  }
  return outcome?.phase === 'Succeeded' ? 0 : 2
}

/** What is asked for, once a rehearsal allows it where one is needed. */
async function allowedRequest(session: Session, application: Application, flags: Flags, io: Io): Promise<SyncRequest> {
  const request = requestOf(flags, application)
  if (flags.requireRehearsal !== true) return request
  const options = { ...revisionOf(flags), request, signal: io.signal }
  const { rehearsedRequest } = await import('../../shared/session/rehearse.ts')
  const { request: pinned, approval } = await rehearsedRequest(session, application, options)
  say(io, `rehearsed at ${approval.rehearsal.rehearsedAt}: ${rehearsalSummary(approval.rehearsal)}`)
  return pinned
}

/** Tells a person what a running sync reports. */
export function teller(progress: Progress, io: Io): (event: SyncEvent) => void {
  let state: ProgressState = { done: 0, total: 0 }
  const update = (change: Partial<ProgressState>): void => {
    state = { ...state, waiting: '', ...change }
    progress.update(state)
  }
  return (event) => {
    switch (event.kind) {
      case 'step-ended':
        progress.line(stepLine(event.outcome, io))
        update({ done: event.done, total: event.total, wave: event.wave, waves: event.waves })
        return
      case 'planned':
        update({ total: event.total, wave: event.wave, waves: event.waves })
        return
      case 'waiting':
        update({ waiting: event.reason, wave: event.wave, waves: event.waves })
        return
      case 'retrying':
        progress.line(`${event.reason}; the next try comes in ${duration(event.afterMs)}`)
        return
      case 'step-started':
      case 'ended':
    }
  }
}

/** `✓ Deployment guest/guestbook-ui configured`. */
export function stepLine({ id, result, message }: StepOutcome, io: Io): string {
  const paint = paintFor(io.stderr, io.env)
  const good = result === 'Synced' || result === 'Pruned'
  const glyph = good ? paint('green', '✓') : result === 'PruneSkipped' ? paint('yellow', '−') : paint('red', '✗')
  return `${glyph} ${fullLabel(id)} ${result === 'PruneSkipped' ? `not pruned: ${message}` : message}`
}
