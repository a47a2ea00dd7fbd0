import type { ObjectDrift } from '../model/drift.ts'
import { resourceKey, type ResourceId } from '../model/kubernetes.ts'
import type { Origin } from '../model/manifest.ts'
import type { ApplicationSnapshot, ResourceStatus } from '../model/status.ts'
import { DRIFT_MARKS, HEALTH_MARKS, SYNC_MARKS, type Mark } from './marks.ts'
import { countOf, objectLabel } from './words.ts'

/** One managed object in a list. */
export type ResourceRow = {
  readonly key: string
  readonly id: ResourceId
  readonly version: string
  /** `Deployment guestbook-ui`. */
  readonly label: string
  readonly mark: Mark
  readonly sync: Mark
  /** Absent where health means nothing for the kind. */
  readonly health?: Mark
  readonly healthMessage: string
  /** `2 fields · kubectl-scale, hand`, or what a sync would do, or why it is not known. */
  readonly detail: string
  readonly origin?: Origin
}

export function resourceRows(snapshot: ApplicationSnapshot): readonly ResourceRow[] {
  return snapshot.resources.map(resourceRow)
}

export function resourceRow(resource: ResourceStatus): ResourceRow {
  const { id, version, sync, health, drift } = resource
  return {
    key: resourceKey(id),
    id,
    version,
    label: objectLabel(id),
    mark: DRIFT_MARKS[drift.state],
    sync: SYNC_MARKS[sync],
    healthMessage: health?.message ?? '',
    detail: driftDetail(drift) || healthDetail(resource),
    ...(health === undefined ? {} : { health: HEALTH_MARKS[health.status] }),
    ...(drift.origin === undefined ? {} : { origin: drift.origin }),
  }
}

function driftDetail(drift: ObjectDrift): string {
  switch (drift.state) {
    case 'synced':
      return ''
    case 'changed': {
      const people = [...new Set(drift.fields.flatMap(({ blame }) => (blame === undefined ? [] : [blame.manager])))]
      const fields = countOf(drift.fields.length, 'field')
      return people.length === 0 ? fields : `${fields} · ${people.join(', ')}`
    }
    case 'missing':
      if (drift.going === true) return 'Being deleted, a sync creates it again'
      return drift.failure === undefined ? 'Missing, a sync creates it' : `Missing, ${drift.failure.message}`
    case 'extra':
      return 'Extra, a sync with prune deletes it'
    case 'unknown':
      return drift.failure?.message ?? 'its state could not be found out'
  }
}

/** A healthy object has nothing to add. */
function healthDetail({ health }: ResourceStatus): string {
  return health === undefined || health.status === 'Healthy' ? '' : (health.message ?? '')
}
