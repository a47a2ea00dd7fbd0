import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KubeObject } from '../../../../shared/simulator/object.ts'
import { MemoryStore } from '../../../../shared/simulator/storage/memory-store.ts'
import type { StoreEvent } from '../../../../shared/simulator/storage/store.ts'

const configMaps = { group: '', resource: 'configmaps' }

function configMap(name: string, namespace = 'a', data: Record<string, string> = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data }
}

function names(objects: readonly KubeObject[]): string[] {
  return objects.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)
}

test('every write takes the next number of one counter and stamps the object with it', () => {
  const store = new MemoryStore()
  assert.equal(store.put(configMaps, configMap('x')).metadata.resourceVersion, '1')
  assert.equal(store.put({ group: 'apps', resource: 'deployments' }, configMap('y')).metadata.resourceVersion, '2')
  assert.equal(store.remove(configMaps, 'a', 'x')?.metadata.resourceVersion, '3')
  assert.equal(store.resourceVersion, 3)
})

test('a list is in the order of keys, whether written before or after the first list', () => {
  const store = new MemoryStore()
  for (const name of ['c', 'a']) store.put(configMaps, configMap(name))
  store.put(configMaps, configMap('z', 'a-b'))
  assert.deepEqual(names(store.list(configMaps)), ['a-b/z', 'a/a', 'a/c'])
  store.put(configMaps, configMap('b'))
  store.remove(configMaps, 'a', 'a')
  assert.deepEqual(names(store.list(configMaps)), ['a-b/z', 'a/b', 'a/c'])
  assert.deepEqual(names(store.list(configMaps, 'a')), ['a/b', 'a/c'])
})

test('the past can be listed as it was until it is forgotten', () => {
  const store = new MemoryStore()
  store.put(configMaps, configMap('a', 'a', { v: '1' }))
  store.put(configMaps, configMap('b'))
  store.put(configMaps, configMap('a', 'a', { v: '2' }))
  store.remove(configMaps, 'a', 'b')
  assert.deepEqual(
    store.listAt(configMaps, 'a', 2)?.map((o) => [o.metadata.name, o['data']]),
    [
      ['a', { v: '1' }],
      ['b', {}],
    ],
  )
  assert.deepEqual(names(store.listAt(configMaps, undefined, 3) ?? []), ['a/a', 'a/b'])
  store.compact(3)
  assert.equal(store.listAt(configMaps, 'a', 2), undefined)
  assert.equal(store.eventsSince(2), undefined)
  assert.deepEqual(
    store.eventsSince(3)?.map((event) => event.type),
    ['DELETED'],
  )
})

test('a listener that writes is heard by everybody in order', () => {
  const store = new MemoryStore()
  const heard: string[] = []
  store.subscribe({
    event(event) {
      if (event.name === 'first') store.put(configMaps, configMap('second'))
    },
  })
  store.subscribe({ event: (event) => heard.push(event.name) })
  store.put(configMaps, configMap('first'))
  assert.deepEqual(heard, ['first', 'second'])
})

test('a fork starts from the same state and goes its own way', () => {
  const store = new MemoryStore()
  store.put(configMaps, configMap('a'))
  const fork = store.fork()
  fork.put(configMaps, configMap('b'))
  store.put(configMaps, configMap('c'))
  assert.deepEqual(names(fork.list(configMaps)), ['a/a', 'a/b'])
  assert.deepEqual(names(store.list(configMaps)), ['a/a', 'a/c'])
  assert.equal(fork.get(configMaps, 'a', 'a'), store.get(configMaps, 'a', 'a'), 'objects are shared')
})

test('a fork of 10,000 objects takes less than 20 ms', () => {
  const store = new MemoryStore()
  for (let i = 0; i < 10_000; i++) store.put(configMaps, configMap(`c${i}`))
  const times = Array.from({ length: 5 }, () => {
    const start = performance.now()
    store.fork()
    return performance.now() - start
  })
  assert.ok(Math.min(...times) < 20, `${times.join(' ')} ms`)
})

test('restoring a state moves the counter on and tells watchers to start over', () => {
  const store = new MemoryStore()
  store.put(configMaps, configMap('a'))
  const state = store.state()
  store.put(configMaps, configMap('b'))
  let replaced = 0
  store.subscribe({ event: () => undefined, replaced: () => replaced++ })
  store.restore(state)
  assert.deepEqual(names(store.list(configMaps)), ['a/a'])
  assert.equal(replaced, 1)
  assert.equal(store.eventsSince(2), undefined)
  assert.ok(store.resourceVersion > 2)
})

test('a watch can resume from any number that history still has', () => {
  const store = new MemoryStore(undefined, { historySize: 4 })
  for (let i = 1; i <= 20; i++) store.put(configMaps, configMap(`c${i}`))
  const events = (since: number): readonly StoreEvent[] | undefined => store.eventsSince(since)
  assert.equal(events(1), undefined)
  assert.deepEqual(
    events(18)?.map((event) => event.name),
    ['c19', 'c20'],
  )
  assert.ok(store.horizon >= 12 && events(store.horizon)?.length === 20 - store.horizon)
})
