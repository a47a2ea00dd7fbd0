import type { ApplicationSummary } from '../model/front.ts'
import type { ApplicationSnapshot } from '../model/status.ts'
import { summaryOf } from './application-summary.ts'
import { HEALTH_MARKS, SYNC_MARKS, verdictMark, type Mark } from './marks.ts'
import { driftWords, shortRevision, type DriftCounts } from './words.ts'

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
  return summaryRow(summaryOf(snapshot))
}

export function summaryRow(summary: ApplicationSummary): ApplicationRow {
  const { name, namespace, project, context, destinationNamespace, revision, verdict, failure, counts } = summary
  const drift = driftWords(counts)
  return {
    name,
    namespace,
    project,
    mark: worstMark(summary),
    sync: SYNC_MARKS[summary.sync],
    health: HEALTH_MARKS[summary.health.status],
    revision: revision === undefined ? '' : shortRevision(revision),
    destination: destinationNamespace === '' ? context : `${context}/${destinationNamespace}`,
    counts,
    drift,
    summary: [summary.sync, summary.health.status, activity(summary), drift].filter((part) => part !== '').join(' · '),
    ...(verdict === undefined ? {} : { verdict: verdictMark(verdict) }),
    ...(failure === undefined ? {} : { failure }),
  }
}

/** What is broken is seen first, then what drifted. */
function worstMark({ sync, health }: ApplicationSummary): Mark {
  if (health.status === 'Degraded') return HEALTH_MARKS.Degraded
  return SYNC_MARKS[sync]
}

function activity({ operation }: ApplicationSummary): string {
  if (operation === 'Running') return 'syncing'
  return operation === 'Terminating' ? 'stopping' : ''
}
