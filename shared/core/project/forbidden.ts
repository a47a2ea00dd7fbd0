import type { PassContext } from '../pass-context.ts'
import { windowProblems, windowsSay } from '../windows/windows.ts'
import { applicationViolations } from './violations.ts'

/** What a project has against an application as it is written: nothing of it may be synced. */
export function violationsOf({ application, project }: PassContext): readonly string[] {
  if (project === undefined) return [`there is no project ${application.project}`]
  return applicationViolations(application, project)
}

/** What keeps every step of a sync from running now. A sync that has begun is not refused by a window: it waits. */
export function forbiddenNow(pass: PassContext): readonly string[] {
  const violations = violationsOf(pass)
  const { application, project, ports, request, slot } = pass
  if (violations.length === 0 && wouldBeUndone(pass)) {
    const { targetRevision = '' } = application.sources[0] ?? {}
    return [`it cannot be synced to ${pass.revision}: auto-sync is set to ${targetRevision}`]
  }
  if (violations.length > 0 || project === undefined || isUnderWay(slot.log)) return violations
  const answer = windowsSay(application, project, ports.clock.now())
  const allowed = request.initiatedBy?.automated === true ? answer.automatic : answer.manual
  return allowed ? [] : [answer.reason]
}

/** Auto-sync would bring it back at once (Argo CD `server/application/application.go`, Sync). A dry run may look. */
function wouldBeUndone({ application, revision, request }: PassContext): boolean {
  if (revision === undefined || request.dryRun || application.syncPolicy.automated?.enabled !== true) return false
  return application.sources.every(({ targetRevision }) => targetRevision !== revision)
}

/** Why a sync that has begun has to wait: a window has closed that knows no `syncOverrun` (Argo CD `docs/user-guide/sync_windows.md`). */
export function heldByWindow({ application, project, ports, request, slot }: PassContext): string | undefined {
  if (project === undefined || !isUnderWay(slot.log)) return undefined
  const answer = windowsSay(application, project, ports.clock.now())
  const allowed = request.initiatedBy?.automated === true ? answer.automatic : answer.manual
  return allowed || answer.goesOn ? undefined : `the sync is blocked by a sync window: ${answer.reason}`
}

function isUnderWay(log: PassContext['slot']['log']): boolean {
  return log !== undefined && (log.begun || log.resumed)
}

/** Conditions about the project: their type and text. */
export function projectConditions(pass: PassContext): readonly { readonly type: string; readonly message: string }[] {
  const violations = violationsOf(pass).map((message) => ({ type: 'InvalidSpecError', message }))
  const windows = pass.project === undefined ? [] : windowProblems(pass.project)
  return [...violations, ...windows.map((message) => ({ type: 'InvalidSpecWarning', message }))]
}
