import type { Command } from 'commander'
import { sleep } from '../../shared/base/abort.ts'
import type { Application } from '../../shared/model/application.ts'
import type { ApplicationSnapshot } from '../../shared/model/status.ts'
import type { Session } from '../../shared/session.ts'
import { applicationRow } from '../../shared/view/application-row.ts'
import { CliError } from '../cli-error.ts'
import { say, type Io } from '../io.ts'
import { secondsArgument } from '../output.ts'
import { addSessionFlags, applicationNamed, withSession, type SessionFlags } from '../session-flags.ts'

type Flags = SessionFlags & { readonly sync?: boolean; readonly health?: boolean; readonly timeout?: number }

/** `plumbline app wait NAME`. */
export function appWaitCommand(app: Command, io: Io): void {
  addSessionFlags(app.command('wait <name>'))
    .summary('wait until an application is synced and healthy')
    .description(
      'Watches the application and ends when it is synced and healthy, or one of them where only that is asked for.',
    )
    .option('--sync', 'wait for Synced')
    .option('--health', 'wait for Healthy')
    .option('--timeout <time>', 'give up after this time: 90, 90s, 5m', secondsArgument)
    .addHelpText('after', '\nExamples:\n  plumbline app wait guestbook --health --timeout 2m')
    .action(async (name: string, flags: Flags) => {
      await withSession({ ...flags, watch: true }, io, async (session) => {
        await waitFor(session, await applicationNamed(session, name, io), flags, io)
      })
    })
}

async function waitFor(session: Session, application: Application, flags: Flags, io: Io): Promise<void> {
  const both = flags.sync !== true && flags.health !== true
  const done = (snapshot: ApplicationSnapshot): boolean =>
    (!(both || flags.sync === true) || snapshot.sync === 'Synced') &&
    (!(both || flags.health === true) || snapshot.health.status === 'Healthy')
  let last = ''
  const reached = Promise.withResolvers<ApplicationSnapshot>()
  const loop = await session.watch(
    application,
    ({ snapshot }) => {
      const { summary } = applicationRow(snapshot)
      if (summary !== last) say(io, `${application.name}: ${summary}`)
      last = summary
      if (done(snapshot)) reached.resolve(snapshot)
    },
    (error) => reached.reject(error),
  )
  const ended = new AbortController()
  const signal = AbortSignal.any([io.signal, ended.signal])
  try {
    // Without a time limit only the person ends it.
    const limit = sleep(flags.timeout ?? 2 ** 31 - 1, { signal }).then(() => {
      throw new CliError(
        'timed-out',
        `${application.name} is ${last} after ${(flags.timeout ?? 0) / 1000} s`,
        '`plumbline app get` shows what is missing',
      )
    })
    await Promise.race([reached.promise, limit])
  } finally {
    ended.abort()
    loop.dispose()
  }
}
