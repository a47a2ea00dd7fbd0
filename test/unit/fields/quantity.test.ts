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
    if (expected === null) assert.throws(() => canonicalQuantity(text), QuantityError, text)
    else assert.equal(canonicalQuantity(text), expected, text)
  }
})

const checkText = (text: string | number, expected: string): void => assert.equal(canonicalQuantity(text), expected)

test('the canonical text of a quantity', () => {
  checkText('1000m', '1')
  checkText('0.5', '500m')
  checkText(0.1, '100m')
  checkText(2, '2')
  checkText('1024Mi', '1Gi')
  checkText('1500Ki', '1500Ki')
  checkText('1.5Gi', '1536Mi')
  checkText('100Mi', '100Mi')
  checkText('1000000', '1M')
  checkText('1e3', '1e3')
  checkText('12e6', '12e6')
  checkText('0', '0')
  checkText('0.0000000001', '1n')
  checkText('1.5Ki', '1536')
  checkText('512Ki', '512Ki')
  checkText('1.25', '1250m')
  checkText('-1000m', '-1')
})

const checkOrder = (a: string, b: string, order: number): void =>
  assert.equal(compareQuantities(parseQuantity(a), parseQuantity(b)), order, `${a} ${b}`)

test('quantities compare by amount', () => {
  checkOrder('1000m', '1', 0)
  checkOrder('1Ki', '1024', 0)
  checkOrder('1Ki', '1k', 1)
  checkOrder('-1', '1', -1)
  checkOrder('-2', '-1', -1)
  checkOrder('1n', '1E', -1)
  checkOrder('1e1000000000', '1', 1)
  checkOrder('0', '0Ki', 0)
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
