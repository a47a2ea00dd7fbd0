import test from 'node:test'
import assert from 'node:assert/strict'
import { assertNever } from '../shared/base/assert-never.ts'

test('a closed switch throws on what it was never told about', () => {
  assert.throws(() => assertNever('x' as never))
})
