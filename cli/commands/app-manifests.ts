import { Option, type Command } from 'commander'
import type { Pass } from '../../shared/core/status.ts'
import { stringifyJson } from '../../shared/model/json.ts'
import type { KubeObject } from '../../shared/model/kubernetes.ts'
import { maskSecret } from '../../shared/view/hidden.ts'
import { toYamlStream } from '../../shared/view/yaml.ts'
import { failedPass } from '../explain.ts'
import { print, type Io } from '../io.ts'
import { addSessionFlags, applicationNamed, withSession, type SessionFlags } from '../session-flags.ts'
import { addRevisionFlags, revisionOf, type RevisionFlags } from './revision-flags.ts'

type Flags = SessionFlags & RevisionFlags & { readonly source: 'live' | 'git' }

/** `plumbline app manifests NAME`. */
export function appManifestsCommand(app: Command, io: Io): void {
  addRevisionFlags(addSessionFlags(app.command('manifests <name>')))
    .summary('print the manifests of an application')
    .description('Prints what Git wants (rendered) or what the cluster has. Values of Secrets are never printed.')
    .addOption(new Option('--source <where>', 'git or live').choices(['git', 'live']).default('git'))
    .addOption(new Option('-o, --output <format>', 'yaml or json').choices(['yaml', 'json']).default('yaml'))
    .addHelpText(
      'after',
      '\nExamples:\n  plumbline app manifests guestbook\n  plumbline app manifests guestbook --source live',
    )
    .action(async (name: string, flags: Flags) => {
      await withSession(flags, io, async (session) => {
        const application = await applicationNamed(session, name, io)
        const pass = await session.look(application, { ...revisionOf(flags), signal: io.signal })
        if (pass.snapshot.failure !== undefined) throw failedPass(pass.snapshot)
        const objects = manifestsOf(pass, flags.source).map(maskSecret)
        print(io, flags.output === 'json' ? stringifyJson(objects, 2) : toYamlStream(objects))
      })
    })
}

function manifestsOf(pass: Pass, source: 'live' | 'git'): readonly KubeObject[] {
  if (source === 'live') return [...pass.live.values()].map((live) => live.object)
  return [...(pass.desired?.objects.values() ?? [])].map((desired) => desired.object)
}
