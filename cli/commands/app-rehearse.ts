import { Option, type Command } from 'commander'
import { CliError } from '../cli-error.ts'
import type { Io, SetExit } from '../io.ts'
import { addSessionFlags, applicationNamed, withSession } from '../session-flags.ts'
import type { RehearsalFormat } from './app-rehearse-output.ts'
import { addRevisionFlags } from './revision-flags.ts'
import { addRequestFlags, type RequestFlags } from './sync-request-flags.ts'

export type RehearseFlags = RequestFlags & {
  readonly on: string
  readonly fail?: readonly string[]
  readonly compare?: string
  readonly keep?: boolean
  readonly rollbackOnDegraded?: boolean
  readonly record?: string
  readonly from?: string
  readonly output: RehearsalFormat
}

const EXAMPLES = `
Examples:
  plumbline app rehearse guestbook
  plumbline app rehearse guestbook --revision my-branch --prune
  plumbline app rehearse guestbook --worktree --fail image=nginx:* --fail hook=migrate
  plumbline app rehearse guestbook --revision my-branch --compare main
  plumbline app rehearse guestbook -o markdown >> $GITHUB_STEP_SUMMARY
  plumbline app rehearse guestbook --record guestbook.recording.json
  plumbline app rehearse guestbook --from guestbook.recording.json    (without the cluster)
  plumbline app rehearse guestbook --keep                             (look inside with kubectl)

Exit status: 0 it would succeed, 1 it would fail, 2 it could not be rehearsed.`

/** `plumbline app rehearse NAME`. */
export function appRehearseCommand(app: Command, io: Io, setExit: SetExit): void {
  addRequestFlags(addRevisionFlags(addSessionFlags(app.command('rehearse <name>'))))
    .summary('run the whole sync on a throw-away cluster first')
    .description(
      'Fills a throw-away cluster with what the sync touches, read from the real one, and runs the whole sync there: waves, hooks, prunes, rollouts. Nothing is written to the real cluster. Says what would happen, what it means, and what could not be known.',
    )
    .option('--on <place>', 'embedded, kind, minikube, control-plane, or a context', 'embedded')
    .option(
      '--fail <what=which...>',
      'let something fail: image=GLOB, hook=NAME, quota=NAMESPACE, webhook=GLOB, not-ready=WORKLOAD, crash=WORKLOAD',
    )
    .option('--rollback-on-degraded', 'go back as the sync would when the application comes out degraded')
    .option('--compare <rev>', 'rehearse this revision too, and show what differs')
    .option('--record <file>', 'write down what was read from the cluster, to rehearse without it later')
    .option('--from <file>', 'fill from such a recording; the cluster is not asked')
    .option('--keep', 'leave the throw-away cluster up to look inside, until interrupted')
    .addOption(
      new Option('-o, --output <format>', 'text, json or markdown')
        .choices(['text', 'json', 'markdown'])
        .default('text'),
    )
    .addHelpText('after', EXAMPLES)
    .action(async (name: string, flags: RehearseFlags) => {
      if (flags.record !== undefined && flags.from !== undefined)
        throw new CliError('usage', '--record and --from exclude each other')
      await withSession(flags, io, async (session) => {
        const application = await applicationNamed(session, name, io)
        // The embedded server is large; commands that rehearse nothing do not load it.
        const { runRehearsal } = await import('./app-rehearse-run.ts')
        setExit(await runRehearsal(session, application, flags, io))
      })
    })
}
