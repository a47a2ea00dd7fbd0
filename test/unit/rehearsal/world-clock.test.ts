import assert from 'node:assert/strict'
import test from 'node:test'
import { CancelledError } from '../../../shared/base/abort.ts'
import { WorldClock } from '../../../shared/rehearsal/world-clock.ts'
import { ManualClock } from '../../../shared/simulator/clock.ts'

function world(): { readonly manual: ManualClock; readonly clock: WorldClock; readonly change: () => void } {
  const manual = new ManualClock(0)
  let changes = 0
  return { manual, clock: new WorldClock(manual, () => changes), change: () => void (changes += 1) }
}

test('whoever polls is woken when something changes, not before', async () => {
  const { manual, clock, change } = world()
  manual.schedule(600_000, change)
  const started = performance.now()
  for (let looks = 1; clock.now() < 600_000; looks++) {
    await clock.sleep(100, {})
    assert.ok(looks < 20, 'ten minutes took too many looks')
  }
  assert.equal(clock.now(), 600_000)
  assert.ok(performance.now() - started < 1000)
})

test('after a change the next look comes soon', async () => {
  const { clock, change } = world()
  change()
  await clock.sleep(100, {})
  assert.equal(clock.now(), 100)
})

test('a wait that is no poll takes exactly its time', async () => {
  const { clock } = world()
  await clock.sleep(5000, {})
  assert.equal(clock.now(), 5000)
})

test('those who sleep side by side wake in their order', async () => {
  const { clock } = world()
  const woken: string[] = []
  const sleeper = async (name: string, ms: number): Promise<void> => {
    await clock.sleep(ms, {})
    woken.push(`${name} ${clock.now()}`)
  }
  await Promise.all([sleeper('late', 9000), sleeper('early', 3000)])
  assert.deepEqual(woken, ['early 3000', 'late 9000'])
})

test('time goes on where nothing ever happens, so that a deadline is met', async () => {
  const { clock } = world()
  for (let looks = 0; clock.now() < 30 * 60_000; looks++) {
    await clock.sleep(100, {})
    assert.ok(looks < 40)
  }
})

test('a sleeper that is cancelled wakes at once and holds nobody up', async () => {
  const { clock } = world()
  const abort = new AbortController()
  const sleeping = clock.sleep(10_000, { signal: abort.signal })
  abort.abort()
  await assert.rejects(sleeping, CancelledError)
  await clock.sleep(2000, {})
  assert.equal(clock.now(), 2000)
})

test('rest ends when nothing has changed for a while, or when it has lasted too long', () => {
  const { manual, clock, change } = world()
  manual.schedule(30_000, change)
  clock.rest(() => 60_000, 600_000)
  assert.equal(clock.now(), 90_000)
  const restless = (): void => void manual.schedule(10_000, () => (change(), restless()))
  restless()
  clock.rest(() => 60_000, 600_000)
  assert.equal(clock.now(), 690_000)
})
