import assert from 'node:assert/strict'
import { test } from 'node:test'
import { paintFor } from '../../../../cli/format/colour.ts'
import { formatTable, type Column } from '../../../../cli/format/table.ts'
import { fitText, harmless, onOneLine, textWidth } from '../../../../cli/format/text-width.ts'

type Row = { readonly name: string; readonly state: string; readonly count: number; readonly message: string }

const COLUMNS: readonly Column<Row>[] = [
  { header: 'NAME', cell: (row) => row.name, least: 8 },
  { header: 'STATE', cell: (row) => [{ text: '✓', colour: 'green' }, { text: row.state }] },
  { header: 'COUNT', cell: (row) => String(row.count), align: 'right' },
  { header: 'MESSAGE', cell: (row) => row.message },
]

function rows(count: number): readonly Row[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `${index}-`.padEnd(index % 2 === 0 ? 63 : 5, 'x'),
    state: 'Synced',
    count: index,
    message: index % 3 === 0 ? 'm'.repeat(400) : '',
  }))
}

test('columns are aligned and no line ends in spaces', () => {
  const text = formatTable(COLUMNS, [
    { name: 'a', state: 'Synced', count: 1, message: '' },
    { name: 'longer', state: 'OutOfSync', count: 23, message: 'why' },
  ])
  assert.equal(
    text,
    ['NAME    STATE        COUNT  MESSAGE', 'a       ✓ Synced         1', 'longer  ✓ OutOfSync     23  why', ''].join(
      '\n',
    ),
  )
})

test('a column that is empty in every row is left out', () => {
  const text = formatTable(COLUMNS, [{ name: 'a', state: 'Synced', count: 1, message: '' }])
  assert.equal(text, 'NAME  STATE     COUNT\na     ✓ Synced      1\n')
  assert.equal(formatTable(COLUMNS, []), '')
})

for (const width of [undefined, 200, 80, 40, 12]) {
  for (const count of [1, 7, 500]) {
    test(`${count} rows fit ${width ?? 'a pipe, uncut'}`, () => {
      const lines = formatTable(COLUMNS, rows(count), { width }).trimEnd().split('\n')
      assert.equal(lines.length, count + 1)
      if (width === undefined) assert.ok(lines[1]?.endsWith('m'.repeat(400)))
      else
        assert.ok(
          lines.every((line) => textWidth(line) <= width),
          lines[1],
        )
    })
  }
}

test('only what is widest is cut', () => {
  const [, line = ''] = formatTable(COLUMNS, rows(1), { width: 100 }).split('\n')
  assert.match(line, /^0-x+… {2}✓ Synced {6}0 {2}m+…$|^0-x+ {2}✓ Synced {6}0 {2}m+…$/)
})

test('colour takes no room', () => {
  const paint = paintFor({ isTTY: true }, {})
  const plain = formatTable(COLUMNS, rows(7), { width: 80 })
  const painted = formatTable(COLUMNS, rows(7), { width: 80, paint })
  assert.notEqual(painted, plain)
  // oxlint-disable-next-line no-control-regex -- these are the colour codes
  assert.equal(painted.replace(/\u001B\[\d+m/g, ''), plain)
})

const WIDTHS: readonly (readonly [text: string, width: number])[] = [
  ['', 0],
  ['abc', 3],
  ['⚠ OutOfSync', 11],
  ['♥…‖✗○−✓', 7],
  ['日本語', 6],
  ['e\u0301', 1],
  ['👩‍👩‍👧', 2],
]

for (const [text, width] of WIDTHS) {
  test(`${text || 'nothing'} takes ${width} columns`, () => assert.equal(textWidth(text), width))
}

const FITS: readonly (readonly [text: string, width: number, expected: string])[] = [
  ['guestbook', 9, 'guestbook'],
  ['guestbook', 8, 'guestbo…'],
  ['guest book', 7, 'guest…'],
  ['日本語', 5, '日本…'],
  ['日本語', 4, '日…'],
  ['x', 0, ''],
  ['xy', 1, '…'],
]

for (const [text, width, expected] of FITS) {
  test(`${text} in ${width} columns is ${expected || 'nothing'}`, () => assert.equal(fitText(text, width), expected))
}

test('nothing from outside steers the terminal', () => {
  assert.equal(onOneLine('two\r\n  lines\t\n'), 'two lines')
  assert.equal(onOneLine('\u001B[2Jgone\u009B31m'), '\uFFFD[2Jgone\uFFFD31m')
  assert.equal(onOneLine('admin\u202Etxt'), 'admin\uFFFDtxt')
  assert.equal(harmless('plain é'), 'plain é')
})

const COLOURS: readonly (readonly [isTTY: boolean, env: Readonly<Record<string, string>>, coloured: boolean])[] = [
  [true, {}, true],
  [false, {}, false],
  [true, { NO_COLOR: '1' }, false],
  [true, { NO_COLOR: '' }, true],
  [false, { FORCE_COLOR: '1' }, true],
  [false, { FORCE_COLOR: '' }, true],
  [true, { FORCE_COLOR: '0' }, false],
  [true, { FORCE_COLOR: '1', NO_COLOR: '1' }, false],
  [true, { TERM: 'dumb' }, false],
]

for (const [isTTY, env, coloured] of COLOURS) {
  test(`${isTTY ? 'a terminal' : 'a pipe'} with ${JSON.stringify(env)} is ${coloured ? '' : 'not '}coloured`, () => {
    assert.equal(paintFor({ isTTY }, env)('red', 'x') !== 'x', coloured)
  })
}
