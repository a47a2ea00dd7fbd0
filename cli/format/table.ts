import type { TerminalColour } from '../../shared/view/marks.ts'
import { plainPaint, type Paint } from './colour.ts'
import { fitText, onOneLine, textWidth } from './text-width.ts'

/** One cell. `parts` are joined by a space, each in its own colour. */
export type Cell = string | readonly CellPart[]
export type CellPart = { readonly text: string; readonly colour?: TerminalColour | 'bold' }

export type Column<Row> = {
  readonly header: string
  readonly cell: (row: Row) => Cell
  /** Columns that the cells may shrink to where the terminal is narrow; the header's width by default. */
  readonly least?: number
  /** Columns that are kept even for shorter cells, so that tables printed line by line align. */
  readonly room?: number
  readonly align?: 'left' | 'right'
}

export type TableOptions = {
  /** Columns of the terminal; undefined on a pipe, where nothing is ever cut. */
  readonly width?: number | undefined
  readonly paint?: Paint
  readonly header?: boolean
}

const GAP = '  '

/** Aligned columns, one line a row, each line ending in a newline. Columns that are empty in every row are left out. */
export function formatTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  options: TableOptions = {},
): string {
  const { paint = plainPaint, header = true, width } = options
  const cells = rows.map((row) => columns.map((column) => partsOf(column.cell(row))))
  const used = columns.flatMap((_, index) => (cells.some((row) => cellText(row[index]) !== '') ? [index] : []))
  const widths = fitColumns(
    used.map((index) => naturalWidth(columns[index], cells, index, header)),
    used.map((index) => columns[index]?.least ?? textWidth(columns[index]?.header ?? '')),
    width,
  )
  const line = (cellAt: (index: number) => readonly CellPart[]): string =>
    used
      .map((index, place) => {
        const last = place === used.length - 1
        return paintCell(cellAt(index), widths[place] ?? 0, columns[index]?.align ?? 'left', last, paint)
      })
      .join(GAP)
      .trimEnd()
  const lines = cells.map((row) => line((index) => row[index] ?? []))
  if (header) lines.unshift(line((index) => [{ text: columns[index]?.header ?? '', colour: 'bold' }]))
  return used.length === 0 ? '' : `${lines.join('\n')}\n`
}

function partsOf(cell: Cell): readonly CellPart[] {
  const parts = typeof cell === 'string' ? [{ text: cell }] : cell
  return parts.map((part) => ({ ...part, text: onOneLine(part.text) })).filter((part) => part.text !== '')
}

function cellText(parts: readonly CellPart[] | undefined): string {
  return (parts ?? []).map((part) => part.text).join(' ')
}

function naturalWidth<Row>(
  column: Column<Row> | undefined,
  cells: readonly (readonly (readonly CellPart[])[])[],
  index: number,
  header: boolean,
): number {
  let widest = Math.max(column?.room ?? 0, header ? textWidth(column?.header ?? '') : 0)
  for (const row of cells) widest = Math.max(widest, textWidth(cellText(row[index])))
  return widest
}

/** Takes columns from the widest until the line fits; when all are at their least, from the widest again. */
function fitColumns(
  natural: readonly number[],
  least: readonly number[],
  width: number | undefined,
): readonly number[] {
  const widths = [...natural]
  if (width === undefined) return widths
  let over = widths.reduce((sum, one) => sum + one, 0) + GAP.length * Math.max(0, widths.length - 1) - width
  for (const floors of [least, least.map(() => 1)]) {
    for (; over > 0; over -= 1) {
      let widest = -1
      for (const [index, one] of widths.entries()) {
        if (one > (floors[index] ?? 1) && one > (widths[widest] ?? 0)) widest = index
      }
      if (widest < 0) break
      widths[widest] = (widths[widest] ?? 1) - 1
    }
  }
  return widths
}

function paintCell(
  parts: readonly CellPart[],
  width: number,
  align: 'left' | 'right',
  last: boolean,
  paint: Paint,
): string {
  let room = width
  const painted: string[] = []
  for (const [index, part] of parts.entries()) {
    const gap = index === 0 ? 0 : 1
    if (room <= gap) break
    const text = fitText(part.text, room - gap)
    painted.push(`${gap === 1 ? ' ' : ''}${paint(part.colour, text)}`)
    room -= gap + textWidth(text)
  }
  const padding = ' '.repeat(Math.max(0, room))
  if (align === 'right') return `${padding}${painted.join('')}`
  return last ? painted.join('') : `${painted.join('')}${padding}`
}
