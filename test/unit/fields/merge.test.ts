import test from 'node:test'
import assert from 'node:assert/strict'
import { mergeValues } from '../../../shared/fields/merge.ts'
import { thing } from './thing.ts'

function check(live: unknown, config: unknown, expected: unknown): void {
  assert.deepEqual(mergeValues({ spec: live }, { spec: config }, thing), { spec: expected })
}

const items = (...names: string[]) => names.map((name) => ({ name }))

test('the config wins on leaves, the rest stays', () => {
  check({ text: 'a', count: 1 }, { text: 'b', flag: true }, { text: 'b', count: 1, flag: true })
  check(
    { args: ['a', 'b'], selector: { a: '1' } },
    { args: ['c'], selector: { b: '2' } },
    { args: ['c'], selector: { b: '2' } },
  )
  check({ labels: { a: '1' } }, { labels: { b: '2' } }, { labels: { a: '1', b: '2' } })
})

test('null and empty stay apart where both sides are empty', () => {
  check({ labels: {} }, { labels: null }, { labels: null })
  check({ labels: null }, { labels: {} }, { labels: {} })
  check({ labels: { a: '1' } }, { labels: null }, { labels: { a: '1' } })
  check({ tags: ['a'] }, { tags: [] }, { tags: ['a'] })
  check({ args: ['a'] }, { args: [] }, { args: [] })
})

test('items merge by key; shared ones take the order of the config, live ones keep their place', () => {
  check(
    { items: [{ name: 'a', value: '1' }] },
    { items: [{ name: 'a', sub: { a: 'x' } }] },
    { items: [{ name: 'a', value: '1', sub: { a: 'x' } }] },
  )
  check({ items: items('a', 'b', 'c') }, { items: items('c', 'a') }, { items: items('b', 'c', 'a') })
  check({ items: items('a', 'b') }, { items: items('z', 'b', 'y') }, { items: items('a', 'z', 'b', 'y') })
  check({ items: items('x', 'a', 'y') }, { items: items('a', 'n') }, { items: items('x', 'a', 'y', 'n') })
  check({ tags: ['b', 'a'] }, { tags: ['a', 'c', 'b'] }, { tags: ['a', 'c', 'b'] })
})

test('copies of a live item are not merged with the config', () => {
  check(
    {
      items: [
        { name: 'a', value: '1' },
        { name: 'a', value: '2' },
      ],
    },
    { items: [{ name: 'a', sub: {} }] },
    { items: [{ name: 'a', sub: {} }] },
  )
  check(
    {
      items: [
        { name: 'a', value: '1' },
        { name: 'a', value: '2' },
      ],
    },
    { items: items('b') },
    {
      items: [{ name: 'a', value: '1' }, { name: 'a', value: '2' }, { name: 'b' }],
    },
  )
})

test('a port without protocol is the TCP port', () => {
  check(
    { ports: [{ port: 80, protocol: 'TCP', note: 'x' }] },
    { ports: [{ port: 80, note: 'y' }] },
    { ports: [{ port: 80, protocol: 'TCP', note: 'y' }] },
  )
})

test('the result shares nothing with its sources', () => {
  const live = { spec: { free: { deep: { a: 1 } }, args: ['x'] } }
  const config = { spec: { items: [{ name: 'a', sub: { a: 'y' } }] } }
  const [before, wanted] = [JSON.stringify(live), JSON.stringify(config)]
  const merged = mergeValues(live, config, thing) as typeof live & typeof config
  Object.assign(merged.spec.free.deep, { a: 2 })
  merged.spec.args.push('y')
  Object.assign(merged.spec.items[0]?.sub ?? {}, { a: 'z' })
  assert.equal(JSON.stringify(live), before)
  assert.equal(JSON.stringify(config), wanted)
})
