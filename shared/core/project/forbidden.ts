import type { PassContext } from '../pass-context.ts'
import { windowProblems, windowsSay } from '../windows/windows.ts'
import { applicationViolations } from './violations.ts'

/** What a project has against an application as it is written: nothing of it may be synced. */
export function violationsOf({ application, project }: PassContext): readonly string[] {
  if (project === undefined) return [`there is no project ${application.project}`]
  return applicationViolations(application, project)
}

/** What keeps every step of a sync from running now. A sync that has begun is not held up by a window that closes. */
export function forbiddenNow(pass: PassContext): readonly string[] {
  const violations = violationsOf(pass)
  const { application, project, ports, request, slot } = pass
  if (violations.length > 0 || project === undefined || slot.log?.begun === true) return violations
  const answer = windowsSay(application, project, ports.clock.now())
  const allowed = request.initiatedBy?.automated === true ? answer.automatic : answer.manual
  return allowed ? [] : [answer.reason]
}

/** Conditions about the project: their type and text. */
export function projectConditions(pass: PassContext): readonly { readonly type: string; readonly message: string }[] {
  const violations = violationsOf(pass).map((message) => ({ type: 'InvalidSpecError', message }))
  const windows = pass.project === undefined ? [] : windowProblems(pass.project)
  return [...violations, ...windows.map((message) => ({ type: 'InvalidSpecWarning', message }))]
}
