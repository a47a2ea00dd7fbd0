import type { Application, ApplicationSource } from '../model/application.ts'
import type { SyncEvent } from '../model/outcome.ts'
import type { Cancellable } from '../model/ports.ts'
import type { HistoryEntry } from '../model/status.ts'
import type { Pass } from '../core/status.ts'
import type { Session } from '../session.ts'

export type RollbackErrorReason = 'automated' | 'no-history' | 'no-entry' | 'worktree'

/** Why an application cannot go back. */
export class RollbackError extends Error {
  readonly reason: RollbackErrorReason

  constructor(reason: RollbackErrorReason, message: string) {
    super(message)
    this.name = 'RollbackError'
    this.reason = reason
  }

  static is(error: unknown, reason?: RollbackErrorReason): error is RollbackError {
    return error instanceof RollbackError && (reason === undefined || error.reason === reason)
  }
}

export type RollbackOptions = Cancellable & {
  /** Of the history; the one before the last when absent. */
  readonly id?: number
  readonly prune: boolean
  readonly dryRun: boolean
  readonly report?: (event: SyncEvent) => void
}

/**
 * Syncs to what an entry of the history was: its sources at its revisions. Hooks do not run, as in Argo CD
 * (`server/application/application.go`, Rollback).
 * @throws RollbackError
 */
export async function rollback(
  session: Pick<Session, 'store' | 'sync'>,
  application: Application,
  { id, prune, dryRun, ...rest }: RollbackOptions,
): Promise<{ readonly entry: HistoryEntry; readonly pass: Pass }> {
  if (application.syncPolicy.automated?.enabled === true) {
    throw new RollbackError(
      'automated',
      'syncPolicy.automated would sync it forward again; take it out first, or revert the commit in Git',
    )
  }
  const store = await session.store(application)
  const entry = entryOf(
    await store.history(application.name, rest.signal === undefined ? {} : { signal: rest.signal }),
    id,
  )
  const pass = await session.sync(then(application, entry), { ...rest, request: { prune, dryRun, hooks: false } })
  return { entry, pass }
}

function entryOf(history: readonly HistoryEntry[], id: number | undefined): HistoryEntry {
  const entry = id === undefined ? history.at(-2) : history.find((each) => each.id === id)
  if (entry !== undefined) return entry
  if (id === undefined) throw new RollbackError('no-history', 'there is no earlier sync to go back to')
  const known = history.map((each) => each.id).join(', ')
  throw new RollbackError('no-entry', `the history has no entry ${id}; there are: ${known || 'none'}`)
}

/** The application as it was. @throws RollbackError where it was synced from files on disk */
function then(application: Application, { id, sources, revisions, revision }: HistoryEntry): Application {
  const recorded = sources === undefined ? application.sources : (sources as unknown as readonly ApplicationSource[])
  const at = revisions ?? [revision]
  if (at.includes('WORKTREE'))
    throw new RollbackError('worktree', `entry ${id} was synced from files on disk, which no commit has`)
  return {
    ...application,
    sources: recorded.map((source, index) => ({ ...source, targetRevision: at[index] ?? revision })),
  }
}
