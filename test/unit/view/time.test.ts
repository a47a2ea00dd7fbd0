import assert from 'node:assert/strict'
import { test } from 'node:test'
import { duration, timeAgo, timeAgoWithin } from '../../../shared/view/time.ts'

const NOW = Date.parse('2026-03-01T10:00:00Z')

const AGES: readonly (readonly [seconds: number, expected: string])[] = [
  [-30, 'just now'],
  [0, 'just now'],
  [4, 'just now'],
  [5, '5 s ago'],
  [59, '59 s ago'],
  [60, '1 min ago'],
  [185, '3 min ago'],
  [3599, '59 min ago'],
  [3600, '1 h ago'],
  [47 * 3600, '47 h ago'],
  [48 * 3600, '2 d ago'],
  [59 * 86400, '59 d ago'],
  [60 * 86400, '2 months ago'],
  [800 * 86400, '2 years ago'],
]

for (const [seconds, expected] of AGES) {
  test(`${seconds} seconds are ${expected}`, () => {
    assert.equal(timeAgo(new Date(NOW - seconds * 1000).toISOString(), NOW), expected)
  })
}

test('what is no time is left out', () => {
  assert.equal(timeAgo('', NOW), '')
  assert.equal(timeAgo('soon', NOW), '')
})

test('a moment known only within a window is about', () => {
  assert.equal(timeAgoWithin('2026-03-01T09:00:00Z', '2026-03-01T09:50:00Z', NOW), 'about 10 min ago')
  assert.equal(timeAgoWithin('2026-03-01T09:49:30Z', '2026-03-01T09:50:00Z', NOW), '10 min ago')
  assert.equal(timeAgoWithin(undefined, '2026-03-01T09:50:00Z', NOW), '10 min ago')
})

const SPANS: readonly (readonly [ms: number, expected: string])[] = [
  [0, '0 s'],
  [420, '0.4 s'],
  [9_940, '9.9 s'],
  [12_400, '12 s'],
  [60_000, '1 min'],
  [200_000, '3 min 20 s'],
  [7_500_000, '2 h 5 min'],
  [90_000_000, '1 d 1 h'],
]

for (const [ms, expected] of SPANS) {
  test(`${ms} ms last ${expected}`, () => assert.equal(duration(ms), expected))
}
