import type { Command } from 'commander'
import type { SyncRequest } from '../../shared/core/guards.ts'
import { resourceKey } from '../../shared/model/kubernetes.ts'
import type { StepOutcome, SyncEvent } from '../../shared/model/outcome.ts'
import type { Application, RetryPolicy } from '../../shared/model/application.ts'
import type { Session } from '../../shared/session.ts'
import { syncOrGoBack, type GuardedSync } from '../../shared/session/rollback-on-degraded.ts'
import { applicationRow } from '../../shared/view/application-row.ts'
import { effectWords } from '../../shared/view/effect-words.ts'
import { planRows, planWords } from '../../shared/view/plan-rows.ts'
import { duration } from '../../shared/view/time.ts'
import { fullLabel } from '../../shared/view/words.ts'
import { failedPass } from '../explain.ts'
import { paintFor } from '../format/colour.ts'
import { startProgress, type Progress, type ProgressState } from '../format/progress.ts'
import { planTable } from '../format/tables.ts'
import { say, type ExitCode, type Io, type SetExit } from '../io.ts'
import { durationArgument, outputOption, secondsArgument, show, wholeNumber } from '../output.ts'
import { addSessionFlags, applicationNamed, withSession, type SessionFlags } from '../session-flags.ts'
import { showApplication } from './app-get.ts'
import { resourceFilter } from './resource-filter.ts'
import { addRevisionFlags, revisionOf, type RevisionFlags } from './revision-flags.ts'

type Flags = SessionFlags &
  RevisionFlags & {
    readonly prune?: boolean
    readonly dryRun?: boolean
    readonly resource?: readonly string[]
    readonly force?: boolean
    readonly replace?: boolean
    readonly applyOutOfSyncOnly?: boolean
    readonly retryLimit?: number
    readonly retryBackoffDuration?: string
    readonly retryBackoffFactor?: number
    readonly retryBackoffMaxDuration?: string
    readonly retryRefresh?: boolean
    readonly timeout?: number
    readonly confirm?: boolean
    readonly allowEmpty?: boolean
    readonly rollbackOnDegraded?: boolean
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
    .option('--force', 'delete and make anew what the server will not change')
    .option('--replace', 'replace objects whole instead of applying them')
    .option('--apply-out-of-sync-only', 'only what is out of sync; a sync does no more than that in any case')
    .option('--retry-limit <n>', 'try again so often when the sync fails, waiting longer each time', wholeNumber)
    .option('--retry-backoff-duration <time>', 'before the second try (default: 5s)', durationArgument)
    .option('--retry-backoff-factor <n>', 'each time so many times longer (default: 2)', wholeNumber)
    .option('--retry-backoff-max-duration <time>', 'never longer than this (default: 3m)', durationArgument)
    .option('--retry-refresh', 'try again with the newest commit, not with the one that the sync began with')
    .option('--timeout <time>', 'give a wave or a hook this time: 90, 90s, 5m (default: 30m)', secondsArgument)
    .option('--confirm', 'say yes to what asks for it with Prune=confirm')
    .option('--rollback-on-degraded', 'go back to the last healthy revision when the application comes out degraded')
    .option('--allow-empty', 'say yes to a sync that deletes everything')
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

function requestOf(flags: Flags, { syncPolicy }: Application): SyncRequest {
  const { timeout } = flags
  const retry = retryOf(flags, syncPolicy.retry)
  return {
    prune: flags.prune === true,
    dryRun: flags.dryRun === true,
    ...(flags.resource === undefined ? {} : { only: resourceFilter(flags.resource) }),
    ...(flags.force === true ? { force: true } : {}),
    ...(flags.replace === true ? { replace: true } : {}),
    ...(flags.confirm === true ? { confirmed: true } : {}),
    ...(flags.allowEmpty === true ? { allowEmpty: true } : {}),
    ...(timeout === undefined ? {} : { deadlineMs: timeout }),
    ...(retry === undefined ? {} : { retry }),
  }
}

/** As argocd has it: without a limit a sync is not tried again; what is not said is as the application has it. */
function retryOf(flags: Flags, policy: RetryPolicy | undefined): RetryPolicy | undefined {
  const { retryLimit, retryBackoffDuration, retryBackoffFactor, retryBackoffMaxDuration, retryRefresh } = flags
  if (retryLimit === undefined) return undefined
  const { duration, factor, maxDuration } = policy?.backoff ?? { duration: '5s', factor: 2, maxDuration: '3m' }
  return {
    limit: retryLimit,
    refresh: retryRefresh ?? policy?.refresh ?? false,
    backoff: {
      duration: retryBackoffDuration ?? duration,
      factor: retryBackoffFactor ?? factor,
      maxDuration: retryBackoffMaxDuration ?? maxDuration,
    },
  }
}

async function dryRun(session: Session, application: Application, flags: Flags, io: Io): Promise<ExitCode> {
  const pass = await session.sync(application, {
    ...revisionOf(flags),
    request: requestOf(flags, application),
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
  const progress = startProgress(io.stderr, Date.now)
  const told = new Set<string>()
  const tell = teller(progress, io)
  const options = {
    ...revisionOf(flags),
    request: requestOf(flags, application),
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

/** A rollout has this time to show whether it works. */
const DEGRADED_PATIENCE_MS = 5 * 60_000

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
