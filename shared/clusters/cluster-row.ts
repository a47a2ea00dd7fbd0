import { clusterId, type ClusterAction, type ClusterRow, type ClusterState } from '../model/cluster.ts'
import type { ClusterRecord } from './cluster-records.ts'
import { contextOf } from './own-context.ts'
import type { FoundCluster, Provider } from './provider.ts'

export type RowSource = {
  readonly provider: Provider
  readonly name: string
  /** What its tool says; absent where the tool does not know it. */
  readonly found: FoundCluster | undefined
  /** What Plumbline wrote down; absent where somebody else made it. */
  readonly record: ClusterRecord | undefined
  /** Whether a process that still runs works on it. */
  readonly worked: boolean
  /** Why its tool cannot tell; absent where it can. */
  readonly problem: string | undefined
}

/** What the tool says and what was written down, as one row: a creation that was cut off shows as failed, whatever it left. */
export function rowOf(source: RowSource): ClusterRow {
  const { provider, name, found, record } = source
  const { state, detail } = stateOf(source)
  const ref = { provider: provider.provider, name }
  const createdAt = record?.createdAt ?? found?.createdAt
  return {
    ...ref,
    id: clusterId(ref),
    state,
    context: found?.context ?? contextOf(provider.provider, name),
    ...(found?.kubeconfig === undefined ? {} : { kubeconfig: found.kubeconfig }),
    version: found?.version ?? record?.spec.version ?? '',
    nodes: found?.nodes ?? 0,
    ...(createdAt === undefined ? {} : { createdAt }),
    owned: record !== undefined || provider.provider === 'embedded',
    simulated: provider.provider === 'embedded',
    detail,
    actions: actionsOf(state, source),
  }
}

function stateOf({ found, record, worked, problem }: RowSource): {
  readonly state: ClusterState
  readonly detail: string
} {
  const phase = record?.phase
  if (worked && phase !== undefined && phase !== 'made' && phase !== 'failed') return { state: phase, detail: '' }
  if (problem !== undefined) return { state: 'unknown', detail: problem }
  switch (phase) {
    case 'creating':
      return { state: 'failed', detail: 'its creation was cut off; delete it, or create it again' }
    case 'deleting':
      return { state: 'failed', detail: 'its deletion was cut off; delete it again' }
    case 'failed':
      return { state: 'failed', detail: `its creation failed: ${record?.failure ?? ''}` }
    case 'made':
    case 'starting':
    case 'stopping':
    case undefined:
      break
  }
  if (found === undefined) return { state: 'failed', detail: 'its tool no longer knows it; somebody else deleted it' }
  return { state: found.state, detail: found.detail }
}

function actionsOf(state: ClusterState, { provider, record }: RowSource): readonly ClusterAction[] {
  const logs: readonly ClusterAction[] = provider.exportLogs === undefined ? [] : ['logs']
  const load: readonly ClusterAction[] = provider.loadImage === undefined ? [] : ['load-image']
  switch (state) {
    case 'running':
      return ['stop', ...load, ...logs, 'delete']
    case 'stopped':
      return ['start', ...logs, 'delete']
    case 'failed':
      // One that was made and fell over can be started; one that was never whole cannot.
      return record === undefined || record.phase === 'made'
        ? ['start', 'stop', ...logs, 'delete']
        : ['create', ...logs, 'delete']
    case 'unknown':
      return ['delete']
    case 'creating':
    case 'starting':
    case 'stopping':
    case 'deleting':
      return ['cancel']
  }
}
