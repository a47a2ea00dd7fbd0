import { decideAutoSync, type AutoSync } from '../core/auto-sync/decide.ts'
import { projectOf } from '../core/read-project.ts'
import { windowsSay } from '../core/windows/windows.ts'
import type { KubeObject } from '../model/kubernetes.ts'
import type { ApplicationSnapshot } from '../model/status.ts'

/** What an application would do by itself now, under the project that is written beside it. */
export function autoSyncOf(
  snapshot: ApplicationSnapshot,
  projects: ReadonlyMap<string, KubeObject>,
  now: number,
): AutoSync {
  const { application, operation } = snapshot
  const project = projectOf(application.project, projects)
  if (project === undefined) return { kind: 'idle', reason: `there is no project ${application.project}` }
  const underWay = operation?.phase === 'Running' || operation?.phase === 'Terminating'
  return decideAutoSync({ snapshot, windows: windowsSay(application, project, now), underWay, now })
}
