import type { Command } from 'commander'
import type { SyncRequest } from '../../shared/core/guards.ts'
import type { Application, RetryPolicy } from '../../shared/model/application.ts'
import { durationArgument, secondsArgument, wholeNumber } from '../output.ts'
import type { SessionFlags } from '../session-flags.ts'
import { resourceFilter } from './resource-filter.ts'
import type { RevisionFlags } from './revision-flags.ts'

/** A rollout has this time to show whether it works. */
export const DEGRADED_PATIENCE_MS = 5 * 60_000

export type RequestFlags = SessionFlags &
  RevisionFlags & {
    readonly prune?: boolean
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
  }

/** Flags that say what a sync, or its rehearsal, is to do. */
export function addRequestFlags(command: Command): Command {
  return command
    .option('--prune', 'delete what Git no longer has')
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
    .option('--confirm', 'say yes to what asks for it with Prune=confirm, and to --allow-empty')
    .option(
      '--allow-empty',
      'allow a sync that deletes everything; it is asked for once more, or confirmed by --confirm',
    )
}

/** What a sync is asked to do. */
export function requestOf(flags: RequestFlags, { syncPolicy }: Application, dryRun = false): SyncRequest {
  const { timeout } = flags
  const retry = retryOf(flags, syncPolicy.retry)
  return {
    prune: flags.prune === true,
    dryRun,
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
function retryOf(flags: RequestFlags, policy: RetryPolicy | undefined): RetryPolicy | undefined {
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
