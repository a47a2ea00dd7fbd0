import type { ApplicationRow } from '../../shared/view/application-row.ts'
import type { HistoryRow } from '../../shared/view/history-rows.ts'
import type { Mark } from '../../shared/view/marks.ts'
import type { OutcomeRow } from '../../shared/view/outcome-rows.ts'
import type { PlanRow } from '../../shared/view/plan-rows.ts'
import type { ResourceRow } from '../../shared/view/resource-rows.ts'
import type { TreeRow } from '../../shared/view/tree-rows.ts'
import { formatTable, type CellPart, type Column, type TableOptions } from './table.ts'

/** `✓ Synced`, in its colour. */
export function markParts(mark: Mark | undefined): readonly CellPart[] {
  if (mark === undefined) return []
  return [{ text: mark.word === '' ? mark.glyph : `${mark.glyph} ${mark.word}`, colour: mark.colour }]
}

const APPLICATION_COLUMNS: readonly Column<ApplicationRow>[] = [
  { header: 'NAME', cell: (row) => row.name, least: 12 },
  { header: 'SYNC', cell: (row) => markParts(row.sync), least: 11 },
  { header: 'HEALTH', cell: (row) => markParts(row.health), least: 13 },
  { header: 'REVISION', cell: (row) => [{ text: row.revision }, ...verdictParts(row)], least: 12 },
  { header: 'DESTINATION', cell: (row) => row.destination, least: 12 },
  { header: 'DRIFT', cell: (row) => row.drift, least: 9 },
]

function verdictParts({ verdict }: ApplicationRow): readonly CellPart[] {
  return verdict === undefined ? [] : [{ text: verdict.glyph, colour: verdict.colour }]
}

export function applicationTable(rows: readonly ApplicationRow[], options: TableOptions): string {
  return formatTable(APPLICATION_COLUMNS, rows, options)
}

const RESOURCE_COLUMNS: readonly Column<ResourceRow>[] = [
  { header: 'GROUP', cell: (row) => row.id.group, least: 5 },
  { header: 'KIND', cell: (row) => row.id.kind, least: 10 },
  { header: 'NAMESPACE', cell: (row) => row.id.namespace, least: 9 },
  { header: 'NAME', cell: (row) => row.id.name, least: 14 },
  { header: 'SYNC', cell: (row) => markParts(row.sync), least: 11 },
  { header: 'HEALTH', cell: (row) => markParts(row.health), least: 13 },
  { header: 'DETAIL', cell: (row) => row.detail, least: 12 },
]

export function resourceTable(rows: readonly ResourceRow[], options: TableOptions): string {
  return formatTable(RESOURCE_COLUMNS, rows, options)
}

const TREE_COLUMNS: readonly Column<TreeRow>[] = [
  {
    header: 'OBJECT',
    cell: (row) => [
      { text: branchOf(row.lasts), colour: 'dim' },
      { text: row.mark.glyph, colour: row.mark.colour },
      { text: row.label },
    ],
    least: 24,
  },
  { header: 'HEALTH', cell: (row) => markParts(row.health), least: 13 },
  { header: 'DETAIL', cell: (row) => row.detail, least: 12 },
]

export function treeTable(rows: readonly TreeRow[], options: TableOptions): string {
  return formatTable(TREE_COLUMNS, rows, options)
}

/** Lines from a parent to its children; what the application manages has none. */
function branchOf(lasts: readonly boolean[]): string {
  const [, ...below] = lasts
  return below.map((last, index) => lineOf(last, index === below.length - 1)).join('')
}

function lineOf(last: boolean, own: boolean): string {
  if (own) return last ? '└─' : '├─'
  return last ? '   ' : '│  '
}

const PLAN_COLUMNS: readonly Column<PlanRow>[] = [
  { header: 'STEP', cell: (row) => markParts(row.mark), least: 8 },
  { header: 'KIND', cell: (row) => row.id.kind, least: 10 },
  { header: 'NAMESPACE', cell: (row) => row.id.namespace, least: 9 },
  { header: 'NAME', cell: (row) => row.id.name, least: 14 },
  { header: 'CHANGE', cell: (row) => row.detail, least: 12 },
  { header: 'OBSTACLE', cell: (row) => row.obstacle, least: 12 },
]

const STAGE_COLUMN: Column<PlanRow> = { header: 'WAVE', cell: (row) => row.stage || 'wave 0' }

export function planTable(rows: readonly PlanRow[], options: TableOptions): string {
  const staged = rows.some(({ stage }) => stage !== '')
  return formatTable(staged ? [STAGE_COLUMN, ...PLAN_COLUMNS] : PLAN_COLUMNS, rows, options)
}

const HISTORY_COLUMNS: readonly Column<HistoryRow>[] = [
  { header: 'ID', cell: (row) => String(row.id), align: 'right' },
  { header: 'REVISION', cell: (row) => [{ text: row.revision }, ...(row.current ? [{ text: '(current)' }] : [])] },
  { header: 'DEPLOYED', cell: (row) => row.when },
  { header: 'BY', cell: (row) => row.who },
]

export function historyTable(rows: readonly HistoryRow[], options: TableOptions): string {
  return formatTable(HISTORY_COLUMNS, rows, options)
}

const OUTCOME_COLUMNS: readonly Column<OutcomeRow>[] = [
  { header: 'RESULT', cell: (row) => markParts(row.mark), room: 11, least: 11 },
  { header: 'OBJECT', cell: (row) => row.label, room: 32, least: 32 },
  { header: 'MESSAGE', cell: (row) => row.message },
]

/** One ended step on a line of its own, as a sync tells it. */
export function outcomeLine(row: OutcomeRow, options: TableOptions): string {
  return formatTable(OUTCOME_COLUMNS, [row], { ...options, header: false }).trimEnd()
}
