import type { Application } from '../model/application.ts'
import type { ResourceId } from '../model/kubernetes.ts'
import type { Judgement } from '../model/ports.ts'
import type { StepReadiness } from '../model/plan.ts'
import type { Pair } from './pair.ts'
import { trackingOf } from './tracking.ts'
import { hasSyncOption } from './options.ts'

/** What a sync was asked to do. */
export type SyncRequest = {
  readonly prune: boolean
  readonly dryRun: boolean
  /** Only the objects that it takes; all when absent. */
  readonly only?: (id: ResourceId) => boolean
  /** Brings the application to nothing: everything that it owns is pruned. */
  readonly teardown?: boolean
}

export type GuardContext = {
  readonly application: Application
  readonly request: SyncRequest
  readonly judgement: Judgement | undefined
  /** True where Git wants nothing at all. */
  readonly emptyTarget: boolean
}

type Refusal = StepReadiness & { readonly kind: 'refused' }
type Guard = (pair: Pair, context: GuardContext) => Refusal | undefined

/** Nothing is applied from a commit that a policy covers and that is not verified (invariant 2). */
const commitIsVerified: Guard = (_, { judgement }) =>
  judgement?.refusal === undefined ? undefined : refused('commit-is-verified', judgement.refusal)

/** Nothing is deleted that tracking id and inventory do not both give to this application (invariant 3). */
const pruneOnlyOwned: Guard = (pair) =>
  pair.kind !== 'extra' || pair.owned
    ? undefined
    : refused(
        'prune-only-owned',
        'it carries the tracking id, but no sync from here recorded it as made by the application',
      )

const pruneOnRequest: Guard = (pair, { request }) =>
  pair.kind !== 'extra' || request.prune ? undefined : refused('prune-on-request', 'a sync without prune leaves it')

const pruneUnlessForbidden: Guard = (pair, { application }) =>
  pair.kind === 'extra' && hasSyncOption(application, pair.live.object, 'Prune', 'false')
    ? refused('prune-unless-forbidden', 'its sync option Prune=false forbids it')
    : undefined

/** A target that became empty is more often a mistake than a wish (Argo CD `auto_sync.md`, allowEmpty). */
const pruneNotAll: Guard = (pair, { application, emptyTarget, request }) =>
  pair.kind === 'extra' &&
  emptyTarget &&
  request.teardown !== true &&
  application.syncPolicy.automated?.allowEmpty !== true
    ? refused('prune-not-all', 'Git wants nothing at all and syncPolicy.automated.allowEmpty is not set')
    : undefined

/** An object that another application tracks is not taken from it. */
const sharedWithNobody: Guard = (pair, { application }) => {
  if (pair.kind !== 'both' || !hasSyncOption(application, pair.live.object, 'FailOnSharedResource', 'true'))
    return undefined
  const tracking = trackingOf(pair.live.object, pair.id)
  return tracking === undefined || tracking.application === application.name
    ? undefined
    : refused('shared-with-nobody', `it belongs to the application ${tracking.application}`)
}

/** Every rule that can keep a step from running; the first that speaks is told. */
const GUARDS: readonly Guard[] = [
  commitIsVerified,
  pruneOnRequest,
  pruneOnlyOwned,
  pruneUnlessForbidden,
  pruneNotAll,
  sharedWithNobody,
]

export function guard(pair: Pair, context: GuardContext): StepReadiness {
  for (const rule of GUARDS) {
    const refusal = rule(pair, context)
    if (refusal !== undefined) return refusal
  }
  return { kind: 'ready' }
}

function refused(rule: string, reason: string): Refusal {
  return { kind: 'refused', rule, reason }
}
