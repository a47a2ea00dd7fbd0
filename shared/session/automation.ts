import { decideAutoSync, type AutoSync } from '../core/auto-sync/decide.ts'
import { projectOf } from '../core/read-project.ts'
import type { Pass } from '../core/status.ts'
import { windowsSay } from '../core/windows/windows.ts'
import type { KubeObject } from '../model/kubernetes.ts'
import type { ApplicationSnapshot } from '../model/status.ts'
import type { Session, SyncOptions } from '../session.ts'
import { isArgoCdAtWork } from './argo-cd.ts'

/** What an application would do by itself now, under the project that is written beside it. */
function autoSyncOf(snapshot: ApplicationSnapshot, projects: ReadonlyMap<string, KubeObject>, now: number): AutoSync {
  const { application, operation } = snapshot
  const project = projectOf(application.project, projects)
  if (project === undefined) return { kind: 'idle', reason: `there is no project ${application.project}` }
  const underWay = operation?.phase === 'Running' || operation?.phase === 'Terminating'
  return decideAutoSync({ snapshot, windows: windowsSay(application, project, now), underWay, now })
}

/** After this another sync may have ended. */
const BUSY_MS = 5000

/** How a sync runs that no person asks for. */
export type Unasked = Omit<SyncOptions, 'request'>

/**
 * Syncs an application by itself where that is due, and no Argo CD does it.
 * @returns the pass of the sync, and in how many milliseconds it may be due
 */
export async function syncByItself(
  session: Session,
  snapshot: ApplicationSnapshot,
  projects: ReadonlyMap<string, KubeObject>,
  options: Unasked,
): Promise<{ readonly pass?: Pass; readonly againMs: number }> {
  const { application } = snapshot
  const decision = autoSyncOf(snapshot, projects, Date.now())
  const againMs = decision.kind === 'wait' ? Math.max(0, decision.until - Date.now()) : Number.POSITIVE_INFINITY
  if (decision.kind !== 'sync') return { againMs }
  if (await isArgoCdAtWork(await session.clusterOf(application), application, true, options)) return { againMs }
  const pass = await session.sync(application, { ...options, request: decision.request })
  // Somebody else syncs it just now; that is no news about the application.
  return pass.snapshot.failure?.reason === 'busy' ? { againMs: BUSY_MS } : { pass, againMs }
}
