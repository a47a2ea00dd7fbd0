import test from 'node:test'
import assert from 'node:assert/strict'
import { DisposableStore } from '../../../shared/base/dispose.ts'

function recorder(): { readonly log: string[]; readonly make: (name: string) => { dispose: () => void } } {
  const log: string[] = []
  return { log, make: (name) => ({ dispose: () => void log.push(name) }) }
}

test('resources end once, in reverse order of arrival', async () => {
  const { log, make } = recorder()
  const store = new DisposableStore()
  store.add(make('a'))
  store.defer(() => void log.push('b'))
  await Promise.all([store.dispose(), store.dispose()])
  assert.deepEqual(log, ['b', 'a'])
  assert.equal(store.disposed, true)
})

test('a late arrival is disposed at once, and the end waits for it', async () => {
  const { log, make } = recorder()
  const store = new DisposableStore()
  const ending = store.dispose()
  assert.notEqual(store.add(make('late')), undefined)
  await ending
  await store.dispose()
  assert.deepEqual(log, ['late'])
})

test('one failure does not keep the others alive', async () => {
  const { log, make } = recorder()
  const store = new DisposableStore()
  store.add(make('a'))
  store.defer(() => Promise.reject(new Error('stuck')))
  store.add(make('c'))
  await assert.rejects(store.dispose(), AggregateError)
  assert.deepEqual(log, ['c', 'a'])
})

test('a released resource is not disposed twice', async () => {
  const { log, make } = recorder()
  const store = new DisposableStore()
  const one = store.add(make('one'))
  await store.release(one)
  await store.dispose()
  assert.deepEqual(log, ['one'])
})
