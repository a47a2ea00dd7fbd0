import test from 'node:test'
import assert from 'node:assert/strict'
import { TextPositions } from '../../../shared/base/text-positions.ts'

test('offsets and positions agree over every kind of line end', () => {
  const text = 'ab\r\nc\n\n😀d\re'
  const table: readonly (readonly [number, number, number])[] = [
    [0, 1, 1],
    [2, 1, 3],
    [4, 2, 1],
    [5, 2, 2],
    [6, 3, 1],
    [7, 4, 1],
    [9, 4, 3],
    [10, 4, 4],
    [11, 5, 1],
    [12, 5, 2],
  ]
  const positions = new TextPositions(text)
  assert.equal(positions.lineCount, 5)
  for (const [offset, line, column] of table) {
    assert.deepEqual(positions.positionAt(offset), { line, column })
    assert.equal(positions.offsetAt({ line, column }), offset)
  }
})

test('what lies outside is taken for the nearest place inside', () => {
  const positions = new TextPositions('ab\r\nc')
  assert.deepEqual(positions.positionAt(3), { line: 1, column: 3 })
  assert.deepEqual(positions.positionAt(99), { line: 2, column: 2 })
  assert.deepEqual(positions.positionAt(-1), { line: 1, column: 1 })
  assert.equal(positions.offsetAt({ line: 1, column: 100 }), 2)
  assert.equal(positions.offsetAt({ line: 10, column: 1 }), 5)
  assert.equal(positions.offsetAt({ line: 0, column: 5 }), 0)
  assert.deepEqual(new TextPositions('').positionAt(0), { line: 1, column: 1 })
})
