import type { ApplicationSnapshot } from '../model/status.ts'
import { HEALTH_MARKS, SYNC_MARKS, verdictMark, type Mark } from './marks.ts'
import { driftCounts, driftWords, shortRevision, type DriftCounts } from './words.ts'

/** One application in a list. */
export type ApplicationRow = {
  readonly name: string
  readonly namespace: string
  readonly project: string
  /** The mark that stands before the name: what is worst. */
  readonly mark: Mark
  readonly sync: Mark
  readonly health: Mark
  /** `main@3f2c1ab`; empty where no commit was found. */
  readonly revision: string
  /** What the signed-commit checker says, where a policy covers the application. */
  readonly verdict?: Mark & { readonly short: string }
  /** `kind-dev/guest`. */
  readonly destination: string
  readonly counts: DriftCounts
  /** `2 drifted, 1 missing`; empty when all is in sync. */
  readonly drift: string
  /** `OutOfSync · Healthy · 2 drifted, 1 missing`. */
  readonly summary: string
  /** Why the application could not be compared, in one line. */
  readonly failure?: string
}

export function applicationRow(snapshot: ApplicationSnapshot): ApplicationRow {
  const { application, context, revision, verdict } = snapshot
  const { namespace } = application.destination
  const counts = driftCounts(snapshot.resources)
  const drift = driftWords(counts)
  const failure = snapshot.failure?.message ?? snapshot.conditions.find(({ type }) => type.endsWith('Error'))?.message
  return {
    name: application.name,
    namespace: application.namespace,
    project: application.project,
    mark: worstMark(snapshot),
    sync: SYNC_MARKS[snapshot.sync],
    health: HEALTH_MARKS[snapshot.health.status],
    revision: revision === undefined ? '' : shortRevision(revision),
    destination: namespace === '' ? context : `${context}/${namespace}`,
    counts,
    drift,
    summary: [snapshot.sync, snapshot.health.status, activity(snapshot), drift]
      .filter((part) => part !== '')
      .join(' · '),
    ...(verdict === undefined ? {} : { verdict: verdictMark(verdict) }),
    ...(failure === undefined ? {} : { failure }),
  }
}

/** What is broken is seen first, then what drifted. */
function worstMark({ sync, health }: ApplicationSnapshot): Mark {
  if (health.status === 'Degraded') return HEALTH_MARKS.Degraded
  return SYNC_MARKS[sync]
}

function activity({ operation }: ApplicationSnapshot): string {
  if (operation?.phase === 'Running') return 'syncing'
  return operation?.phase === 'Terminating' ? 'stopping' : ''
}
