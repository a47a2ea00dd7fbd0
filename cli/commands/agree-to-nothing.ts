import type { Application } from '../../shared/model/application.ts'
import type { Session } from '../../shared/session.ts'
import { fullLabel } from '../../shared/view/words.ts'
import { CliError } from '../cli-error.ts'
import { confirm } from '../confirm.ts'
import { say, type Io } from '../io.ts'
import { requestOf, type RequestFlags } from './sync-request-flags.ts'
import { revisionOf } from './revision-flags.ts'

/**
 * A sync that would delete everything is shown and asked for once more; `--confirm` is the answer given beforehand.
 * @throws CliError `refused` where the answer is no, `usage` where there is nobody to ask
 */
export async function agreeToNothing(
  session: Session,
  application: Application,
  flags: RequestFlags,
  io: Io,
): Promise<void> {
  if (flags.allowEmpty !== true || flags.prune !== true || flags.confirm === true) return
  const request = requestOf(flags, application, true)
  const { plan, snapshot } = await session.sync(application, { ...revisionOf(flags), request, signal: io.signal })
  const prunes = plan?.steps.filter(({ action, readiness }) => action === 'prune' && readiness.kind !== 'refused') ?? []
  if (prunes.length === 0 || !snapshot.resources.every(({ requiresPruning }) => requiresPruning)) return
  for (const { id } of prunes) say(io, `− ${fullLabel(id)}`)
  if (!(await confirm(`Delete all that ${application.name} has on ${snapshot.context}?`, io, '--confirm')))
    throw new CliError('refused', 'nothing was deleted')
}
