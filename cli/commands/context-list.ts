import path from 'node:path'
import type { ContextProbe, KubeContextRow } from '../../shared/model/kube-context.ts'
import { kubeContexts, probeContext } from '../../shared/session/kube-contexts.ts'
import { formatTable, type Column } from '../format/table.ts'
import type { Io } from '../io.ts'
import { show } from '../output.ts'
import { chosenContext, type OutputFormat } from '../session-flags.ts'

export type ContextListFlags = {
  readonly kubeconfig?: string
  readonly probe?: boolean
  readonly output?: OutputFormat
}

export type ListedContext = KubeContextRow & {
  /** The one that commands of Plumbline act on. */
  readonly chosen: boolean
  readonly probe?: ContextProbe
}

/** Servers asked at once. */
const MOST_PROBES = 16

export async function listContexts(flags: ContextListFlags, io: Io): Promise<void> {
  const rows = flags.probe === true ? await probed(await listed(flags, io), flags, io) : await listed(flags, io)
  show(io, flags.output, {
    table: (options) => formatTable(columns(flags), rows, options),
    wide: (options) => formatTable([...columns(flags), ...WIDE], rows, options),
    data: () => rows,
    names: () => rows.map((row) => row.name),
  })
}

export async function listed(flags: ContextListFlags, io: Io): Promise<readonly ListedContext[]> {
  const file = flags.kubeconfig === undefined ? {} : { kubeconfig: path.resolve(io.cwd, flags.kubeconfig) }
  const rows = await kubeContexts({ ...file, env: io.env, signal: io.signal })
  const chosen = await chosenContext(io)
  return rows.map((row) => ({ ...row, chosen: row.name === chosen }))
}

async function probed(
  rows: readonly ListedContext[],
  flags: ContextListFlags,
  io: Io,
): Promise<readonly ListedContext[]> {
  const file = flags.kubeconfig === undefined ? {} : { kubeconfig: path.resolve(io.cwd, flags.kubeconfig) }
  const found: ListedContext[] = []
  for (let from = 0; from < rows.length; from += MOST_PROBES) {
    const some = rows.slice(from, from + MOST_PROBES).map(async (row) => {
      if (row.file === '') return row
      return { ...row, probe: await probeContext(row.name, { ...file, env: io.env, signal: io.signal }) }
    })
    found.push(...(await Promise.all(some)))
  }
  return found
}

function columns({ probe }: ContextListFlags): readonly Column<ListedContext>[] {
  const reachable: readonly Column<ListedContext>[] = [
    { header: 'REACHABLE', cell: (row) => probeWords(row.probe), least: 11 },
    { header: 'VERSION', cell: (row) => row.probe?.version ?? '', least: 7 },
  ]
  return [
    { header: 'CURRENT', cell: (row) => (row.chosen ? '●' : ''), least: 7 },
    { header: 'NAME', cell: (row) => row.name, least: 8 },
    { header: 'CLUSTER', cell: (row) => row.cluster, least: 8 },
    { header: 'USER', cell: (row) => (row.user === '' ? '' : `${row.user} (${row.auth})`), least: 6 },
    { header: 'NAMESPACE', cell: (row) => row.namespace, least: 9 },
    ...(probe === true ? reachable : []),
    { header: 'SERVER', cell: (row) => row.server, least: 8 },
    { header: 'NOTE', cell: noteOf, least: 10 },
    { header: 'FILE', cell: (row) => row.file, least: 8 },
  ]
}

const WIDE: readonly Column<ListedContext>[] = [
  { header: 'KUBECTL', cell: (row) => (row.current ? 'current' : '') },
  { header: 'PLUGIN', cell: (row) => row.execCommand },
  { header: 'LOCAL CLUSTER', cell: (row) => row.clusterId ?? '' },
]

function noteOf({ production, problem }: ListedContext): string {
  return [...(production ? ['production'] : []), ...(problem === undefined ? [] : [problem])].join('; ')
}

function probeWords(probe: ContextProbe | undefined): string {
  if (probe === undefined) return ''
  return probe.state === 'reachable' ? `yes, ${probe.tookMs} ms` : probe.state
}
