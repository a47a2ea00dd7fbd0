import type { ApplicationSnapshot } from '../model/status.ts'
import { timeAgo } from './time.ts'
import { shortSha } from './words.ts'

/** One sync of the past. */
export type HistoryRow = {
  readonly id: number
  /** 7 characters. */
  readonly revision: string
  readonly deployedAt: string
  /** `3 min ago`. */
  readonly when: string
  /** A person, or `auto-sync`. */
  readonly who: string
  /** True for the last one: what is deployed. */
  readonly current: boolean
}

/** The newest first. `now` is in milliseconds since 1970. */
export function historyRows({ history }: Pick<ApplicationSnapshot, 'history'>, now: number): readonly HistoryRow[] {
  const newest = Math.max(...history.map(({ id }) => id))
  return history
    .map(({ id, revision, deployedAt, automated, initiatedBy }) => ({
      id,
      revision: shortSha(revision),
      deployedAt,
      when: timeAgo(deployedAt, now),
      who: automated ? 'auto-sync' : initiatedBy,
      current: id === newest,
    }))
    .sort((a, b) => b.id - a.id)
}
