import { Cron } from 'croner'
import type { Application } from '../../model/application.ts'
import type { Project, SyncWindow } from '../../model/project.ts'
import { globFits } from '../glob.ts'
import { milliseconds } from '../operation/duration.ts'

/** What the windows of a project say of one application now. */
export type WindowAnswer = {
  /** Whether a sync by itself, and one that a person asks for, may start. */
  readonly automatic: boolean
  readonly manual: boolean
  /** Whether a sync that is under way may go on. */
  readonly goesOn: boolean
  /** Why not; empty where both may. */
  readonly reason: string
  /** Milliseconds since 1970 at which the answer may change; undefined where no window speaks. */
  readonly changesAt?: number
}

const OPEN: WindowAnswer = { automatic: true, manual: true, goesOn: true, reason: '' }

/**
 * Argo CD's rules (`docs/user-guide/sync_windows.md`): without a matching window syncs are allowed; an active deny wins; where
 * there is any allow, one has to be active. `manualSync` lets a person sync when every window in the way says so, `syncOverrun` lets a
 * sync go on that began before.
 * @param now milliseconds since 1970
 */
export function windowsSay(application: Application, project: Project, now: number): WindowAnswer {
  const matching = project.syncWindows.filter((window) => matches(window, application))
  if (matching.length === 0) return OPEN
  const states = matching.map((window) => ({ window, ...stateOf(window, now) }))
  const changesAt = Math.min(...states.map((state) => state.changesAt))
  const change = Number.isFinite(changesAt) ? { changesAt } : {}
  const denies = states.filter(({ window, active }) => active && window.kind === 'deny')
  if (denies.length > 0) return { ...closed(denies, 'a deny window is active', project), ...change }
  const allows = states.filter(({ window }) => window.kind === 'allow')
  if (allows.length === 0 || allows.some(({ active }) => active)) return { ...OPEN, ...change }
  return { ...closed(allows, 'no allow window is active', project), ...change }
}

function closed(states: readonly { readonly window: SyncWindow }[], why: string, { name }: Project): WindowAnswer {
  const windows = states.map(({ window }) => `${window.schedule} for ${window.duration}`).join('; ')
  const manual = states.every(({ window }) => window.manualSync)
  const goesOn = states.every(({ window }) => window.syncOverrun)
  return { automatic: false, manual, goesOn, reason: `${why} in project ${name} (${windows})` }
}

/** Any of the lists has to fit; with `andOperator` all of those that are given. Without any list a window is nobody's. */
function matches(window: SyncWindow, { name, destination }: Application): boolean {
  const lists = [
    { patterns: window.applications, texts: [name] },
    { patterns: window.namespaces, texts: [destination.namespace] },
    {
      patterns: window.clusters,
      texts: [destination.server ?? '', destination.name ?? ''].filter((text) => text !== ''),
    },
  ].filter(({ patterns }) => patterns.length > 0)
  const fits = lists.map(({ patterns, texts }) => texts.some((text) => patterns.some((glob) => globFits(glob, text))))
  return window.andOperator ? fits.length > 0 && fits.every(Boolean) : fits.some(Boolean)
}

/** A window that cannot be read is a closed one: an active deny, an allow that never comes. */
function stateOf(window: SyncWindow, now: number): { readonly active: boolean; readonly changesAt: number } {
  const cron = scheduleOf(window)
  const duration = milliseconds(window.duration)
  if (cron === undefined || duration <= 0)
    return { active: window.kind === 'deny', changesAt: Number.POSITIVE_INFINITY }
  // The first start after `now - duration` lies before now exactly when the window is open.
  const start = cron.nextRun(new Date(now - duration))?.getTime() ?? Number.POSITIVE_INFINITY
  return start <= now ? { active: true, changesAt: start + duration } : { active: false, changesAt: start }
}

function scheduleOf({ schedule, timeZone }: SyncWindow): Cron | undefined {
  // Five fields as in Argo CD; the library would take seconds and years too.
  const isStandard = /^@\w+$/.test(schedule.trim()) || schedule.trim().split(/\s+/).length === 5
  if (!isStandard) return undefined
  try {
    const cron = new Cron(schedule.trim(), { timezone: timeZone || 'UTC', paused: true })
    // Only asking shows whether the time zone is one.
    cron.nextRun(new Date(0))
    return cron
  } catch {
    return undefined
  }
}

/** Sentences about windows that cannot be read. */
export function windowProblems({ name, syncWindows }: Project): readonly string[] {
  return syncWindows.flatMap((window) => {
    const problems: string[] = []
    if (scheduleOf(window) === undefined)
      problems.push(
        `project ${name}: the sync window's schedule ${JSON.stringify(window.schedule)} ${window.timeZone} is no cron`,
      )
    if (milliseconds(window.duration) <= 0)
      problems.push(`project ${name}: the sync window's duration ${JSON.stringify(window.duration)} is no duration`)
    return problems
  })
}
