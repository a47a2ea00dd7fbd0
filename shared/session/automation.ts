import { decideAutoSync, type AutoSync } from '../core/auto-sync/decide.ts'
import { projectOf } from '../core/read-project.ts'
import { windowsSay } from '../core/windows/windows.ts'
import type { Application } from '../model/application.ts'
import { isObject } from '../model/json.ts'
import type { KubeObject } from '../model/kubernetes.ts'
import type { Cancellable, ClusterPort } from '../model/ports.ts'
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

const APPLICATION = { group: 'argoproj.io', version: 'v1alpha1', kind: 'Application' }

/**
 * Whether an Argo CD that runs on the cluster looks after the application; then nothing here syncs it by itself, for two
 * would fight. Where it cannot be found out, it does.
 */
export async function isArgoCdAtWork(
  cluster: Pick<ClusterPort, 'read'>,
  { name, namespace }: Application,
  cancel: Cancellable,
): Promise<boolean> {
  const id = { group: APPLICATION.group, kind: APPLICATION.kind, namespace, name }
  try {
    const status = (await cluster.read(APPLICATION, id, cancel))?.object['status']
    // Its controller writes both at each look.
    return isObject(status) && (status['reconciledAt'] !== undefined || status['sync'] !== undefined)
  } catch (error) {
    cancel.signal?.throwIfAborted()
    return (error as { readonly reason?: unknown } | null)?.reason !== 'not-found'
  }
}
