import type { Pass } from '../core/status.ts'
import { sleep } from '../base/abort.ts'
import type { Application } from '../model/application.ts'
import type { ClockPort } from '../model/ports.ts'
import type { HistoryEntry } from '../model/status.ts'
import type { Session, SyncOptions } from '../session.ts'
import { rollback } from './rollback.ts'

export type GuardedSync = {
  readonly pass: Pass
  /** What was gone back to, where the sync ended degraded and an earlier revision had been healthy. */
  readonly rolledBack?: { readonly entry: HistoryEntry; readonly pass: Pass }
}

const POLL_MS = 1000

/** What it takes of a session; a rehearsal gives its own. */
export type SyncDoor = Pick<Session, 'store' | 'sync' | 'look'>

/**
 * A sync that goes back to the last revision that was healthy when the application comes out degraded. Off unless asked for:
 * the cluster is then at another revision than Git.
 * @param patienceMs how long the application may take to become healthy or degraded
 * @throws RollbackError where it is automated, and would be synced forward again
 */
export async function syncOrGoBack(
  session: SyncDoor,
  application: Application,
  options: SyncOptions,
  patienceMs: number,
  wait: ClockPort['sleep'] = sleep,
): Promise<GuardedSync> {
  const store = await session.store(application)
  const cancel = options.signal === undefined ? {} : { signal: options.signal }
  const synced = await session.sync(application, options)
  const { outcome } = synced
  const pass = await settled(session, application, { synced, options, patienceMs, wait })
  const history = await store.history(application.name, cancel)
  const last = history.at(-1)
  const { status } = pass.snapshot.health
  const current =
    last !== undefined && outcome?.phase === 'Succeeded' && last.revision === outcome.revision ? last : undefined
  if (status === 'Healthy' && current !== undefined) await store.markHealthy(application.name, current.id, cancel)
  if (status !== 'Degraded') return { pass }
  const entry = history.findLast((one) => one.healthy === true && one.id !== current?.id)
  if (entry === undefined) return { pass }
  const { report } = options
  const told = report === undefined ? {} : { report }
  const back = { id: entry.id, prune: options.request.prune, dryRun: false, ...cancel, ...told }
  return { pass, rolledBack: await rollback(session, application, back) }
}

/** The application once its health says something, or as it is when time is over. */
async function settled(
  session: SyncDoor,
  application: Application,
  {
    synced,
    options,
    patienceMs,
    wait,
  }: {
    readonly synced: Pass
    readonly options: SyncOptions
    readonly patienceMs: number
    readonly wait: ClockPort['sleep']
  },
): Promise<Pass> {
  const cancel = options.signal === undefined ? {} : { signal: options.signal }
  const look = options.revision === undefined ? cancel : { ...cancel, revision: options.revision }
  let pass = synced
  for (let waited = 0; waited < patienceMs && isUndecided(pass); waited += POLL_MS) {
    await wait(POLL_MS, cancel)
    pass = {
      ...(await session.look(application, look)),
      ...(synced.outcome === undefined ? {} : { outcome: synced.outcome }),
    }
  }
  return pass
}

function isUndecided({ snapshot }: Pass): boolean {
  return snapshot.health.status === 'Progressing' || snapshot.health.status === 'Missing'
}
