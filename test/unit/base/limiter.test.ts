import test from 'node:test'
import assert from 'node:assert/strict'
import { isCancelled } from '../../../shared/base/abort.ts'
import { Limiter } from '../../../shared/base/limiter.ts'

const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms))

test('no more than the bound runs at once', async () => {
  const limiter = new Limiter({ start: 3, ceiling: 3 })
  let now = 0
  let most = 0
  const work = async (): Promise<void> => {
    now += 1
    most = Math.max(most, now)
    await pause(1)
    now -= 1
  }
  await Promise.all(Array.from({ length: 20 }, () => limiter.run(work)))
  assert.equal(most, 3)
})

test('successes raise the bound to its ceiling, a refusal halves it to its floor', async () => {
  let clock = 1000
  const limiter = new Limiter({ now: () => clock })
  assert.equal(limiter.concurrency, 8)
  for (let round = 0; round < 8; round += 1) await limiter.run(async () => undefined)
  assert.equal(limiter.concurrency, 9)
  for (let round = 0; round < 2000; round += 1) await limiter.run(async () => undefined)
  assert.equal(limiter.concurrency, 32)
  limiter.backOff()
  limiter.backOff()
  assert.equal(limiter.concurrency, 16, 'refusals that come together are one')
  for (let round = 0; round < 10; round += 1) {
    clock += 1000
    limiter.backOff()
  }
  assert.equal(limiter.concurrency, 2)
})

test('nothing starts before the server’s Retry-After', async () => {
  const limiter = new Limiter()
  limiter.backOff(60)
  const began = performance.now()
  await limiter.run(async () => undefined)
  assert.ok(performance.now() - began >= 55)
})

test('a waiter that is cancelled leaves its place, and failures free theirs', async () => {
  const limiter = new Limiter({ start: 1, floor: 1 })
  const controller = new AbortController()
  const first = limiter.run(() => pause(20))
  const second = limiter.run(async () => 'never', { signal: controller.signal })
  const third = limiter.run(() => Promise.reject(new TypeError('own')))
  const fourth = limiter.run(async () => 4)
  controller.abort()
  await assert.rejects(second, isCancelled)
  await first
  await assert.rejects(third, TypeError)
  assert.equal(await fourth, 4)
})
