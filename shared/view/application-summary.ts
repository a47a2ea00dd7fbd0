import type { ApplicationSummary } from '../model/front.ts'
import type { ApplicationSnapshot } from '../model/status.ts'
import { driftCounts } from './words.ts'

/** What a list shows of a snapshot. */
export function summaryOf(snapshot: ApplicationSnapshot): ApplicationSummary {
  const { application, context, revision, verdict, operation } = snapshot
  const failure = snapshot.failure?.message ?? snapshot.conditions.find(({ type }) => type.endsWith('Error'))?.message
  return {
    name: application.name,
    namespace: application.namespace,
    project: application.project,
    context,
    destinationNamespace: application.destination.namespace,
    sync: snapshot.sync,
    health: snapshot.health,
    counts: driftCounts(snapshot.resources),
    resources: snapshot.resources.length,
    automated: application.syncPolicy.automated?.enabled === true,
    labels: application.labels,
    observedAt: snapshot.observedAt,
    ...(revision === undefined
      ? {}
      : {
          revision: {
            name: revision.name,
            sha: revision.sha,
            subject: revision.subject,
            author: revision.author,
          },
        }),
    ...(verdict === undefined ? {} : { verdict }),
    ...(failure === undefined ? {} : { failure }),
    ...(operation === undefined ? {} : { operation: operation.phase }),
  }
}

/** An application that was found and not compared yet. */
export function unknownSummary(head: Pick<ApplicationSummary, 'name' | 'project' | 'context'>): ApplicationSummary {
  return {
    name: head.name,
    namespace: '',
    project: head.project,
    context: head.context,
    destinationNamespace: '',
    sync: 'Unknown',
    health: { status: 'Unknown' },
    counts: { drifted: 0, missing: 0, extra: 0, unknown: 0 },
    resources: 0,
    automated: false,
    labels: {},
    observedAt: '',
  }
}
