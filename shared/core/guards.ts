import type { Application, RetryPolicy } from '../model/application.ts'
import type { ResourceId } from '../model/kubernetes.ts'
import type { Initiator, Operation } from '../model/outcome.ts'
import type { Judgement } from '../model/ports.ts'
import type { Plan, StepReadiness } from '../model/plan.ts'
import type { Project } from '../model/project.ts'
import type { DesiredState } from './desired.ts'
import type { Pair } from './pair.ts'
import { resourceViolation } from './project/violations.ts'
import { trackingOf } from './tracking.ts'
import { hasSyncOption, isKept } from './options.ts'
import { definedBy } from './pending.ts'

/** What a sync was asked to do. */
export type SyncRequest = {
  readonly prune: boolean
  readonly dryRun: boolean
  /** Only the objects that it takes; all when absent. */
  readonly only?: (id: ResourceId) => boolean
  /** Brings the application to nothing: everything that it owns is pruned. */
  readonly teardown?: boolean
  /** As the sync options of the same names, for every object and this once. */
  readonly force?: boolean
  readonly replace?: boolean
  /** Says yes to the prunes and deletions that ask for a confirmation. */
  readonly confirmed?: boolean
  /** Says yes to a prune of everything. */
  readonly allowEmpty?: boolean
  /** Milliseconds that a wave or a hook may take; half an hour when absent. */
  readonly deadlineMs?: number
  readonly initiatedBy?: Initiator
  readonly retry?: RetryPolicy
  /** False runs no hooks, as a rollback does. */
  readonly hooks?: boolean
  /** Why a plan may not be carried out; asked once, before the first write. */
  readonly objection?: (plan: Plan, desired: DesiredState) => string | undefined
  /** Which self-heal of one revision this is, from 1. */
  readonly healAttempt?: number
}

export type GuardContext = {
  readonly application: Application
  readonly request: SyncRequest
  readonly judgement: Judgement | undefined
  /** True where Git wants nothing at all. */
  readonly emptyTarget: boolean
  /** Whether Git has objects of a kind, by its key. */
  readonly wants: (kind: string) => boolean
  readonly operation: Operation | undefined
  /** RFC 3339; older approvals have been used. Undefined where a pass only looks. */
  readonly approvedSince: string | undefined
  readonly project: Project | undefined
  /** What the project forbids about the application as a whole, or its windows about now. */
  readonly forbidden: readonly string[]
}

type Refusal = StepReadiness & { readonly kind: 'refused' }
type Guard = (pair: Pair, context: GuardContext) => Refusal | undefined

/** Nothing is applied from a commit that a policy covers and that is not verified (invariant 2). */
const commitIsVerified: Guard = (_, { judgement }) =>
  judgement?.refusal === undefined ? undefined : refused('commit-is-verified', judgement.refusal)

/** The project allows the application, its kinds and its places, and no window of it is in the way. */
const projectAllows: Guard = (pair, { application, project, forbidden }) => {
  const [first] = forbidden
  if (first !== undefined) return refused('project-allows', first)
  // What is already there may go, whatever the project says today.
  if (project === undefined || pair.kind === 'extra') return undefined
  const violation = resourceViolation(application, project, pair.id)
  return violation === undefined ? undefined : refused('project-allows', violation)
}

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

/** Prune speaks for syncs, Delete for the deletion of the application (Argo CD `docs/user-guide/sync-options.md`). */
const pruneUnlessForbidden: Guard = (pair, { application, request }) => {
  const option = request.teardown === true ? 'Delete' : 'Prune'
  return pair.kind === 'extra' && isKept(application, pair.live.object, option)
    ? refused('prune-unless-forbidden', `its sync option ${option}=false forbids it`)
    : undefined
}

/** A definition takes its objects along; those that Git still has would go and could not come again. */
const definitionNotNeeded: Guard = (pair, { wants }) => {
  if (pair.kind !== 'extra' || pair.id.kind !== 'CustomResourceDefinition') return undefined
  const kind = definedBy(pair.live.object)
  return kind !== undefined && wants(kind)
    ? refused('definition-not-needed', 'Git no longer has the definition, but still has objects of its kind')
    : undefined
}

/** Their deletion would take every custom resource along, whoever made it (Argo CD `controller/appcontroller.go`, shouldBeDeleted). */
const deletionKeepsDefinitions: Guard = (pair, { request }) =>
  pair.kind === 'extra' && request.teardown === true && pair.id.kind === 'CustomResourceDefinition'
    ? refused(
        'deletion-keeps-definitions',
        'a definition outlives the application, for the sake of its custom resources',
      )
    : undefined

/** The rule of what waits for a person's yes. */
export const PRUNE_CONFIRMED = 'prune-confirmed'
const DELETION_APPROVED = 'argocd.argoproj.io/deletion-approved'

/**
 * Approved by the person now, or by the application's annotation with a time after the last sync, which asked for it. Argo
 * CD's sync waits for the annotation; this one ends, and the next one sees it.
 */
const pruneConfirmed: Guard = (pair, { application, request, approvedSince }) => {
  if (pair.kind !== 'extra' || request.confirmed === true) return undefined
  // Whoever wants to be asked before a prune wants it before a deletion too.
  const options = request.teardown === true ? (['Delete', 'Prune'] as const) : (['Prune'] as const)
  const option = options.find((name) => hasSyncOption(application, pair.live.object, name, 'confirm'))
  if (option === undefined) return undefined
  const approved = Date.parse(application.annotations[DELETION_APPROVED] ?? '')
  if (approvedSince !== undefined && approved >= Date.parse(approvedSince)) return undefined
  return refused(PRUNE_CONFIRMED, `its sync option ${option}=confirm asks for a confirmation`)
}

/** A target that became empty is more often a mistake than a wish (Argo CD `auto_sync.md`, allowEmpty). */
const pruneNotAll: Guard = (pair, { application, emptyTarget, request }) =>
  pair.kind === 'extra' &&
  emptyTarget &&
  request.teardown !== true &&
  request.allowEmpty !== true &&
  // The policy speaks for syncs that nobody asks for; a person says it each time.
  (application.syncPolicy.automated?.allowEmpty !== true || request.initiatedBy?.automated === false)
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
  projectAllows,
  pruneOnRequest,
  pruneOnlyOwned,
  pruneUnlessForbidden,
  deletionKeepsDefinitions,
  definitionNotNeeded,
  pruneConfirmed,
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
