import test from 'node:test'
import assert from 'node:assert/strict'
import { compareValues } from '../../../shared/fields/compare.ts'
import type { FieldSet } from '../../../shared/fields/field-set.ts'
import { pathText } from '../../../shared/fields/path.ts'
import type { Schema } from '../../../shared/fields/schema.ts'
import { builtInCatalogue } from '../../../shared/kubernetes/built-in.ts'
import { thing } from './thing.ts'

const text = (set: FieldSet): string[] => set.paths().map(pathText)

interface Expected {
  readonly added?: readonly string[]
  readonly modified?: readonly string[]
  readonly removed?: readonly string[]
}

function check(left: unknown, right: unknown, expected: Expected, semantic = false, schema: Schema = thing): void {
  const { added, modified, removed } = compareValues({ spec: left }, { spec: right }, schema, { semantic })
  assert.deepEqual(
    { added: text(added), modified: text(modified), removed: text(removed) },
    { added: [], modified: [], removed: [], ...expected },
  )
}

test('scalars, atomic containers, keys and items that differ', () => {
  check(
    { text: 'a', count: 1 },
    { text: 'b', flag: true },
    { modified: ['.spec.text'], added: ['.spec.flag'], removed: ['.spec.count'] },
  )
  check({ args: ['a'] }, { args: ['b'] }, { modified: ['.spec.args'] })
  check(
    { labels: { a: '1', b: '2' } },
    { labels: { a: '1', c: '3' } },
    { added: ['.spec.labels.c'], removed: ['.spec.labels.b'] },
  )
  check(
    { items: [{ name: 'a', value: '1' }, { name: 'b' }] },
    { items: [{ name: 'c' }, { name: 'a', value: '2' }] },
    {
      modified: ['.spec.items[name="a"].value'],
      added: ['.spec.items[name="c"]', '.spec.items[name="c"].name'],
      removed: ['.spec.items[name="b"]', '.spec.items[name="b"].name'],
    },
  )
  check({ tags: ['a', 'b'] }, { tags: ['b', 'a'] }, {})
})

test('a container that comes or goes is named with its content', () => {
  check({}, { labels: { a: '1' } }, { added: ['.spec.labels', '.spec.labels.a'] })
  check({ labels: null }, { labels: { a: '1' } }, { added: ['.spec.labels.a'] })
  check({ labels: null }, { labels: {} }, { modified: ['.spec.labels'] })
})

test('copies of an item are compared as one', () => {
  const twice = [
    { name: 'a', value: '1' },
    { name: 'a', value: '2' },
  ]
  check({ items: twice }, { items: [...twice].reverse() }, { modified: ['.spec.items[name="a"]'] })
  check(
    { items: twice },
    { items: twice.slice(0, 1) },
    {
      added: ['.spec.items[name="a"].name', '.spec.items[name="a"].value'].toSpliced(0, 0, '.spec.items[name="a"]'),
      removed: ['.spec.items[name="a"]'],
    },
  )
})

test('a value that changes its shape is walked under both', () => {
  check({ free: { a: { b: 1 } } }, { free: { a: 'x' } }, { removed: ['.spec.free.a.b'], modified: ['.spec.free.a'] })
})

test('numbers are equal by value', () => {
  check({ count: 1 }, { count: 1n }, {})
  check({ count: 9_007_199_254_740_993n }, { count: 9_007_199_254_740_992n }, { modified: ['.spec.count'] })
})

test('by meaning, quantities compare by amount and null is absent', () => {
  check({ cpu: '1000m' }, { cpu: '1' }, { modified: ['.spec.cpu'] })
  check({ cpu: '1000m' }, { cpu: 1 }, {}, true)
  check({ cpu: '1' }, { cpu: '2' }, { modified: ['.spec.cpu'] }, true)
  check({ text: null, labels: null }, {}, {}, true)
  check({ port: '80' }, { port: 80 }, { modified: ['.spec.port'] }, true)
  check({ labels: {} }, {}, { removed: ['.spec.labels'] }, true)
})

const containers = (extra: object) => ({ containers: [{ name: 'a', ...extra }] })

test('by meaning, what Go drops or fills in is absent', () => {
  const pod = builtInCatalogue().schemaFor('', 'v1', 'Pod')
  assert.ok(pod)
  check(containers({ env: [], resources: {}, tty: false }), containers({}), {}, true, pod)
  check(
    containers({ securityContext: {} }),
    containers({}),
    { removed: ['.spec.containers[name="a"].securityContext'] },
    true,
    pod,
  )
  check(
    containers({ resources: { limits: { cpu: '0.5' } } }),
    containers({ resources: { limits: { cpu: '500m' } } }),
    {},
    true,
    pod,
  )
  check({ tolerations: [{ key: 'a', value: '' }] }, { tolerations: [{ key: 'a' }] }, {}, true, pod)
})

test('an object is the same as itself', () => {
  const spec = { items: [{ name: 'a', sub: { a: 'x' } }], free: { a: [null] } }
  check(spec, structuredClone(spec), {})
})
