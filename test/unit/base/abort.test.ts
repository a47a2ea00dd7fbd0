import test from 'node:test'
import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import {
  CancelledError,
  TimedOutError,
  abortable,
  isCancelled,
  onAbort,
  sleep,
  throwIfAborted,
  withTimeout,
} from '../../../shared/base/abort.ts'

const never = new Promise<never>(() => undefined)

test('a cancellation is known by its brand, whoever threw it', () => {
  const table: readonly (readonly [unknown, boolean])[] = [
    [new CancelledError(), true],
    [new DOMException('x', 'AbortError'), true],
    [Object.assign(new Error('x'), { code: 'ABORT_ERR' }), true],
    [{ [Symbol.for('plumbline.cancelled')]: true }, true],
    [new DOMException('x', 'TimeoutError'), false],
    [new TimedOutError(5, 'x'), false],
    [new Error('cancelled'), false],
    [undefined, false],
    [null, false],
    ['AbortError', false],
  ]
  for (const [error, expected] of table) assert.equal(isCancelled(error), expected)
})

test('a signal that has fired throws with its reason as the cause', () => {
  throwIfAborted(undefined)
  throwIfAborted(new AbortController().signal)
  assert.throws(
    () => throwIfAborted(AbortSignal.abort('why')),
    (error: Error) => isCancelled(error) && error.cause === 'why',
  )
})

test('sleep ends early by its signal and leaves no listener', async () => {
  const controller = new AbortController()
  const sleeping = sleep(60_000, { signal: controller.signal })
  controller.abort()
  await assert.rejects(sleeping, isCancelled)
  const other = new AbortController()
  await sleep(1, { signal: other.signal })
  assert.equal(getEventListeners(other.signal, 'abort').length, 0)
})

test('a listener runs at once on a signal that has fired', () => {
  let ran = 0
  onAbort(AbortSignal.abort(), () => (ran += 1))
  assert.equal(ran, 1)
})

test('work that ignores its signal is left alone when the caller cancels', async () => {
  const controller = new AbortController()
  const waiting = abortable(never, { signal: controller.signal })
  controller.abort()
  await assert.rejects(waiting, isCancelled)
})

test('the end of time and the cancel of the caller are told apart', async () => {
  await assert.rejects(
    withTimeout(5, () => never, { what: 'the wait' }),
    (error) => TimedOutError.is(error) && !isCancelled(error) && /the wait/.test(error.message),
  )
  const controller = new AbortController()
  const work = withTimeout(60_000, (signal) => sleep(60_000, { signal }), { signal: controller.signal })
  controller.abort()
  await assert.rejects(work, isCancelled)
  assert.equal(await withTimeout(1000, async () => 7), 7)
  await assert.rejects(
    withTimeout(1000, async () => Promise.reject(new TypeError('own'))),
    TypeError,
  )
})
