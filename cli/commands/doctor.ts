import { access, constants, mkdir } from 'node:fs/promises'
import type { Command } from 'commander'
import { cacheFolder, stateFolder } from '../../shared/base/folders.ts'
import { run } from '../../shared/base/process.ts'
import { openClusters } from '../../shared/clusters/cluster-manager.ts'
import { loadKubeconfig } from '../../shared/kube/config.ts'
import { explain } from '../explain.ts'
import { formatTable } from '../format/table.ts'
import type { ExitCode, Io, SetExit } from '../io.ts'
import { outputOption, show } from '../output.ts'
import type { OutputFormat } from '../session-flags.ts'

type Finding = {
  readonly what: string
  readonly state: 'ok' | 'missing' | 'broken'
  readonly detail: string
  readonly next: string
}

/** `plumbline doctor`. */
export function doctorCommand(program: Command, io: Io, setExit: SetExit): void {
  program
    .command('doctor')
    .summary('check what this machine has and what is missing')
    .description(
      'Looks at the tools, folders and kubeconfigs that Plumbline may use. What is missing is named with what it is needed for. Changes nothing.',
    )
    .addOption(outputOption())
    .addHelpText('after', '\nExamples:\n  plumbline doctor')
    .action(async (flags: { readonly output?: OutputFormat }) => {
      const findings = await examine(io)
      show(io, flags.output, {
        table: (options) =>
          formatTable<Finding>(
            [
              { header: '', cell: (row) => [MARKS[row.state]], least: 1 },
              { header: 'WHAT', cell: (row) => row.what, least: 10 },
              { header: 'FOUND', cell: (row) => row.detail, least: 10 },
              { header: 'WHAT TO DO', cell: (row) => row.next, least: 10 },
            ],
            findings,
            options,
          ),
        data: () => findings,
        names: () => findings.map((finding) => finding.what),
      })
      setExit(exitOf(findings))
    })
}

const MARKS = {
  ok: { text: '✓', colour: 'green' },
  missing: { text: '○', colour: 'yellow' },
  broken: { text: '✗', colour: 'red' },
} as const

/** A missing tool is no error until something needs it; a broken folder or kubeconfig is. */
function exitOf(findings: readonly Finding[]): ExitCode {
  return findings.some((finding) => finding.state === 'broken') ? 2 : 0
}

async function examine(io: Io): Promise<readonly Finding[]> {
  const node: Finding = { what: 'node', state: 'ok', detail: process.version, next: '' }
  const others = await Promise.all([
    tool('git', ['--version'], 'needed for ssh remotes, credential helpers and SHA-256 repositories', io),
    tool('kustomize', ['version'], 'needed for kustomizations, unless there is kubectl', io),
    tool('kubectl', ['version', '--client'], 'needed for kustomizations where there is no kustomize', io),
    tool('helm', ['version', '--short'], 'needed for charts', io),
    folder('cache', cacheFolder(io.env)),
    folder('state', stateFolder(io.env)),
    kubeconfig(io),
  ])
  return [node, ...others, ...(await clusterTools(io))]
}

/** What local clusters need; each tool once. None of it is needed for the embedded cluster, so that none is an error. */
async function clusterTools(io: Io): Promise<readonly Finding[]> {
  const providers = await openClusters({ env: io.env }).providers({ signal: io.signal })
  const tools = new Map(providers.flatMap(({ tools: of }) => of).map((found) => [found.tool, found]))
  return [...tools.values()].map(({ tool: what, state, version, path, next }) =>
    state === 'found'
      ? { what, state: 'ok', detail: version === '' ? path : version, next: '' }
      : { what, state: 'missing', detail: state === 'broken' ? 'it does not answer' : 'not on PATH', next },
  )
}

async function tool(what: string, words: readonly string[], purpose: string, io: Io): Promise<Finding> {
  const done = await run(what, words, { timeoutMs: 10_000, signal: io.signal })
  if (done.kind === 'not-found')
    return { what, state: 'missing', detail: 'not on PATH', next: `install it: ${purpose}` }
  if (done.kind !== 'exited' || done.code !== 0)
    return { what, state: 'broken', detail: 'it does not answer', next: `reinstall it: ${purpose}` }
  return { what, state: 'ok', detail: done.stdout.toString('utf8').split('\n')[0]?.trim() ?? '', next: '' }
}

async function folder(what: string, path: string): Promise<Finding> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 })
    await access(path, constants.W_OK)
    return { what: `${what} folder`, state: 'ok', detail: path, next: '' }
  } catch (error) {
    return { what: `${what} folder`, state: 'broken', detail: explain(error).message, next: 'make it writable' }
  }
}

async function kubeconfig(io: Io): Promise<Finding> {
  try {
    const { contexts } = await loadKubeconfig({ env: io.env, signal: io.signal })
    const count = `${contexts.size} contexts`
    return contexts.size === 0
      ? { what: 'kubeconfig', state: 'missing', detail: 'no context', next: 'the embedded cluster needs none' }
      : { what: 'kubeconfig', state: 'ok', detail: count, next: '' }
  } catch (error) {
    return { what: 'kubeconfig', state: 'broken', detail: explain(error).message, next: 'correct the file' }
  }
}
