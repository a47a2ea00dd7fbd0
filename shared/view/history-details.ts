import type { HistoryDetail } from '../model/front.ts'
import type { ApplicationSnapshot } from '../model/status.ts'
import { verdictMark, type Mark } from './marks.ts'
import { shortSha } from './words.ts'

/** One sync of the past, with what its commit says. */
export type HistoryDetailRow = {
  readonly id: number
  readonly revision: string
  readonly sha: string
  readonly subject: string
  readonly author: string
  readonly verdict?: Mark
  readonly deployedAt: string
  readonly who: string
  /** `healthy` once it was seen so; empty where nobody knows. */
  readonly result: string
  readonly current: boolean
  /** Why it cannot be gone back to; empty where it can. */
  readonly obstacle: string
}

/** The newest first. What a front could find out of the commits is added to what the cluster keeps. */
export function historyDetailRows(
  { history, application }: Pick<ApplicationSnapshot, 'history' | 'application'>,
  details: readonly HistoryDetail[],
): readonly HistoryDetailRow[] {
  const known = new Map(details.map((detail) => [detail.entry.id, detail]))
  const newest = Math.max(...history.map(({ id }) => id))
  const automated = application.syncPolicy.automated?.enabled === true
  return [...history]
    .sort((a, b) => b.id - a.id)
    .map((entry) => {
      const detail = known.get(entry.id)
      const worktree = (entry.revisions ?? [entry.revision]).includes('WORKTREE')
      return {
        id: entry.id,
        revision: shortSha(entry.revision),
        sha: entry.revision,
        subject: detail?.subject ?? '',
        author: detail?.author ?? '',
        deployedAt: entry.deployedAt,
        who: entry.automated ? 'auto-sync' : entry.initiatedBy,
        result: entry.healthy === true ? 'healthy' : '',
        current: entry.id === newest,
        obstacle: obstacleOf(entry.id === newest, automated, worktree),
        ...(detail?.verdict === undefined ? {} : { verdict: verdictMark(detail.verdict) }),
      }
    })
}

function obstacleOf(current: boolean, automated: boolean, worktree: boolean): string {
  if (current) return 'this is what is deployed'
  if (automated) return 'it is synced automatically, and would be synced forward again'
  return worktree ? 'it was synced from files on disk, which no commit has' : ''
}
