import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Command } from 'commander'
import { EMBEDDED_CONTEXT } from '../../shared/clusters/embedded.ts'
import { loadKubeconfig } from '../../shared/kube/config.ts'
import { listContexts, type ContextSummary } from '../../shared/kube/kubeconfig.ts'
import { CliError } from '../cli-error.ts'
import { formatTable } from '../format/table.ts'
import { say, type Io } from '../io.ts'
import { outputOption, show } from '../output.ts'
import { chosenContext, contextFile, type OutputFormat } from '../session-flags.ts'

type Flags = { readonly kubeconfig?: string; readonly output?: OutputFormat }

/** `plumbline context list | use NAME`. */
export function contextCommands(program: Command, io: Io): void {
  const context = program.command('context').summary('kube contexts: which there are, and which one is acted on')
  context
    .command('list')
    .alias('ls')
    .summary('list the contexts of all kubeconfig files')
    .option('--kubeconfig <file>', 'kubeconfig to read instead of KUBECONFIG or ~/.kube/config')
    .addOption(outputOption())
    .addHelpText('after', '\nExamples:\n  plumbline context list')
    .action(async (flags: Flags) => list(flags, io))
  context
    .command('use <name>')
    .summary('choose the context that commands act on')
    .description(
      'Chooses the context for Plumbline alone; no kubeconfig is written. `embedded` is the built-in cluster.',
    )
    .option('--kubeconfig <file>', 'kubeconfig to read instead of KUBECONFIG or ~/.kube/config')
    .addHelpText('after', '\nExamples:\n  plumbline context use kind-dev\n  plumbline context use embedded')
    .action(async (name: string, flags: Flags) => use(name, flags, io))
}

type Row = Pick<ContextSummary, 'name' | 'cluster' | 'user' | 'namespace' | 'server' | 'auth' | 'file'> & {
  readonly chosen: boolean
}

async function contexts(flags: Flags, io: Io): Promise<readonly Row[]> {
  const file = flags.kubeconfig === undefined ? {} : { kubeconfig: path.resolve(io.cwd, flags.kubeconfig) }
  const config = await loadKubeconfig({ ...file, env: io.env, signal: io.signal })
  const chosen = await chosenContext(io)
  const embedded = {
    name: EMBEDDED_CONTEXT,
    cluster: 'built in (simulated)',
    user: '',
    namespace: '',
    server: '',
    auth: 'none',
    file: '',
  } as const
  return [embedded, ...listContexts(config)].map((row) => ({ ...row, chosen: row.name === chosen }))
}

async function list(flags: Flags, io: Io): Promise<void> {
  const rows = await contexts(flags, io)
  show(io, flags.output, {
    table: (options) =>
      formatTable<Row>(
        [
          { header: 'CURRENT', cell: (row) => (row.chosen ? '●' : ''), least: 7 },
          { header: 'NAME', cell: (row) => row.name, least: 8 },
          { header: 'CLUSTER', cell: (row) => row.cluster, least: 8 },
          { header: 'USER', cell: (row) => (row.user === '' ? '' : `${row.user} (${row.auth})`), least: 6 },
          { header: 'NAMESPACE', cell: (row) => row.namespace, least: 9 },
          { header: 'SERVER', cell: (row) => row.server, least: 8 },
          { header: 'FILE', cell: (row) => row.file, least: 8 },
        ],
        rows,
        options,
      ),
    data: () => rows,
    names: () => rows.map((row) => row.name),
  })
}

async function use(name: string, flags: Flags, io: Io): Promise<void> {
  const known = (await contexts(flags, io)).map((row) => row.name)
  if (!known.includes(name))
    throw new CliError('not-found', `there is no context ${name}`, `there are: ${known.join(', ')}`)
  const file = contextFile(io)
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  await writeFile(file, `${name}\n`)
  say(io, `commands act on ${name} from now on`)
}
