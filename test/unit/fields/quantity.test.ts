import test from 'node:test'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  QuantityError,
  roundUp,
  sameQuantity,
} from '../../../shared/fields/quantity.ts'

/** Random texts, each with what apimachinery's `resource.Quantity` v0.36.2 writes for it, or null where it refuses it. */
const recorded = JSON.parse(readFileSync(new URL('./fixtures/quantities-recorded.json', import.meta.url), 'utf8')) as [
  string,
  string | null,
][]

test('random quantities are written as Go writes them, or refused as Go refuses them', () => {
  for (const [text, expected] of recorded) {
    if (expected === null) assert.throws(() => canonicalQuantity(text), QuantityError.is, text)
    else assert.equal(canonicalQuantity(text), expected, text)
  }
})

test('the canonical text of a quantity', () => {
  const check = (text: string | number, expected: string): void => assert.equal(canonicalQuantity(text), expected)
  check('1000m', '1')
  check('0.5', '500m')
  check(0.1, '100m')
  check(2, '2')
  check('1024Mi', '1Gi')
  check('1500Ki', '1500Ki')
  check('1.5Gi', '1536Mi')
  check('100Mi', '100Mi')
  check('1000000', '1M')
  check('1e3', '1e3')
  check('12e6', '12e6')
  check('0', '0')
  check('0.0000000001', '1n')
  check('1.5Ki', '1536')
  check('512Ki', '512Ki')
  check('1.25', '1250m')
  check('-1000m', '-1')
})

test('quantities compare by amount', () => {
  const check = (a: string, b: string, order: number): void =>
    assert.equal(compareQuantities(parseQuantity(a), parseQuantity(b)), order, `${a} ${b}`)
  check('1000m', '1', 0)
  check('1Ki', '1024', 0)
  check('1Ki', '1k', 1)
  check('-1', '1', -1)
  check('-2', '-1', -1)
  check('1n', '1E', -1)
  check('1e1000000000', '1', 1)
  check('0', '0Ki', 0)
  assert.equal(sameQuantity('1000m', 1), true)
  assert.equal(sameQuantity('1', 'one'), false)
  assert.equal(sameQuantity('one', 'one'), true)
})

test('quantities add up and round up', () => {
  assert.equal(formatQuantity(addQuantities(parseQuantity('100m'), parseQuantity('1'))), '1100m')
  assert.equal(formatQuantity(addQuantities(parseQuantity('0'), parseQuantity('1Gi'))), '1Gi')
  assert.equal(formatQuantity(roundUp(parseQuantity('1u'), -3)), '1m')
  assert.equal(formatQuantity(roundUp(parseQuantity('-1u'), -3)), '-1m')
})

test('a huge exponent costs nothing', () => {
  assert.equal(canonicalQuantity('1e-1000000000'), '1e-9')
  assert.throws(() => parseQuantity('1e'), { reason: 'suffix' })
  assert.throws(() => parseQuantity(''), { reason: 'format' })
  assert.throws(() => parseQuantity('1 Gi'), { reason: 'format' })
  assert.throws(() => parseQuantity('Ei'), { reason: 'numeric' })
})
