import assert from 'node:assert/strict'
import test from 'node:test'
import { keySpan } from '../../../extension/drift/key-range.ts'
import { mapLines } from '../../../extension/drift/line-map.ts'
import { shiftSpot, type Edit } from '../../../extension/drift/shift.ts'

const edit = (start: readonly [number, number], end: readonly [number, number], text: string): Edit => ({
  start: { line: start[0], character: start[1] },
  end: { line: end[0], character: end[1] },
  text,
})

function checkShift(what: string, change: Edit, expected: readonly [number, number]): void {
  test(`a place at line 5, column 4 ${what}`, () => {
    const { line, character } = shiftSpot({ line: 5, character: 4 }, change)
    assert.deepEqual([line, character], expected)
  })
}

checkShift('stays when something is typed below it', edit([6, 0], [6, 0], 'x\n'), [5, 4])
checkShift('stays when something is typed behind it', edit([5, 9], [5, 9], 'x'), [5, 4])
checkShift('moves down with a line put in above', edit([2, 0], [2, 0], 'x\n'), [6, 4])
checkShift('moves up with lines taken out above', edit([1, 0], [3, 0], ''), [3, 4])
checkShift('moves right with an indentation', edit([5, 0], [5, 0], '  '), [5, 6])
checkShift('moves left with an outdentation', edit([5, 0], [5, 2], ''), [5, 2])
checkShift('goes to the start of what replaced it', edit([4, 0], [7, 0], 'x'), [4, 0])
checkShift('follows its line when two are joined', edit([4, 3], [5, 2], ''), [4, 5])
checkShift('follows its line when it is split before it', edit([5, 2], [5, 2], '\n'), [6, 2])

function checkSpan(what: string, line: string, column: number, expected: string): void {
  test(`the squiggle goes under ${what}`, () => {
    const { start, end } = keySpan(line, column)
    assert.equal(line.slice(start, end), expected)
  })
}

checkSpan('a key, not its value', '  replicas: 2', 2, 'replicas')
checkSpan('a key without a value', 'spec:', 0, 'spec')
checkSpan('a quoted key with a colon', '  "a: b": 1', 2, '"a: b"')
checkSpan('the key of an item that begins a list item', '  - name: shop', 4, 'name')
checkSpan('the first key where the item is marked from its dash', '  - name: shop', 2, 'name')
checkSpan('a plain item whole', '    - --verbose', 6, '--verbose')
checkSpan('a key whose value is a URL', 'url: http://x', 0, 'url')
checkSpan('the whole line where the column is beyond it', '  a: 1', 40, 'a: 1')

function checkMap(what: string, before: string, after: string, expected: readonly (number | undefined)[]): void {
  test(`lines are found again ${what}`, () => {
    const map = mapLines(before.split('').join('\n'), after.split('').join('\n'))
    assert.deepEqual(
      before.split('').map((_, line) => map?.(line)),
      expected,
    )
  })
}

checkMap('where nothing changed', 'abc', 'abc', [0, 1, 2])
checkMap('below a line that was put in', 'abc', 'axbc', [0, 2, 3])
checkMap('below a line that was taken out', 'abcd', 'acd', [0, 1, 1, 2])
checkMap('where a line was changed', 'abc', 'axc', [0, 1, 2])
checkMap('where two lines became one', 'abcd', 'axd', [0, 1, 2, 2])
checkMap('where the end was taken off', 'abc', 'a', [0, 0, 0])

function lines(prefix: string): string {
  return Array.from({ length: 3000 }, (_, index) => `${prefix}${index}`).join('\n')
}

test('a file that was rewritten is not lined up', () => {
  assert.equal(mapLines(lines('a'), lines('b')), undefined)
})
