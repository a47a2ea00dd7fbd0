import { openClusters } from '../../shared/clusters/cluster-manager.ts'
import type { ClusterRow, ProviderRow, ToolFinding } from '../../shared/model/cluster.ts'
import { clusterMark } from '../../shared/view/cluster-mark.ts'
import { timeAgo } from '../../shared/view/time.ts'
import { formatTable, type Column, type TableOptions } from '../format/table.ts'
import { markParts } from '../format/tables.ts'
import type { Io } from '../io.ts'
import { say } from '../io.ts'
import { show } from '../output.ts'
import type { OutputFormat } from '../session-flags.ts'

export type ListFlags = { readonly output?: OutputFormat }

export async function listClusters({ output }: ListFlags, io: Io): Promise<void> {
  const rows = await openClusters({ env: io.env }).list({ signal: io.signal })
  show(io, output, {
    table: (options) => clusterTable(COLUMNS, rows, options),
    wide: (options) => clusterTable([...COLUMNS, ...WIDE_COLUMNS], rows, options),
    data: () => rows,
    names: () => rows.map(({ id }) => id),
  })
}

const COLUMNS: readonly Column<ClusterRow>[] = [
  { header: 'NAME', cell: (row) => row.name, least: 8 },
  { header: 'PROVIDER', cell: (row) => `${row.provider}${row.simulated ? ' (simulated)' : ''}`, least: 8 },
  { header: 'STATE', cell: (row) => markParts(clusterMark(row.state)), least: 9 },
  { header: 'VERSION', cell: (row) => row.version, least: 7 },
  { header: 'NODES', cell: (row) => (row.nodes === 0 ? '' : String(row.nodes)), align: 'right' },
  { header: 'CONTEXT', cell: (row) => row.context, least: 8 },
  { header: 'MADE', cell: (row) => (row.createdAt === undefined ? '' : timeAgo(row.createdAt, Date.now())), least: 6 },
  { header: 'NOTE', cell: (row) => row.detail, least: 10 },
]

const WIDE_COLUMNS: readonly Column<ClusterRow>[] = [
  { header: 'OWN', cell: (row) => (row.owned ? 'yes' : 'no') },
  { header: 'KUBECONFIG', cell: (row) => row.kubeconfig ?? '' },
]

function clusterTable(
  columns: readonly Column<ClusterRow>[],
  rows: readonly ClusterRow[],
  options: TableOptions,
): string {
  return formatTable(columns, rows, options)
}

export async function listProviders({ output }: ListFlags, io: Io): Promise<void> {
  const rows = await openClusters({ env: io.env }).providers({ signal: io.signal })
  show(io, output, {
    table: (options) => formatTable(PROVIDER_COLUMNS, rows, options),
    data: () => rows,
    names: () => rows.map(({ provider }) => provider),
  })
  if ((output ?? 'table') !== 'table') return
  for (const { provider, tools } of rows) {
    for (const { tool, next } of tools) if (next !== '') say(io, `${provider}: ${tool}: ${next}`)
  }
}

const MARKS = {
  ready: { glyph: '✓', word: 'ready', colour: 'green' },
  missing: { glyph: '○', word: 'missing', colour: 'yellow' },
  broken: { glyph: '✗', word: 'broken', colour: 'red' },
} as const

const PROVIDER_COLUMNS: readonly Column<ProviderRow>[] = [
  { header: 'PROVIDER', cell: (row) => row.provider, least: 8 },
  {
    header: 'STATE',
    cell: ({ state }) => [{ text: `${MARKS[state].glyph} ${MARKS[state].word}`, colour: MARKS[state].colour }],
    least: 9,
  },
  { header: 'NEEDS', cell: (row) => row.tools.map(toolWords).join(', '), least: 12 },
  { header: 'VERSIONS', cell: (row) => row.versions.join(', '), least: 8 },
  { header: 'WHAT IT IS', cell: (row) => row.summary, least: 16 },
]

function toolWords({ tool, state, version }: ToolFinding): string {
  if (state === 'found') return version === '' ? tool : `${tool} ${version}`
  return `${tool} ${state === 'broken' ? 'not running' : state}`
}
