import test from 'node:test'
import assert from 'node:assert/strict'
import { singleFlight } from '../../../shared/base/single-flight.ts'

test('calls during a run share one rerun, which sees what they saw', async () => {
  let runs = 0
  let most = 0
  let now = 0
  const flight = singleFlight(async () => {
    now += 1
    most = Math.max(most, now)
    runs += 1
    await new Promise((resolve) => setTimeout(resolve, 5))
    now -= 1
    return runs
  })
  const results = await Promise.all([flight(), flight(), flight(), flight()])
  assert.deepEqual(results, [1, 2, 2, 2])
  assert.equal(await flight(), 3)
  assert.equal(most, 1)
  assert.equal(flight.running, false)
})

test('a caller in the turn between two runs does not start a third beside them', async () => {
  let now = 0
  let most = 0
  const flight = singleFlight(async () => {
    now += 1
    most = Math.max(most, now)
    await Promise.resolve()
    now -= 1
  })
  const all: Promise<void>[] = [flight(), flight()]
  for (let turn = 0; turn < 20; turn += 1) {
    await Promise.resolve()
    all.push(flight())
  }
  await Promise.all(all)
  assert.equal(most, 1)
})

test('a failed run is its own callers’ failure, and the rerun happens', async () => {
  let runs = 0
  const flight = singleFlight(async () => {
    runs += 1
    if (runs === 1) throw new Error('first')
    return runs
  })
  const [first, second] = await Promise.allSettled([flight(), flight()])
  assert.equal(first.status, 'rejected')
  assert.deepEqual(second, { status: 'fulfilled', value: 2 })
})
