import { realpath } from 'node:fs/promises'
import path from 'node:path'
import { Option, type Command } from 'commander'
import { createSource } from '../../shared/git/source.ts'
import { stringifyJson } from '../../shared/model/json.ts'
import { renderPath } from '../../shared/session/render-path.ts'
import { maskSecret } from '../../shared/view/hidden.ts'
import { toYamlStream } from '../../shared/view/yaml.ts'
import { print, say, type Io } from '../io.ts'
import { addRevisionFlags, revisionOf, type RevisionFlags } from './revision-flags.ts'

type Flags = RevisionFlags & { readonly output: 'yaml' | 'json' }

/** `plumbline render PATH`. */
export function renderCommand(program: Command, io: Io): void {
  addRevisionFlags(program.command('render <path>'))
    .summary('print what a folder of the repository renders to')
    .description(
      'Renders a plain folder, a kustomization or a chart, as Argo CD would detect it. Values of Secrets are never printed.',
    )
    .addOption(new Option('-o, --output <format>', 'yaml or json').choices(['yaml', 'json']).default('yaml'))
    .addHelpText(
      'after',
      '\nExamples:\n  plumbline render deploy/overlays/dev\n  plumbline render charts/shop --revision v1.2',
    )
    .action(async (asked: string, flags: Flags) => {
      const folder = await pathInRepository(asked, io)
      const { manifests, warnings } = await renderPath(io.cwd, folder, { ...revisionOf(flags), signal: io.signal })
      for (const warning of warnings) say(io, `warning: ${warning}`)
      const objects = manifests.map((manifest) => maskSecret(manifest.object))
      print(io, flags.output === 'json' ? stringifyJson(objects, 2) : toYamlStream(objects))
    })
}

/** The person names a path from where they stand; the repository knows it from its root. */
async function pathInRepository(asked: string, io: Io): Promise<string> {
  const source = await createSource({ workspace: io.cwd, signal: io.signal })
  try {
    const { root } = source
    if (root === undefined) return asked
    return (
      path
        .relative(root, path.resolve(await realpath(io.cwd), asked))
        .split(path.sep)
        .join('/') || '.'
    )
  } finally {
    await source.dispose()
  }
}
