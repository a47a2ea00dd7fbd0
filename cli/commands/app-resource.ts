import type { Command } from 'commander'
import { resourceKey } from '../../shared/model/kubernetes.ts'
import type { Session } from '../../shared/session.ts'
import { fullLabel } from '../../shared/view/words.ts'
import { CliError } from '../cli-error.ts'
import { confirm } from '../confirm.ts'
import { say, type ExitCode, type Io, type SetExit } from '../io.ts'
import { addSessionFlags, applicationNamed, withSession, type SessionFlags } from '../session-flags.ts'
import { stepLine } from './app-sync.ts'
import { resourceFilter } from './resource-filter.ts'

type Flags = SessionFlags & { readonly prune?: boolean; readonly force?: boolean; readonly yes?: boolean }

const RESOURCE = '[GROUP:]KIND:[NAMESPACE/]NAME'

/** `plumbline app resource sync|delete NAME RESOURCE`. */
export function appResourceCommands(app: Command, io: Io, setExit: SetExit): void {
  const resource = app.command('resource').summary('one resource of an application: sync, delete')
  addSessionFlags(resource.command('sync <name> <resource>'))
    .summary('bring one resource to what Git wants')
    .description(`RESOURCE is ${RESOURCE}. Hooks do not run, and the history does not grow.`)
    .option('--prune', 'delete it if Git no longer has it')
    .option('--force', 'delete and make it anew if the server will not change it')
    .action(async (name: string, text: string, flags: Flags) => {
      await withSession(flags, io, async (session) => setExit(await sync(session, name, text, flags, io)))
    })
  addSessionFlags(resource.command('delete <name> <resource>'))
    .summary('delete one resource from the cluster')
    .description(`RESOURCE is ${RESOURCE}. What Git has comes back with the next sync.`)
    .option('-y, --yes', 'do not ask')
    .action(async (name: string, text: string, flags: Flags) => {
      await withSession(flags, io, async (session) => setExit(await remove(session, name, text, flags, io)))
    })
}

async function sync(session: Session, name: string, text: string, flags: Flags, io: Io): Promise<ExitCode> {
  const application = await applicationNamed(session, name, io)
  const force = flags.force === true ? { force: true } : {}
  const request = { prune: flags.prune === true, dryRun: false, only: resourceFilter([text]), ...force }
  const { outcome, snapshot } = await session.sync(application, { request, signal: io.signal })
  if (outcome === undefined) throw new CliError('refused', snapshot.conditions[0]?.message ?? 'the sync did not begin')
  for (const step of outcome.steps) say(io, stepLine(step, io))
  say(io, `${application.name}: ${outcome.message}`)
  return outcome.phase === 'Succeeded' ? 0 : 2
}

async function remove(session: Session, name: string, text: string, flags: Flags, io: Io): Promise<ExitCode> {
  const application = await applicationNamed(session, name, io)
  const fits = resourceFilter([text])
  const { snapshot, live } = await session.look(application, { signal: io.signal })
  const found = snapshot.resources.filter(({ id }) => fits(id) && live.has(resourceKey(id)))
  if (found.length === 0) throw new CliError('not-found', `${application.name} has no ${text} in the cluster`)
  for (const { id } of found) say(io, `− ${fullLabel(id)}`)
  if (flags.yes !== true && !(await confirm(`Delete ${found.length} from ${snapshot.context}?`, io)))
    throw new CliError('refused', 'nothing was deleted')
  const cluster = await session.clusterOf(application)
  for (const { id, version } of found) {
    const object = live.get(resourceKey(id))
    if (object === undefined) continue
    const gvk = { group: id.group, version, kind: id.kind }
    await cluster.delete({ gvk, id, uid: object.uid, propagation: 'Foreground' }, { signal: io.signal })
    say(io, `${fullLabel(id)} is deleted`)
  }
  return 0
}
