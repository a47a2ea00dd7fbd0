import test from 'node:test'
import assert from 'node:assert/strict'
import { Lru } from '../../../shared/base/lru.ts'

test('what was used last stays, up to the total weight', () => {
  const lru = new Lru<string, number>(10)
  lru.set('a', 1, 4)
  lru.set('b', 2, 4)
  assert.equal(lru.get('a'), 1)
  lru.set('c', 3, 4)
  assert.equal(lru.get('b'), undefined)
  assert.deepEqual([lru.get('a'), lru.get('c'), lru.size, lru.weight], [1, 3, 2, 8])
  lru.set('a', 9, 1)
  assert.equal(lru.weight, 5)
  lru.set('huge', 0, 11)
  assert.equal(lru.get('huge'), undefined)
  lru.clear()
  assert.equal(lru.size, 0)
})
