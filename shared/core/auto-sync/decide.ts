import type { Application } from '../../model/application.ts'
import { canonicalJson } from '../../model/json.ts'
import { resourceKey } from '../../model/kubernetes.ts'
import type { Outcome } from '../../model/outcome.ts'
import type { ApplicationSnapshot, ResourceStatus } from '../../model/status.ts'
import type { SyncRequest } from '../guards.ts'
import type { WindowAnswer } from '../windows/windows.ts'

/** What an application does by itself now. */
export type AutoSync =
  | { readonly kind: 'sync'; readonly request: SyncRequest; readonly reason: string }
  /** Later, at this time in milliseconds since 1970. */
  | { readonly kind: 'wait'; readonly until: number; readonly reason: string }
  | { readonly kind: 'idle'; readonly reason: string }

export type AutoSyncInputs = {
  readonly snapshot: ApplicationSnapshot
  /** What the project's windows say now. */
  readonly windows: WindowAnswer
  /** Whether a sync of the application is under way, here or elsewhere. */
  readonly underWay: boolean
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Argo CD `docs/user-guide/skip_reconcile.md`; here a person may still look and sync. */
const SKIP_RECONCILE = 'argocd.argoproj.io/skip-reconcile'

/** Argo CD's numbers (`docs/operator-manual/server-commands/argocd-application-controller.md`): first after 5 s, then 2 s times 3. */
const SELF_HEAL_MS = 5000
const HEAL_BACKOFF_MS = 2000
const HEAL_FACTOR = 3
const HEAL_MOST_MS = 300_000

/**
 * Argo CD's rules (`docs/user-guide/auto_sync.md`): only what is OutOfSync is synced, once for each revision and set of
 * parameters; what failed is not tried again; with selfHeal what a sync has already brought is brought again, after a while;
 * nothing is synced to nothing unless allowEmpty.
 */
export function decideAutoSync({ snapshot, windows, underWay, now }: AutoSyncInputs): AutoSync {
  const { application, sync, resources, operation, revision } = snapshot
  const { automated } = application.syncPolicy
  if (automated === undefined || !automated.enabled) return idle('it is not automated')
  if (application.annotations[SKIP_RECONCILE] === 'true') return idle('its annotation skip-reconcile holds it still')
  if (underWay) return idle('a sync is under way')
  if (sync !== 'OutOfSync' || revision === undefined) return idle(`it is ${sync}`)
  const violation = snapshot.conditions.find(({ type }) => type === 'InvalidSpecError')
  if (violation !== undefined) return idle(violation.message)
  const out = resources.filter((resource) => resource.sync !== 'Synced')
  if (!automated.prune && out.every(({ requiresPruning }) => requiresPruning))
    return idle('only prunes are left, and prune is off')
  if (automated.prune && !automated.allowEmpty && resources.every(({ requiresPruning }) => requiresPruning)) {
    return idle('a sync would delete everything, and allowEmpty is off')
  }
  if (!windows.automatic) {
    const { changesAt: until, reason } = windows
    return until === undefined ? idle(reason) : { kind: 'wait', until, reason }
  }
  const request = requestOf(application)
  const last = attemptAt(operation, application, revision.sha)
  if (last === undefined) return { kind: 'sync', request, reason: `revision ${revision.sha.slice(0, 7)} is new` }
  if (last.phase !== 'Succeeded') return idle(`the sync to this revision has failed: ${last.message}`)
  return automated.selfHeal ? healOf(request, out, last, now) : idle('this revision is synced, and selfHeal is off')
}

function idle(reason: string): AutoSync {
  return { kind: 'idle', reason }
}

function requestOf({ syncPolicy: { automated, retry } }: Application): SyncRequest {
  return {
    prune: automated?.prune === true,
    dryRun: false,
    initiatedBy: { username: '', automated: true },
    ...(automated?.allowEmpty === true ? { allowEmpty: true } : {}),
    ...(retry === undefined ? {} : { retry }),
  }
}

/** The last operation, if it was for this revision and these parameters. */
function attemptAt(operation: Outcome | undefined, application: Application, sha: string): Outcome | undefined {
  if (operation === undefined || operation.revision !== sha) return undefined
  if (operation.sources === undefined) return operation
  const now = canonicalJson(application.sources)
  return canonicalJson(operation.sources) === now ? operation : undefined
}

/** Only what is out of sync is brought again, so that hooks do not run for it; each time later than the time before. */
function healOf(request: SyncRequest, out: readonly ResourceStatus[], last: Outcome, now: number): AutoSync {
  const attempt = (last.healAttempt ?? 0) + 1
  const pause = attempt === 1 ? SELF_HEAL_MS : Math.min(HEAL_BACKOFF_MS * HEAL_FACTOR ** (attempt - 1), HEAL_MOST_MS)
  const until = Date.parse(last.finishedAt) + pause
  if (now < until)
    return { kind: 'wait', until, reason: `self-heal ${attempt} comes ${pause / 1000} s after the last sync` }
  const keys = new Set(out.map(({ id }) => resourceKey(id)))
  const only = (id: ResourceStatus['id']): boolean => keys.has(resourceKey(id))
  return {
    kind: 'sync',
    request: { ...request, only, healAttempt: attempt },
    reason: 'the cluster differs from a revision that was synced',
  }
}
