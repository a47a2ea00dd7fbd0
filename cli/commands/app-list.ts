import type { Command } from 'commander'
import type { Pass } from '../../shared/core/status.ts'
import type { Json } from '../../shared/model/json.ts'
import type { KubeObject } from '../../shared/model/kubernetes.ts'
import type { Session } from '../../shared/session.ts'
import { applicationRow } from '../../shared/view/application-row.ts'
import { argoApplication } from '../../shared/view/argo-application.ts'
import { applicationTable } from '../format/tables.ts'
import { say, type Io } from '../io.ts'
import { outputOption, show } from '../output.ts'
import { addSessionFlags, withSession, type SessionFlags } from '../session-flags.ts'

/** `plumbline app list`. */
export function appListCommand(app: Command, io: Io): void {
  addSessionFlags(app.command('list').alias('ls'))
    .summary('list the applications and how they stand')
    .description('Lists every Application found in the repository, with sync status, health, revision and drift.')
    .addOption(outputOption())
    .addHelpText('after', '\nExamples:\n  plumbline app list\n  plumbline app list --apps clusters/dev -o json')
    .action(async (flags: SessionFlags) => withSession(flags, io, async (session) => list(session, flags, io)))
}

async function list(session: Session, flags: SessionFlags, io: Io): Promise<void> {
  const { applications, failures } = await session.applications({ signal: io.signal })
  for (const { message } of failures) say(io, `warning: ${message}`)
  const passes: Pass[] = await Promise.all(
    applications.map(async (application) => session.look(application, { signal: io.signal })),
  )
  if (passes.length === 0) {
    say(io, 'no Application was found here; `plumbline tour` shows one, --apps names another place')
  }
  const snapshots = passes.map((pass) => pass.snapshot)
  show(io, flags.output, {
    table: (options) => applicationTable(snapshots.map(applicationRow), options),
    data: (): Json => passes.map((pass) => argoApplication(pass.snapshot, objectsOf(pass))),
    names: () => snapshots.map((snapshot) => `application/${snapshot.application.name}`),
  })
  for (const { application, failure } of snapshots) if (failure) say(io, `${application.name}: ${failure.message}`)
}

/** Live objects of a pass, for the images that they run. */
export function objectsOf(pass: Pass): readonly KubeObject[] {
  return [...pass.live.values()].map((live) => live.object)
}
